import { styleText } from 'node:util';

export function printJson(value: unknown): void {
  console.log(jsonOf(value, 2));
}

/** JSON with control characters escaped, those included that JSON allows. */
export const jsonOf = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space).replaceAll(
    /[\u007f-\u009f\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

interface ListFormat<Entry> {
  /** `--json` */
  json: true | undefined;
  /** The message, on standard error, for an empty list. */
  empty: string;
  /** The headings, and the cell of an entry in each column. */
  columns: Record<string, (entry: Entry) => string | number>;
}

/** Prints a list as JSON or as a table. */
export function printList<Entry>(entries: Entry[], { json, empty, columns }: ListFormat<Entry>): void {
  if (json) printJson(entries);
  else if (entries.length === 0) console.error(empty);
  else {
    const cells = Object.values(columns);
    const rows = entries.map((entry) => cells.map((cell) => cell(entry)));
    printTable(Object.keys(columns), rows);
  }
}

/** Aligns the columns; numbers to the right. The heading is bold if the terminal supports it. */
export function printTable(columns: string[], rows: (string | number)[][]): void {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? String(cell) : printable(cell))),
  );
  const widths = columns.map((column, index) =>
    Math.max(...[column, ...cells.map((row) => row[index] ?? '')].map(widthOf)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] as number) - widthOf(cell));
        return typeof rows[0]?.[index] === 'number' ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  console.log(styleText('bold', line(columns), { stream: process.stdout }));
  for (const row of cells) console.log(line(row));
}

/** Shortens an ISO 8601 timestamp to the minute. */
export const formatMinute = (timestamp: string) => timestamp.slice(0, 16).replace('T', ' ');

/** Replaces control characters: a name may contain escape sequences for the terminal. */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{FFFD}');

/** The same for a text of several lines. */
export const printableLines = (text: string) => text.split('\n').map(printable).join('\n');

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/** The number of terminal columns that a text takes. */
function widthOf(text: string): number {
  const marks = /\p{M}|\p{Cf}/u;
  return [...text].reduce(
    (width, character) => width + (marks.test(character) ? 0 : wide.test(character) ? 2 : 1),
    0,
  );
}

const progressMilliseconds = process.stderr.isTTY ? 2_000 : 20_000;

/** Prints the progress of a long command on standard error, every two seconds at most, or every 20 in a log. */
export function progressPrinter(json: true | undefined): (text: () => string) => void {
  let printed = performance.now();
  return (text) => {
    if (json || performance.now() - printed < progressMilliseconds) return;
    printed = performance.now();
    console.error(text());
  };
}
