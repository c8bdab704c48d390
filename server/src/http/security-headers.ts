/** A year, in seconds: what https://hstspreload.org asks for at least. */
const strictTransportSeconds = 31_536_000;

/** Headers that every response of a server carries, by name. */
export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * Against browsers that guess media types, and, if callers reach the server over https, against connections without it
 * (RFC 6797). Subdomains are not included: they need not be ours.
 *
 * @param publicUrl how callers reach the server; undefined for the address that it listens on, which is http
 */
export function securityHeaders(publicUrl?: string): SecurityHeaders {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(publicUrl?.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${strictTransportSeconds}`,
    }),
  };
}
