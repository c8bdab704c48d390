/** When the legacy JWT became deprecated, and when it stops to work: at least 12 months later. */
const deprecatedAt = Date.UTC(2026, 10, 1);
const sunsetAt = Date.UTC(2027, 10, 1);

/** RFC 9745, RFC 8594 and RFC 8288: sent on every answer to a caller known by the legacy JWT. */
export const legacyTokenHeaders: Readonly<Record<string, string>> = {
  Deprecation: `@${deprecatedAt / 1000}`,
  Sunset: new Date(sunsetAt).toUTCString(),
  Link: '</docs/versioning>; rel="deprecation"; type="text/html"',
};
