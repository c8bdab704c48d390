const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A size for people, exact and readable: `104,857,600 bytes (100 MiB)`. */
export function bytesOf(size: number): string {
  const exact = `${size.toLocaleString('en')} bytes`;
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(size, 1)) / 10));
  if (power === 0) return exact;
  const rounded = (size / 1024 ** power).toLocaleString('en', { maximumFractionDigits: 1 });
  return `${exact} (${rounded} ${units[power]})`;
}
