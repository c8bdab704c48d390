import { styleText } from 'node:util';

/** One answer on standard output, as JSON. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

/** Rows below a heading, in columns as wide as they need. Bold only on a terminal that wants it. */
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

/** A moment of ISO 8601 as a table shows it, to the minute. */
export const minuteOf = (moment: string) => moment.slice(0, 16).replace('T', ' ');

/** A size as people read it, in powers of 1,000. */
export function bytesOf(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(size < 1 ? 0 : Math.floor(Math.log10(size) / 3), units.length - 1);
  const value = size / 1000 ** power;
  return `${value.toFixed(power === 0 ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0)} ${units[power]}`;
}

/** Names come from anywhere: nothing in them may steer the terminal. */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{FFFD}');

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u;

/** How many columns a terminal gives a text. */
function widthOf(text: string): number {
  const marks = /\p{M}|\p{Cf}/u;
  return [...text].reduce(
    (width, character) => width + (marks.test(character) ? 0 : wide.test(character) ? 2 : 1),
    0,
  );
}
