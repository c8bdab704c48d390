/** One year, in seconds: the minimum of https://hstspreload.org. */
const strictTransportSeconds = 31_536_000;

/** Headers of every response, by name. */
export type SecurityHeaders = Readonly<Record<string, string>>;

/**
 * Disables media type sniffing and, if callers use https, enforces it (RFC 6797). Subdomains are not included,
 * because they may belong to others.
 *
 * @param publicUrl the URL that callers use; undefined: the address that the server listens on, which is http
 */
export function securityHeaders(publicUrl?: string): SecurityHeaders {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(publicUrl?.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${strictTransportSeconds}`,
    }),
  };
}
