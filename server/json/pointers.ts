/** Encodes a name as a JSON Pointer segment (RFC 6901), including its slash. */
export function pointerTo(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Decodes a segment. */
export function nameOf(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The names in a pointer; [] for the whole document. */
export function namesIn(pointer: string): string[] {
  return pointer.split('/').slice(1).map(nameOf);
}
