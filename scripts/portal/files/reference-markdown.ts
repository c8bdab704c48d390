import type { PortalLinks } from '../../../server/src/contract/portal-links.ts';
import type { Contract } from '../../contract/source.ts';
import type { ContractPages, DescribedRoute, OperationGroup } from '../contract/contract-pages.ts';
import { type Body, type OperationParts, partsOf } from '../contract/operation-parts.ts';
import { permissionSentence } from '../contract/permissions.ts';

/** `/docs/reference.md`: all groups with links to their operations. */
export function referenceOverview({ title, groups }: ContractPages): string {
  const parts = groups.map(({ name, title: heading, description, routes }) => {
    const lines = routes.map(
      (route) => `- [${nameOf(route)}](${markdownOf(name, route)}): ${route.operation.summary}`,
    );
    return `## ${heading}\n\n${description}\n\n${lines.join('\n')}`;
  });
  const samples = 'Quick start sets the [variables of the samples](/docs/quick-start.md).';
  return [`# Reference of the ${title}`, samples, ...parts].join('\n\n').concat('\n');
}

/** `/docs/reference/<group>.md`: the operations or events of one group, in full. */
export function groupMarkdown(contract: Contract, group: OperationGroup, links: PortalLinks): string {
  const parts = [
    `# ${group.title}`,
    group.description,
    ...group.routes.map((route) => routeMarkdown(contract, route)),
  ];
  return links.inText(parts.join('\n\n'), links.toMarkdown).concat('\n');
}

/** The link to an operation or event in the text of its group. */
function markdownOf(group: string, { operation }: DescribedRoute): string {
  return `/docs/reference/${group}.md#${operation.operationId}`;
}

/** The name in lists: `GET /organizations/users` for an operation, its type for an event. */
export function nameOf({ method, path, isEvent }: DescribedRoute): string {
  return isEvent ? path : `${method.toUpperCase()} ${path}`;
}

function routeMarkdown(contract: Contract, route: DescribedRoute): string {
  const { operation, isEvent } = route;
  const parts = partsOf(contract, route);
  const heading = isEvent ? `Event \`${route.path}\`` : `\`${nameOf(route)}\``;
  const facts = isEvent ? [] : [`Operation \`${operation.operationId}\`. ${permissionSentence(route)}.`];
  return [
    // Renderers derive different anchors from a heading.
    `<a id="${operation.operationId}"></a>`,
    `## ${operation.summary}: ${heading}`,
    ...(operation.deprecated ? ['**Deprecated.**'] : []),
    ...facts,
    operation.description,
    ...parameters(parts),
    ...parts.bodies.flatMap((body) => [
      `### ${isEvent ? 'Body' : 'Request body'}: ${body.mediaType}`,
      ...bodyMarkdown(body),
    ]),
    ...samples(route),
    ...(isEvent ? [] : responses(parts)),
  ].join('\n\n');
}

function parameters({ parameters: described }: OperationParts): string[] {
  if (described.length === 0) return [];
  const rows = described.map(({ path, in: place, type, required, description }) => [
    `\`${path}\``,
    place,
    type,
    required ? 'yes' : 'no',
    description,
  ]);
  return ['### Parameters', table(['Name', 'In', 'Type', 'Required', 'Description'], rows)];
}

function samples({ operation }: DescribedRoute): string[] {
  return (operation['x-codeSamples'] ?? []).flatMap(({ lang, label = lang, source }) => [
    `### ${label}`,
    fence(languageOf(lang), source.trim()),
  ]);
}

/** The name of a sample's language in a code fence. */
export function languageOf(lang: string): string {
  const name = lang.toLowerCase();
  return { curl: 'sh', shell: 'sh', typescript: 'ts', javascript: 'js' }[name] ?? name;
}

function responses({ responses: others, errors, headers }: OperationParts): string[] {
  const rows = [
    ...others.map(({ status, description }) => [status, description, '']),
    ...errors.map(({ status, description, codes }) => [
      status,
      description,
      codes.map(({ code }) => `\`${code}\``).join(', '),
    ]),
  ];
  return [
    '### Responses',
    table(['Status', 'Description', 'Error codes'], rows),
    `Headers: ${headers.map(({ name }) => `\`${name}\``).join(', ')}.`,
    ...others.flatMap(({ status, bodies }) =>
      bodies.flatMap((body) => [`### Response ${status}: ${body.mediaType}`, ...bodyMarkdown(body)]),
    ),
  ];
}

function bodyMarkdown({ fields, examples: [example] }: Body): string[] {
  const rows = fields.map(({ path, type, required, description }) => [
    `\`${path}\``,
    type,
    required ? 'yes' : 'no',
    description,
  ]);
  return [
    ...(rows.length > 0 ? [table(['Field', 'Type', 'Required', 'Description'], rows)] : []),
    ...(example ? [fence(example.isJson ? 'json' : '', example.text)] : []),
  ];
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
