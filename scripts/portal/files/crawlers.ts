import { html } from '../../../server/src/domain/html.ts';
import { namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { SiteFile } from '../site-files.ts';

/** `/robots.txt` and `/sitemap.xml`: search engines find the pages of production's portal, and nothing else. */
export function crawlerFiles(pages: readonly SiteFile[]): SiteFile[] {
  const base = namedAddresses.production;
  const robots = `User-agent: *
Allow: /docs
Allow: /llms
Disallow: /
Sitemap: ${base}/sitemap.xml
`;
  const sitemap = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ path }) => html`<url><loc>${base}${path}</loc></url>\n`)}</urlset>
`;
  return [
    { path: '/robots.txt', type: 'text/plain; charset=utf-8', body: robots },
    { path: '/sitemap.xml', type: 'application/xml; charset=utf-8', body: sitemap.markup },
  ];
}
