/** Where something stands in a platform file: keys and indexes from the top. */
export type Path = readonly (string | number)[];

/** One thing that is wrong with a platform file, for the person who wrote it. */
export interface Problem {
  path: Path;
  message: string;
  /** Points at the key itself instead of its value. */
  atKey?: boolean;
}

/** A platform file that cannot be used. The message has one line for each fault: `file:line:column path message`. */
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
