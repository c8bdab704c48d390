/** Bytes of a file, both ends included, as HTTP counts them. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a `Range` header asks of a file (RFC 9110, section 14.2). Several ranges at once, another unit and
 * what is not well-formed may be ignored, and are: the whole file answers them.
 *
 * @param size bytes of the file
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
