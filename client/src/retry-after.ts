/** @returns What `Retry-After` (RFC 9110, section 10.2.3) asks to wait from now on; undefined where it says nothing. */
export function retryAfterMilliseconds({ headers }: Response): number | undefined {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
