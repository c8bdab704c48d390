/** Where a condition stands in the text of a statement. */
export interface Span {
  start: number;
  end: number;
}

/** Words after which a condition begins, and words that end one. */
const opening = new Set(['where', 'on', 'and', 'or', 'when', 'having', 'not']);
const closing = new Set([
  ...[
    'select',
    'from',
    'join',
    'left',
    'inner',
    'union',
    'group',
    'order',
    'limit',
    'offset',
    'for',
    'returning',
  ],
  ...['set', 'values', 'using', 'then', 'else', 'end', 'as', 'do', ','],
]);

interface Level {
  /** Where the condition that is being read begins. */
  start?: number | undefined;
  /** Of `between a and b`, whose `and` separates no conditions. */
  isBetween?: boolean;
  /** Parentheses around conditions, not around arguments or a subquery. */
  isGroup?: boolean;
}

/**
 * The conditions of a SQL statement that `and` and `or` combine, also those in subqueries and in parentheses. A
 * condition in parentheses is found by its parts.
 *
 * @param statement without what a template inserts: `maskInsertions` replaces that
 */
export function conditionsOf(statement: string): Span[] {
  const found: Span[] = [];
  const levels: Level[] = [{}];
  let previous = '';
  const close = (level: Level, end: number) => {
    if (level.start !== undefined) found.push(trimmed(statement, level.start, end));
    level.start = undefined;
  };
  for (const { 0: token, index } of statement.matchAll(/'[^']*'|[a-z_][\w.]*|[(),]/gi)) {
    const level = levels.at(-1) as Level;
    const word = token.toLowerCase();
    const end = index + token.length;
    if (word === '(') {
      const isGroup = opening.has(previous) || (previous === '(' && level.isGroup === true);
      levels.push(isGroup ? { start: end, isGroup } : {});
    } else if (word === ')') {
      close(level, index);
      if (levels.length > 1) levels.pop();
    } else if (word === 'between') {
      level.isBetween = true;
    } else if (word === 'and' && level.isBetween) {
      level.isBetween = false;
    } else if (word === 'conflict') {
      level.start = undefined;
    } else if (opening.has(word)) {
      if (word !== 'not' || level.start === undefined) {
        close(level, index);
        level.start = end;
      }
    } else if (closing.has(word)) {
      close(level, index);
    }
    previous = word;
  }
  for (const level of levels) close(level, statement.length);
  return found
    .filter(({ start, end }) => end > start && !isGroup(statement.slice(start, end)))
    .sort((one, other) => one.start - other.start);
}

/** Whether the first parenthesis closes at the end. */
function isGroup(condition: string): boolean {
  if (!condition.startsWith('(')) return false;
  let depth = 0;
  for (const [at, character] of [...condition].entries()) {
    if (character === '(') depth++;
    if (character === ')' && --depth === 0) return at === condition.length - 1;
  }
  return true;
}

/** Replaces each `${…}` of a template's text by as many characters that mean nothing in SQL. */
export function maskInsertions(template: string, insertions: readonly Span[]): string {
  let text = template;
  for (const { start, end } of insertions)
    text = text.slice(0, start) + '$'.repeat(end - start) + text.slice(end);
  return text;
}

function trimmed(text: string, start: number, end: number): Span {
  const part = text.slice(start, end);
  const lead = part.length - part.trimStart().length;
  return { start: start + lead, end: start + lead + part.trim().length };
}
