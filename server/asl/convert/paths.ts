/** A path of JSONPath as Step Functions uses it: from the state's data (`$`), the context (`$$`) or a variable (`$name`). */
export interface Path {
  root: { kind: 'data' | 'context' } | { kind: 'variable'; name: string };
  segments: Segment[];
}

export type Segment =
  | { kind: 'name'; name: string }
  | { kind: 'index'; index: number }
  | { kind: 'all' }
  | { kind: 'values' }
  | { kind: 'names'; names: string[] }
  | { kind: 'indexes'; indexes: number[] }
  | { kind: 'slice'; from: number | undefined; to: number | undefined }
  | { kind: 'descend'; name: string | undefined }
  | { kind: 'filter'; source: string }
  | { kind: 'call'; name: string };

/** A path or intrinsic function that cannot be read or has no equal; the message is one clause. */
export class NotConvertible extends Error {}

/** Levels of parentheses and calls. Step Functions allows 10 calls. */
const maxNesting = 50;

/** Reads text from the left. */
export class Reader {
  readonly text: string;
  position = 0;
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  get ended(): boolean {
    return this.position >= this.text.length;
  }

  /** The next match, which is consumed; undefined if there is none here. @param pattern with the flag `y` */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (match) this.position += match[0].length;
    return match ?? undefined;
  }

  /** Reads something that may contain itself, at most 50 levels deep. */
  nested<T>(read: () => T): T {
    if (this.#depth === maxNesting) throw new NotConvertible(`‘${this.text}’ is nested too deeply`);
    this.#depth++;
    const value = read();
    this.#depth--;
    return value;
  }

  fail(): NotConvertible {
    return new NotConvertible(
      this.ended
        ? `‘${this.text}’ ends too early`
        : `‘${this.text}’ cannot be read from character ${this.position + 1}`,
    );
  }
}

/** @throws NotConvertible */
export function parsePath(text: string): Path {
  const reader = new Reader(text);
  const path = readPath(reader);
  if (!reader.ended) throw reader.fail();
  return path;
}

const name = /[\p{ID_Start}_][\p{ID_Continue}$-]*/u.source;
const quotedName = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/u.source;

/** Reads a path as far as it goes. @throws NotConvertible */
export function readPath(reader: Reader): Path {
  if (!reader.take(/\$/uy)) throw reader.fail();
  const variable = reader.take(/[\p{ID_Start}_]\p{ID_Continue}*/uy);
  const root: Path['root'] = variable
    ? { kind: 'variable', name: variable[0] }
    : { kind: reader.take(/\$/uy) ? 'context' : 'data' };
  return { root, segments: readSegments(reader) };
}

/** @throws NotConvertible */
export function readSegments(reader: Reader): Segment[] {
  const segments: Segment[] = [];
  for (let segment = readSegment(reader); segment; segment = readSegment(reader)) segments.push(segment);
  return segments;
}

function readSegment(reader: Reader): Segment | undefined {
  if (reader.take(/\.\.\*/uy)) return { kind: 'descend', name: undefined };
  const descendant = reader.take(new RegExp(`\\.\\.(?:(${name})|\\[\\s*(${quotedName})\\s*\\])`, 'uy'));
  if (descendant) return { kind: 'descend', name: descendant[1] ?? unquote(descendant[2] as string) };
  if (reader.take(/\.\*/uy)) return { kind: 'values' };
  const call = reader.take(new RegExp(`\\.(${name})\\(\\)`, 'uy'));
  if (call) return { kind: 'call', name: call[1] as string };
  // In dot notation, JSONPath allows more characters than JSONata: `$.x-y`.
  const field = reader.take(/\.([^.[\]()\s,'"*=<>!&|@?]+)/uy);
  if (field) return { kind: 'name', name: field[1] as string };
  // Step Functions also accepts a dot before a bracket: `$.[0]`.
  if (!reader.take(/\.?\[\s*/uy)) return undefined;
  const segment = readBrackets(reader);
  if (!reader.take(/\s*\]/uy)) throw reader.fail();
  return segment;
}

function readBrackets(reader: Reader): Segment {
  if (reader.take(/\*/uy)) return { kind: 'all' };
  if (reader.take(/\?\s*\(/uy)) return { kind: 'filter', source: readFilter(reader) };
  const names = reader.take(new RegExp(`(?:${quotedName})(?:\\s*,\\s*(?:${quotedName}))*`, 'uy'));
  if (names) {
    const list = [...names[0].matchAll(new RegExp(quotedName, 'gu'))].map(([each]) => unquote(each));
    return list.length === 1 ? { kind: 'name', name: list[0] as string } : { kind: 'names', names: list };
  }
  const slice = reader.take(/(-?\d+)?\s*:\s*(-?\d+)?/uy);
  if (slice) return { kind: 'slice', from: numberOf(slice[1]), to: numberOf(slice[2]) };
  const indexes = reader.take(/-?\d+(?:\s*,\s*-?\d+)*/uy);
  if (!indexes) throw reader.fail();
  const list = indexes[0].split(',').map(Number);
  return list.length === 1 ? { kind: 'index', index: list[0] as number } : { kind: 'indexes', indexes: list };
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** The text of a filter, up to the parenthesis that ends it. */
function readFilter(reader: Reader): string {
  const start = reader.position;
  for (let depth = 0; !reader.ended; ) {
    if (reader.take(new RegExp(quotedName, 'uy'))) continue;
    if (reader.take(/\(/uy)) depth++;
    else if (!reader.take(/\)/uy)) reader.position++;
    else if (depth-- === 0) return reader.text.slice(start, reader.position - 1);
  }
  throw reader.fail();
}

/** The text of a string in quotes. */
export function unquote(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gu, '$1');
}
