import { createHash } from 'node:crypto';

const inlineScript = /<script(?:\s[^>]*)?>([\s\S]*?)<\/script>/g;

/**
 * The `Content-Security-Policy` under which the portal is served: nothing is fetched from anywhere, and only the
 * page's own scripts run, each named by its hash.
 */
export function portalPolicy(html: string): string {
  const hashes = [...html.matchAll(inlineScript)].map(([, script = '']) => `'sha256-${sha256(script)}'`);
  return [
    `default-src 'none'`,
    `script-src ${hashes.join(' ')}`,
    // Redoc writes its rules into style elements while it runs.
    `style-src 'unsafe-inline'`,
    `img-src data:`,
    `font-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
