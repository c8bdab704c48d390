import { NotConvertible, Reader, readSegments, type Segment, unquote } from './paths.ts';
import { fieldName, quoted } from './values.ts';

/**
 * Converts the condition of a JSONPath filter, `@.price > 10 && @.name`, to a JSONata predicate.
 *
 * @param rootOf the source of a path that starts with `$`
 * @throws NotConvertible
 */
export function filterSource(text: string, rootOf: (reader: Reader) => string): string {
  const reader = new Reader(text);
  const source = readAlternatives(reader, rootOf);
  reader.take(/\s+/uy);
  if (!reader.ended) throw reader.fail();
  return source;
}

type RootOf = (reader: Reader) => string;

function readAlternatives(reader: Reader, rootOf: RootOf): string {
  const parts = [readConjunction(reader, rootOf)];
  while (reader.take(/\s*\|\|/uy)) parts.push(readConjunction(reader, rootOf));
  return parts.join(' or ');
}

function readConjunction(reader: Reader, rootOf: RootOf): string {
  const parts = [readTest(reader, rootOf)];
  while (reader.take(/\s*&&/uy)) parts.push(readTest(reader, rootOf));
  return parts.join(' and ');
}

function readTest(reader: Reader, rootOf: RootOf): string {
  reader.take(/\s+/uy);
  if (reader.take(/!(?!=)\s*/uy)) return `$not(${reader.nested(() => readTest(reader, rootOf))})`;
  if (reader.take(/\(/uy)) {
    const inner = reader.nested(() => readAlternatives(reader, rootOf));
    if (!reader.take(/\s*\)/uy)) throw reader.fail();
    return `(${inner})`;
  }
  const left = readOperand(reader, rootOf);
  const operator = reader.take(/\s*(==|!=|<=|>=|<|>|=~|in\b|nin\b)\s*/uy)?.[1];
  if (operator === undefined) return `$exists(${left})`;
  if (operator === '=~') return `$contains(${left}, ${readPattern(reader)})`;
  const right = readOperand(reader, rootOf);
  if (operator === 'nin') return `$not(${left} in ${right})`;
  return `${left} ${operator === '==' ? '=' : operator} ${right}`;
}

function readPattern(reader: Reader): string {
  const pattern = reader.take(/\/(?:[^/\\]|\\.)+\/[im]*/uy);
  if (!pattern) throw reader.fail();
  return pattern[0];
}

function readOperand(reader: Reader, rootOf: RootOf): string {
  if (reader.take(/@/uy)) return itemSource(readSegments(reader));
  if (/^\$/u.test(reader.text.slice(reader.position))) return rootOf(reader);
  const text = reader.take(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/uy);
  if (text) return quoted(unquote(text[0]));
  const list = reader.take(/\[\s*/uy);
  if (list) {
    const items = [reader.nested(() => readOperand(reader, rootOf))];
    while (reader.take(/\s*,\s*/uy)) items.push(readOperand(reader, rootOf));
    if (!reader.take(/\s*\]/uy)) throw reader.fail();
    return `[${items.join(', ')}]`;
  }
  const number = reader.take(/-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/uy);
  if (number) return String(Number(number[0]));
  const word = reader.take(/true|false|null/uy);
  if (!word) throw reader.fail();
  return word[0];
}

/** A path relative to the item that the filter tests. */
function itemSource(segments: Segment[]): string {
  const steps = segments.map((segment, index) => {
    const name = segment.kind === 'name' ? fieldName(segment.name) : undefined;
    if (name !== undefined) return index === 0 ? name : `.${name}`;
    if (segment.kind === 'index' && index > 0) return `[${segment.index}]`;
    throw new NotConvertible('a filter can only read fields and indexes of the item');
  });
  return steps.join('') || '$';
}
