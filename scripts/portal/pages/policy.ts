import { createHash } from 'node:crypto';

/** What a page needs beyond the portal's own files. */
export interface PolicyNeeds {
  /** The texts of inline scripts; each is allowed by its hash. */
  scripts?: string[];
  /** Whether scripts add style elements. */
  inlineStyles?: boolean;
  /** Origins that the page's scripts may call besides their own. */
  calls?: string[];
}

/** The `Content-Security-Policy` of a page: by default, it loads nothing from other origins. */
export function portalPolicy({ scripts = [], inlineStyles = false, calls = [] }: PolicyNeeds = {}): string {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    `default-src 'none'`,
    ['script-src', `'self'`, ...hashes].join(' '),
    `style-src 'self'${inlineStyles ? ` 'unsafe-inline'` : ''}`,
    ['connect-src', `'self'`, ...calls].join(' '),
    `img-src 'self' data:`,
    `font-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
