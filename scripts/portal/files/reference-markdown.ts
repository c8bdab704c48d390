import type { PortalLinks } from '../../../server/contract/index.ts';
import type { Contract } from '../../contract/source.ts';
import {
  type ContractPages,
  type DescribedRoute,
  namedServers,
  type OperationGroup,
} from '../contract/contract-pages.ts';
import {
  type Body,
  type Header,
  type OperationParts,
  ownParts,
  type SharedParts,
} from '../contract/operation-parts.ts';
import { permissionSentence } from '../contract/permissions.ts';
import type { Direction, Field } from '../contract/schema-fields.ts';

/** `/docs/reference.md`: all groups with links to their operations. */
export function referenceOverview(
  contract: Contract,
  { title, groups }: ContractPages,
  shared: SharedParts,
): string {
  const parts = groups.map(({ name, title: heading, description, routes }) => {
    const lines = routes.map(
      (route) => `- [${nameOf(route)}](${markdownOf(name, route)}): ${route.operation.summary}`,
    );
    return `## ${heading}\n\n${description}\n\n${lines.join('\n')}`;
  });
  const samples = 'Quick start sets the [variables of the samples](/docs/quick-start.md).';
  const routes = groups.flatMap((group) => group.routes);
  const events = routes.filter(({ isEvent }) => isEvent).length;
  return [
    `# Reference of the ${title}`,
    `${routes.length - events} operations and ${events} events.`,
    samples,
    namedServers(contract)
      .map(({ url, description = '' }) => `- ${description} ${url}`)
      .join('\n'),
    ...parts,
    '## Response headers',
    'Most responses have these headers. Each operation lists the others that it returns.',
    shared.headers.map(headerLine).join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** `/docs/reference/<group>.md`: the operations or events of one group, in full. */
export function groupMarkdown(
  contract: Contract,
  group: OperationGroup,
  links: PortalLinks,
  shared: SharedParts,
): string {
  const firstEvent = group.routes.findIndex(({ isEvent }) => isEvent);
  const parts = [
    `# ${group.title}`,
    group.description,
    ...group.routes.flatMap((route, index) => [
      ...(index === firstEvent ? [everyEvent(shared)] : []),
      routeMarkdown(contract, route, shared),
    ]),
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

/** What all events have, listed once. */
function everyEvent({ parameters: headers, fields }: SharedParts): string {
  return [
    '## Every event',
    'Every event has these headers and fields. Each event lists the others that it has.',
    ...parameters(headers, 'received'),
    '### Body',
    fieldTable(fields, 'received'),
  ].join('\n\n');
}

function routeMarkdown(contract: Contract, route: DescribedRoute, shared: SharedParts): string {
  const { operation, isEvent } = route;
  const direction = isEvent ? 'received' : 'sent';
  const parts = ownParts(contract, route, shared);
  const heading = isEvent ? `Event \`${route.path}\`` : `\`${nameOf(route)}\``;
  const versions = [route.history?.added, route.history?.changed?.text].filter(Boolean).join(' ');
  const facts = isEvent ? [] : [`Operation \`${operation.operationId}\`. ${permissionSentence(route)}.`];
  return [
    // Renderers derive different anchors from a heading.
    `<a id="${operation.operationId}"></a>`,
    `## ${operation.summary}: ${heading}`,
    ...(operation.deprecated ? ['**Deprecated.**'] : []),
    ...facts,
    ...(versions ? [versions] : []),
    operation.description,
    ...parameters(parts.parameters, direction),
    ...parts.bodies.flatMap((body) => [
      `### ${isEvent ? 'Body' : 'Request body'} ${body.mediaType}`,
      ...bodyMarkdown(body, direction),
    ]),
    ...samples(route),
    ...(isEvent ? [] : responses(parts)),
  ].join('\n\n');
}

function parameters(described: OperationParts['parameters'], direction: Direction): string[] {
  if (described.length === 0) return [];
  const fields = described.map((one) => ({ ...one, type: `${one.in}, ${one.type}` }));
  return [direction === 'sent' ? '### Parameters' : '### Headers', fieldTable(fields, direction)];
}

/** The type reads as on the page: what is sent is marked if it is required, what is received if it can be missing. */
function fieldTable(fields: Field[], direction: Direction): string {
  const rows = fields.map(({ path, type, required, description }) => {
    const mark = direction === 'sent' ? required && ' required' : !required && ' optional';
    return [`\`${path}\``, `${type}${mark || ''}`, description];
  });
  return table(['Name', 'Type', 'Description'], rows);
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
  return [
    ...others.flatMap(({ status, description, bodies }) => [
      `### Response ${status}`,
      description,
      ...bodies.flatMap((body) => [`Media type: ${body.mediaType}`, ...bodyMarkdown(body, 'received')]),
    ]),
    ...(errors.length > 0 ? ['### Errors', errors.flatMap(errorLines).join('\n')] : []),
    '### Response headers',
    ...(headers.length > 0 ? [headers.map(headerLine).join('\n')] : []),
    `${headers.length > 0 ? 'And the' : 'The'} [headers of most responses](/docs/reference.md).`,
  ];
}

function headerLine({ name, description, statuses }: Header): string {
  return `- \`${name}\` ${statuses.length < 4 ? `${statuses.join(', ')}: ` : ''}${description}`;
}

function errorLines({ status, codes }: OperationParts['errors'][number]): string[] {
  return codes.map(({ code, meaning }) => `- ${status}: \`${code}\` ${meaning}`);
}

function bodyMarkdown({ fields, examples: [example] }: Body, direction: Direction): string[] {
  return [
    ...(fields.length > 0 ? [fieldTable(fields, direction)] : []),
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
