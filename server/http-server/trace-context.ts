// https://www.w3.org/TR/trace-context/#traceparent-header
const pattern = /^([0-9a-f]{2})(-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/;

/**
 * Validates a `traceparent` header (W3C Trace Context). Later versions are read as far as they equal version 00.
 *
 * @returns it in version 00; undefined if it is invalid
 */
export function parseTraceparent(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, fields, , more] = pattern.exec(header) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return `00${fields}`;
}

/** @param traceparent as `parseTraceparent` returns it */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}
