/** A range of bytes, both ends included, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14.2). Multiple ranges, other units and malformed values are ignored,
 * as the RFC permits: the response is the whole file.
 *
 * @param size of the file, in bytes
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const suffix = Number(last);
    if (suffix === 0) return 'unsatisfiable';
    return size === 0 ? 'whole' : { start: Math.max(0, size - suffix), end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}
