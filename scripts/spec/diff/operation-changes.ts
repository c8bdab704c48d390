import { isDeepStrictEqual } from 'node:util';
import type {
  MediaType,
  OperationObject,
  Parameter,
  ResponseObject,
} from '../../../server/src/contract/routes.ts';
import type { Detail } from './change.ts';
import { type Schema, schemaChanges, typeText } from './schema-changes.ts';

type Content = Record<string, MediaType>;

/** How an operation, or the delivery of an event, differs. */
export function operationChanges(before: OperationObject, after: OperationObject): Detail[] {
  const found = [
    ...deprecation(before, after),
    ...permissionChanges(before, after),
    ...parameterChanges(before.parameters ?? [], after.parameters ?? []),
    ...bodyChanges(before, after),
    ...responseChanges(before.responses, after.responses),
  ];
  const sameWords = before.summary === after.summary && before.description === after.description;
  if (!sameWords) found.push({ kind: 'documentation', text: '' });
  return found;
}

function deprecation(before: OperationObject, after: OperationObject): Detail[] {
  if (Boolean(before.deprecated) === Boolean(after.deprecated)) return [];
  return after.deprecated
    ? [{ kind: 'deprecated', text: after.summary ?? '' }]
    : [changed('It is no longer deprecated.')];
}

function permissionChanges(
  { security: before }: OperationObject,
  { security: after }: OperationObject,
): Detail[] {
  if (isDeepStrictEqual(before, after)) return [];
  return [changed(`It asked for ${callersOf(before)} and asks for ${callersOf(after)}.`)];
}

function callersOf(security: OperationObject['security'] = []): string {
  if (security.length === 0) return 'nobody in particular';
  return security
    .map((requirement) =>
      Object.entries(requirement)
        .map(([scheme, roles]) => `${scheme}${roles.length > 0 ? ` with \`${roles.join('`, `')}\`` : ''}`)
        .join(' and '),
    )
    .join(' or ');
}

function parameterChanges(before: Parameter[], after: Parameter[]): Detail[] {
  const nameOf = ({ name, in: place }: Parameter) => `the ${place} parameter \`${name}\``;
  const same = (one: Parameter) => (other: Parameter) => one.name === other.name && one.in === other.in;
  const found: Detail[] = [];
  for (const parameter of after) {
    const previous = before.find(same(parameter));
    const need = parameter.required ? 'required' : 'optional';
    if (!previous) {
      const type = typeText(parameter.schema);
      found.push({ kind: 'added', text: `${nameOf(parameter)} (${type}, ${need})` });
      continue;
    }
    if (Boolean(previous.required) !== Boolean(parameter.required)) {
      found.push(changed(`${capital(nameOf(parameter))} is ${need} now.`));
    }
    found.push(...schemaChanges(previous.schema ?? {}, parameter.schema ?? {}, parameter.name));
  }
  const lost = before.filter((parameter) => !after.some(same(parameter)));
  return [...found, ...lost.map((parameter): Detail => ({ kind: 'removed', text: nameOf(parameter) }))];
}

function bodyChanges(
  { requestBody: before }: OperationObject,
  { requestBody: after }: OperationObject,
): Detail[] {
  if (!before && !after) return [];
  if (!before)
    return [{ kind: 'added', text: `a request body (${after?.required ? 'required' : 'optional'})` }];
  if (!after) return [{ kind: 'removed', text: 'the request body' }];
  const need = after.required ? 'required' : 'optional';
  return [
    ...(Boolean(before.required) === Boolean(after.required) ? [] : [changed(`The body is ${need} now.`)]),
    ...contentChanges(before.content, after.content, 'the body'),
  ];
}

function responseChanges(
  before: Record<string, ResponseObject>,
  after: Record<string, ResponseObject>,
): Detail[] {
  return partChanges(
    before,
    after,
    (status) => `the status ${status}`,
    (old, now, status) => [
      ...partChanges(
        old.headers ?? {},
        now.headers ?? {},
        (name) => `the header \`${name}\` of ${status}`,
        (header, newHeader, name) => [
          ...(Boolean(header.required) === Boolean(newHeader.required)
            ? []
            : [
                changed(
                  `The header \`${name}\` of ${status} is ${newHeader.required ? 'always' : 'not always'} there now.`,
                ),
              ]),
          ...schemaChanges((header.schema ?? {}) as Schema, (newHeader.schema ?? {}) as Schema, name),
        ],
      ),
      ...contentChanges(old.content ?? {}, now.content ?? {}, `the answer ${status}`),
    ],
  );
}

function contentChanges(before: Content, after: Content, owner: string): Detail[] {
  return partChanges(
    before,
    after,
    (type) => `\`${type}\` for ${owner}`,
    ({ schema: old }, { schema: now }) => {
      const [was, is] = [(old ?? {}) as Schema, (now ?? {}) as Schema];
      if (typeText(was) === typeText(is)) return schemaChanges(was, is);
      return [changed(`${capital(owner)} was ${typeText(was)} and is ${typeText(is)}.`)];
    },
  );
}

/** What two records have in common is compared; what one of them lacks was added or removed. */
function partChanges<Part>(
  before: Record<string, Part>,
  after: Record<string, Part>,
  nameOf: (key: string) => string,
  compare: (old: Part, now: Part, key: string) => Detail[],
): Detail[] {
  const found = Object.entries(after).flatMap(([key, part]): Detail[] => {
    const previous = before[key];
    return previous === undefined ? [{ kind: 'added', text: nameOf(key) }] : compare(previous, part, key);
  });
  const lost = Object.keys(before).filter((key) => !(key in after));
  return [...found, ...lost.map((key): Detail => ({ kind: 'removed', text: nameOf(key) }))];
}

function changed(text: string): Detail {
  return { kind: 'changed', text };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
