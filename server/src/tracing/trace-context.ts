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

/**
 * A trace that only the platform knows, for a request without one. Its version is invalid, so that it is never sent: a
 * receiver would take it for one that is not sampled, and record nothing.
 *
 * @param requestId a UUID, which without its hyphens is the trace identifier
 */
export function internalTraceparent(requestId: string): string {
  // A replacement takes as long as the rest of a request's log.
  const at = (from: number, to: number) => requestId.slice(from, to);
  const id = at(0, 8) + at(9, 13) + at(14, 18) + at(19, 23) + at(24, 36);
  return `ff-${id}-${id.slice(16)}-01`;
}

/** @returns the `traceparent` to send to others; undefined if the platform keeps it for itself */
export function sentTraceparent(traceparent: string | null | undefined): string | undefined {
  return traceparent?.startsWith('00') ? traceparent : undefined;
}

/** @param traceparent as `parseTraceparent` or `internalTraceparent` returns it */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}
