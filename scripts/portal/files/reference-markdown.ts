import type { PortalLinks } from '../../../server/src/contract/portal-links.ts';
import type { MediaType, ResponseObject } from '../../../server/src/contract/routes.ts';
import type { Contract } from '../../contract/source.ts';
import type { ContractPages, DescribedRoute, OperationGroup } from '../contract/contract-pages.ts';
import { permissionSentence } from '../contract/permissions.ts';
import { fieldsOf, typeOf } from '../contract/schema-fields.ts';

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
  return `/docs/reference/${group}.md#${operation.operationId.toLowerCase()}`;
}

/** The name in lists: `GET /organizations/users` for an operation, its type for an event. */
export function nameOf({ method, path, isEvent }: DescribedRoute): string {
  return isEvent ? path : `${method.toUpperCase()} ${path}`;
}

function routeMarkdown(contract: Contract, route: DescribedRoute): string {
  const { operation, isEvent } = route;
  const heading = isEvent ? `Event \`${route.path}\`` : `\`${nameOf(route)}\``;
  const facts = isEvent ? [] : [`Operation \`${operation.operationId}\`. ${permissionSentence(route)}.`];
  return [
    // Renderers derive different anchors from a heading.
    `<a id="${operation.operationId.toLowerCase()}"></a>`,
    `## ${operation.summary}: ${heading}`,
    ...(operation.deprecated ? ['**Deprecated.**'] : []),
    ...facts,
    operation.description,
    ...parameters(contract, route),
    ...body(contract, route),
    ...samples(route),
    ...(isEvent ? [] : responses(contract, route)),
  ].join('\n\n');
}

function parameters(contract: Contract, { operation }: DescribedRoute): string[] {
  const described = (operation.parameters ?? []) as {
    name: string;
    in: string;
    description?: string;
    required?: boolean;
    schema?: unknown;
  }[];
  if (described.length === 0) return [];
  const rows = described.map(({ name, in: place, required, schema, description = '' }) => [
    `\`${name}\``,
    place,
    typeOf(contract, schema),
    required ? 'yes' : 'no',
    description,
  ]);
  return ['### Parameters', table(['Name', 'In', 'Type', 'Required', 'Description'], rows)];
}

function body(contract: Contract, { operation, isEvent }: DescribedRoute): string[] {
  const content = Object.entries(operation.requestBody?.content ?? {});
  return content.flatMap(([mediaType, media]) => [
    `### ${isEvent ? 'Body' : 'Request body'}: ${mediaType}`,
    ...fieldTable(contract, media.schema),
    ...firstExample(media),
  ]);
}

function samples({ operation }: DescribedRoute): string[] {
  return (operation['x-codeSamples'] ?? []).flatMap(({ lang, label = lang, source }) => [
    `### ${label}`,
    fence(/^(curl|shell|bash|sh)$/i.test(lang) ? 'sh' : /^t(ype)?s/i.test(lang) ? 'ts' : lang, source.trim()),
  ]);
}

function responses(contract: Contract, { operation }: DescribedRoute): string[] {
  const all = Object.entries(operation.responses);
  const rows = all.map(([status, response]) => [
    status,
    (response as { description?: string }).description ?? '',
    errorCodes(response)
      .map((code) => `\`${code}\``)
      .join(', '),
  ]);
  const successful = all.filter(([status]) => status.startsWith('2'));
  const bodies = successful.flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([mediaType, media]) => [
      `### Response ${status}: ${mediaType}`,
      ...fieldTable(contract, media.schema),
      ...firstExample(media),
    ]),
  );
  return ['### Responses', table(['Status', 'Description', 'Error codes'], rows), ...bodies];
}

/** The error codes of a response: the contract has an example for each. */
export function errorCodes({ content = {} }: ResponseObject): string[] {
  const values = Object.values(content).flatMap(({ examples = {} }) => Object.values(examples));
  const errors = values.flatMap(
    ({ value }) => (value as { errors?: { code: string }[] } | undefined)?.errors ?? [],
  );
  return [...new Set(errors.map(({ code }) => code))];
}

function fieldTable(contract: Contract, schema: unknown): string[] {
  const rows = fieldsOf(contract, schema).map(({ path, type, required, description }) => [
    `\`${path}\``,
    type,
    required ? 'yes' : 'no',
    description,
  ]);
  return rows.length > 0 ? [table(['Field', 'Type', 'Required', 'Description'], rows)] : [];
}

function firstExample({ example, examples = {} }: MediaType): string[] {
  const value = example ?? Object.values(examples)[0]?.value;
  if (value === undefined) return [];
  return [typeof value === 'string' ? fence('', value) : fence('json', JSON.stringify(value, null, 2))];
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
