/** Formats a number of bytes with a decimal unit, such as kB. */
export function formatBytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(size < 1 ? 0 : Math.floor(Math.log10(size) / 3), units.length - 1);
  const value = size / 1000 ** power;
  return `${value.toFixed(power === 0 ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0)} ${units[power]}`;
}
