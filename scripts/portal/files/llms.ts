import { documentedAddresses } from '../../../server/src/pages/served-addresses.ts';
import type { ContractPages } from '../contract/contract-pages.ts';
import { openingOf } from '../pages/guide-pages.ts';
import type { SiteFile } from '../site-files.ts';

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
  const link = (name: string, path: string, about: string) => `- [${name}](${path}): ${about}`;
  const overview = `# ${title}

> ${summary} ${openingOf(introduction)}

Send the organization token in the header \`Authorization\`, without \`Bearer\`. Every error is \
\`{fingerprint, errors: [{code, message}]}\`: branch on the code. Send an \`Idempotency-Key\` with every POST.

Production is at ${documentedAddresses.production}, the sandbox at ${documentedAddresses.sandbox}.

## Guides

${guides.map((guide) => link(guide.title, `/docs/${guide.name}.md`, openingOf(guide.description))).join('\n')}

## Reference

${groups.map((group) => link(group.title, `/docs/reference/${group.name}.md`, group.description)).join('\n')}

## Optional

- [The contract](/openapi.yaml): OpenAPI 3.1, the source of everything above
- [Changelog](/docs/changelog.md): changes in each release
- [Everything in one file](/llms-full.txt): all of the pages above
`;
  const whole = markdown.map(({ body }) => String(body).trim()).join('\n\n---\n\n');
  const type = 'text/plain; charset=utf-8';
  return [
    { path: '/llms.txt', type, body: overview },
    { path: '/docs/llms.txt', type, body: overview },
    { path: '/llms-full.txt', type, body: `${whole}\n` },
  ];
}
