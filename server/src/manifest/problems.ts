import { namesIn } from '../../json/index.ts';

/** A location in a platform file: keys and indexes from the top. */
export type Path = readonly (string | number)[];

/** A problem in a platform file, described for its author. */
export interface Problem {
  path: Path;
  message: string;
  /** Points at the key instead of its value. */
  atKey?: boolean;
}

/** An invalid platform file. The message has one line per problem: `file:line:column path message`. */
export class PlatformFileError extends Error {
  readonly lines: string[];

  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.name = 'PlatformFileError';
    this.lines = lines;
  }
}

/** `environments.production.users[3].email` */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** Reports every repetition of a value. */
export function duplicates(values: (readonly [value: string, path: Path])[], message: string): Problem[] {
  const seen = new Set<string>();
  return values.flatMap(([value, path]) => {
    if (seen.has(value)) return [{ path, message }];
    seen.add(value);
    return [];
  });
}

/** Converts a JSON Pointer (RFC 6901) into `value` to a path. */
export function pathOf(pointer: string, value: unknown): Path {
  let inner = value;
  return namesIn(pointer).map((name) => {
    const key = Array.isArray(inner) ? Number(name) : name;
    inner = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined;
    return key;
  });
}
