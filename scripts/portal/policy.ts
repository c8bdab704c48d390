import { createHash } from 'node:crypto';

/** What a page needs beyond its own scripts, styles and data. */
export interface PolicyNeeds {
  /** The texts of scripts that stand in the page; each is named by its hash. */
  scripts?: string[];
  /** Style elements that scripts write while they run. */
  inlineStyles?: boolean;
  /** Origins that the page's scripts may call besides their own. */
  calls?: string[];
}

/**
 * The `Content-Security-Policy` of a page of the portal: everything comes from the portal itself, nothing from
 * anywhere else.
 */
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
