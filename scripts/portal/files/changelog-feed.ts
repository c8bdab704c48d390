import type { PortalLinks } from '../../../server/contract/index.ts';
import { html } from '../../../server/src/domain/html.ts';
import { namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import { summaryOf } from '../../spec/release/notes.ts';
import { anchorOf } from '../contract/release-history.ts';
import { plainText } from '../markdown/marked.ts';
import { renderMarkdown } from '../markdown/render.ts';
import { type ChangelogEntry, feedPath } from '../pages/changelog.ts';
import type { SiteFile } from '../site-files.ts';

/**
 * The releases of the changelog as an Atom feed (RFC 4287). What is not released has no entry: readers of feeds do not
 * show an entry again that changes.
 */
export function changelogFeed(title: string, changelog: ChangelogEntry[], { toPage }: PortalLinks): SiteFile {
  const base = namedAddresses.own;
  const linkTo = (href: string) => new URL(toPage(href), `${base}/docs/changelog`).href;
  const released = changelog.flatMap(({ name, date, text }) =>
    date ? [{ name, updated: `${date}T00:00:00Z`, text }] : [],
  );
  const entries = released.map(({ name, updated, text }) => {
    const address = `${base}/docs/changelog#${anchorOf({ name })}`;
    const { body } = renderMarkdown(text, { title: name, linkTo });
    const content = body.markup.replaceAll(/<a class="anchor"[^>]*>#<\/a>/g, '');
    return html`<entry>
<id>${address}</id>
<title>Version ${name}${/^\W*Security\b/.test(text) && ': security'}</title>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${address}"/>
<summary>${plainText(summaryOf(text).split('\n\n')[0] ?? '')}</summary>
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
