import { namedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { ContractPages } from '../contract/contract-pages.ts';
import { openingOf } from '../pages/guide-pages.ts';
import type { SiteFile } from '../site-files.ts';

const base = namedAddresses.own;

/** A page's Markdown, complete in itself: links are absolute, and the index is named below the title. */
export function standalone(file: SiteFile): SiteFile {
  const body = String(file.body)
    .replaceAll(/\]\(\/(?!\/)/g, `](${base}/`)
    .replace(/^(# .*)\n/, `$1\n\n> All pages are listed in [llms.txt](${base}/llms.txt).\n`);
  return { ...file, body };
}

/**
 * `/llms.txt`, an index of the documentation for language models (https://llmstxt.org), and `/llms-full.txt`, all of it
 * in one file.
 *
 * @param markdown every page's Markdown, in reading order
 */
export function llmsFiles(
  { title, summary, introduction, guides, groups }: ContractPages,
  markdown: SiteFile[],
): SiteFile[] {
  const link = (name: string, path: string, about: string) => `- [${name}](${base}${path}): ${about}`;
  const overview = `# ${title}

> ${summary} ${openingOf(introduction)}

Send the organization token in the header \`Authorization\`, without \`Bearer\`. Every error is \
\`{fingerprint, errors: [{code, message}]}\`: branch on the code. Send an \`Idempotency-Key\` with every POST.

Production is at ${namedAddresses.production}, the sandbox at ${namedAddresses.sandbox}.

Agents can search, describe and call the API over MCP: ${namedAddresses.sandbox}/mcp

## Guides

${link('Introduction', '/docs/index.md', summary)}
${guides.map((guide) => link(guide.title, `/docs/${guide.name}.md`, openingOf(guide.description))).join('\n')}

## Reference

${groups.map((group) => link(group.title, `/docs/reference/${group.name}.md`, group.description)).join('\n')}

## Optional

- [The contract](${base}/openapi.yaml): OpenAPI 3.1, the source of everything above
- [Reference](${base}/docs/reference.md): all operations in one list
- [Changelog](${base}/docs/changelog.md): changes in each release
- [TypeScript client](${base}/docs/client.md): its options, and every method with its errors
- [Frontends in the browser](${base}/docs/frontends.md): your own server, React, errors, languages, single states
- [Downloads](${base}/docs/downloads.md): the contract, clients and collections
- [Everything in one file](${base}/llms-full.txt): all of the pages above
`;
  const whole = markdown.map(({ body }) => String(body).trim()).join('\n\n---\n\n');
  const type = 'text/plain; charset=utf-8';
  return [
    { path: '/llms.txt', type, body: overview },
    { path: '/docs/llms.txt', type, body: overview },
    { path: '/llms-full.txt', type, body: `${whole}\n` },
  ];
}
