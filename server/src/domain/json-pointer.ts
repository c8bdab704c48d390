/** A name as the next segment of a JSON Pointer (RFC 6901), with its slash. */
export function pointerTo(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The name that a segment stands for. */
export function nameOf(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The names that a pointer leads through, from the top; none for the whole. */
export function namesIn(pointer: string): string[] {
  return pointer.split('/').slice(1).map(nameOf);
}
