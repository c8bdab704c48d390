import { createHash } from 'node:crypto';

/** The source of an inline style or script in a Content-Security-Policy. */
export const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of a page that loads nothing, and runs and submits only its own script and forms. */
export function policyOf({ style, script }: { style: string; script: string }): string {
  return [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    `script-src ${digest(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers of a page that neither caches, other pages nor search engines may see. */
export function privateHeaders(policy: string, referrerPolicy: 'no-referrer' | 'same-origin') {
  return {
    'Cache-Control': 'no-store',
    'Referrer-Policy': referrerPolicy,
    'X-Robots-Tag': 'noindex, nofollow',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}
