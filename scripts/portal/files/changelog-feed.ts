import type { PortalLinks } from '../../../server/contract/index.ts';
import { html } from '../../../server/src/domain/html.ts';
import { namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import { renderMarkdown } from '../markdown/render.ts';
import type { SiteFile } from '../site-files.ts';

export const feedPath = '/docs/changelog.atom';

/**
 * The releases of the changelog as an Atom feed (RFC 4287). What is not released has no entry: readers of feeds do not
 * show an entry again that changes.
 *
 * @param markdown the changelog, with a `##` for each release
 * @param dates of the releases, by version
 */
export function changelogFeed(
  title: string,
  markdown: string,
  dates: Record<string, string>,
  { toPage }: PortalLinks,
): SiteFile {
  const base = namedAddresses.own;
  const linkTo = (href: string) => new URL(toPage(href), `${base}/docs/changelog`).href;
  const released = markdown.split(/^## /m).flatMap((text) => {
    const [version = '', ...lines] = text.split('\n');
    const date = dates[version];
    return date ? [{ version, updated: `${date}T00:00:00Z`, text: lines.join('\n') }] : [];
  });
  const entries = released.map(({ version, updated, text }) => {
    const address = `${base}/docs/changelog#${version.replaceAll('.', '-')}`;
    const { body } = renderMarkdown(text, { title: version, linkTo });
    const content = body.markup.replaceAll(/<a class="anchor"[^>]*>#<\/a>/g, '');
    return html`<entry>
<id>${address}</id>
<title>Version ${version}</title>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${address}"/>
<content type="html">${content}</content>
</entry>
`;
  });
  const feed = html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${base}${feedPath}</id>
<title>${title}: changelog</title>
<updated>${released[0]?.updated ?? '1970-01-01T00:00:00Z'}</updated>
<author><name>${title}</name></author>
<link rel="self" type="application/atom+xml" href="${base}${feedPath}"/>
<link rel="alternate" type="text/html" href="${base}/docs/changelog"/>
${entries}</feed>
`;
  return { path: feedPath, type: 'application/atom+xml; charset=utf-8', body: feed.markup };
}
