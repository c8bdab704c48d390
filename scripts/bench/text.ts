import type { Spread } from './statistics.ts';

/** Aligns the first column left and the others right. An empty row is a blank line. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats a number with about three significant digits. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

/** `1.04 (0.98–1.11)`: the median, and the quartiles. */
export function spread({ lower, median, upper }: Spread): string {
  return `${median.toFixed(2)} (${lower.toFixed(2)}–${upper.toFixed(2)})`;
}
