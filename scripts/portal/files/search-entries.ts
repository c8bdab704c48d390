import { errorCodesOf, groupPage, operationPage } from '../../../server/contract/index.ts';
import { startOf } from '../../../server/json/index.ts';
import type { Entry } from '../../../server/src/pages/search-index.js';
import type { Contract } from '../../contract/source.ts';
import { type ContractPages, type DescribedRoute, permissionOf } from '../contract/contract-pages.ts';
import { fieldsOf } from '../contract/schema-fields.ts';
import { plainText } from '../markdown/marked.ts';
import type { ProsePage } from '../pages/guide-pages.ts';
import { nameOf } from './reference-markdown.ts';

/** Longer texts are cut: a result shows one line. */
const maximumText = 1500;

/** Every section of every page of prose, every group, operation and event. */
export function searchEntries(contract: Contract, pages: ContractPages, prose: ProsePage[]): Entry[] {
  const sections = prose.flatMap(({ path, title, sections }) =>
    sections.map((section) => ({
      title: section.title,
      where: section.kind === 'page' ? 'Guide' : title,
      href: section.id ? `${path}#${section.id}` : path,
      keys: section.kind === 'page' ? path.replace(/^.*\//, '') : '',
      text: searchable(section.text),
    })),
  );
  const groups = pages.groups.flatMap(({ name, title, description, routes }) => [
    { title, where: 'Reference', href: groupPage(name), keys: name, text: plainText(description) },
    ...routes.map((route) => routeEntry(contract, route, title)),
  ]);
  return [...sections, ...groups];
}

function routeEntry(contract: Contract, route: DescribedRoute, group: string): Entry {
  const { operation, isEvent } = route;
  const { operationId, summary, description, tags, parameters = [], requestBody, responses } = operation;
  const permission = permissionOf(operation);
  const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
    Object.values(body?.content ?? {}),
  );
  const fields = bodies.flatMap(({ schema }) =>
    fieldsOf(contract, schema).map(({ path }) => path.replace(/^.*\./, '')),
  );
  const codes = Object.values(responses).flatMap(errorCodesOf);
  const keys = [
    nameOf(route),
    operationId,
    ...(isEvent || permission === 'public' ? [] : permission),
    ...parameters.map(({ name }) => name),
    ...new Set([...fields, ...codes]),
  ];
  return {
    title: isEvent ? `${route.path}: ${summary}` : summary,
    where: isEvent ? 'Event' : group,
    href: operationPage(tags[0] ?? '', operationId),
    keys: keys.join(' '),
    text: searchable(`${isEvent ? '' : `${nameOf(route)}. `}${plainText(description)}`),
  };
}

/** A text in one line, cut after a word if it is too long. */
function searchable(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  if (line.length <= maximumText) return line;
  const end = line.lastIndexOf(' ', maximumText);
  return `${end > 0 ? line.slice(0, end) : startOf(line, maximumText)} …`;
}
