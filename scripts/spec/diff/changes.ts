import { isDeepStrictEqual } from 'node:util';
import { permissionOf, type Route, routesOf, type Schema } from '../../../server/contract/index.ts';
import { withoutDeprecations } from '../../contract/deprecation-guide.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { type Acceptance, judged } from '../breaking/acceptances.ts';
import type { Break } from '../breaking/break.ts';
import { compare } from '../breaking/breaks.ts';
import { aligned } from './aligned.ts';
import { operationParts, type Part, schemaParts, textPart } from './parts.ts';

export const kinds = ['added', 'changed', 'deprecated', 'removed', 'documentation'] as const;

/** `documentation`: only texts and examples changed, which programs ignore. */
export type Kind = (typeof kinds)[number];

/** One difference between two contracts, and where a reader finds it. */
export type Change = {
  kind: Kind;
  subject: 'resource' | 'operation' | 'event' | 'error code' | 'permission' | 'schema' | 'guide' | 'contract';
  /** The operationId, the event type, the code, the name of the schema, the title of the resource or the guide. */
  name: string;
  /** Method and path of an operation, such as `GET /organizations/users`. */
  route?: string;
  /** The title of the resource with which the operation is new or gone. */
  resource?: string;
  /** What differs, in Markdown. Of what is new or gone as a whole: its summary. */
  text: string;
  /** Of values, such as a pattern or a limit, or of when a header is sent: most callers do not notice it. */
  isRule?: true;
};

/** The differences between two contracts, and those that can break a client. */
export type Differences = { changes: Change[]; breaks: Break[] };

/** @throws {AcceptanceError} for an acceptance without its break */
export async function differences(
  released: Contract,
  current: Contract,
  redocly: Redocly,
  accepted: readonly Acceptance[] = [],
): Promise<Differences> {
  const { from, to, breaks } = await compare(released, current, redocly);
  return { changes: changesIn(from, to), breaks: judged(breaks, accepted) };
}

/** Resources first, then operations, events, codes, permissions, schemas, guides and the rest. */
export function changesIn(released: Contract, current: Contract): Change[] {
  const [from, to] = aligned(released, current);
  const changes = [
    ...resourceChanges(from, to),
    ...operationChanges(from, to),
    ...eventChanges(from, to),
    ...nameChanges('error code', codesOf(from), codesOf(to)),
    ...nameChanges('permission', permissionsOf(from), permissionsOf(to)),
    ...schemaChanges(from, to),
    ...guideChanges(from, to),
    ...otherChanges(from, to),
  ];
  // The same may be true of several statuses of an operation.
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

/** The changes of each kind; a kind without changes is omitted. */
export function byKind(changes: Change[]): [Kind, Change[]][] {
  return kinds
    .map((kind): [Kind, Change[]] => [kind, changes.filter((change) => change.kind === kind)])
    .filter(([, some]) => some.length > 0);
}

type Subject = Pick<Change, 'subject' | 'name' | 'route' | 'resource'>;

const usual = { added: 'added', changed: 'changed', removed: 'removed' } as const;
const kindsOf: Record<'part' | NonNullable<Part['kind']>, Record<keyof typeof usual, Kind>> = {
  part: usual,
  rule: { added: 'changed', changed: 'changed', removed: 'changed' },
  deprecated: { added: 'deprecated', changed: 'deprecated', removed: 'changed' },
  documentation: { added: 'documentation', changed: 'documentation', removed: 'documentation' },
};

/** What differs between two versions of the same parts: what is new or gone as a whole is one change. */
function partChanges(subject: Subject, before: Part[], after: Part[]): Change[] {
  const [old, current] = [before, after].map((parts) => new Map(parts.map((part) => [part.key, part])));
  const say = (
    { kind = 'part' as const }: { kind?: keyof typeof kindsOf },
    how: keyof typeof usual,
    text: string | undefined,
  ): Change[] => {
    if (text === undefined) return [];
    return [{ ...subject, kind: kindsOf[kind][how], text, ...(kind === 'rule' && { isRule: true }) }];
  };
  const type = after.find(({ key }) => key === 'type');
  // A value of another type has other parts: they say nothing more.
  const isOfOtherType = type && old?.has('type') && old.get('type')?.value !== type.value;
  if (isOfOtherType && ![...before, ...after].every(isOfAnyType))
    return partChanges(subject, before.filter(isOfAnyType), after.filter(isOfAnyType));
  return [
    ...after.flatMap((part): Change[] => {
      const was = old?.get(part.key);
      if (!was) return say(part, 'added', part.added);
      const isChanged = !isDeepStrictEqual(was.value, part.value);
      return [
        ...(isChanged ? say(part, 'changed', part.changed?.(was)) : []),
        ...partChanges(subject, was.parts ?? [], part.parts ?? []),
      ];
    }),
    ...before.filter(({ key }) => !current?.has(key)).flatMap((part) => say(part, 'removed', part.removed)),
  ];
}

const isOfAnyType = ({ key }: Part) => ['type', 'required', 'deprecated'].includes(key);

type Tag = { name: string; 'x-displayName'?: string; description?: string };

/** The tags of a contract that have operations or events, by name. The others are guides. */
function resourcesOf(contract: Contract): Map<string, Tag> {
  const routes = [...routesOf(contract), ...routesOf(contract, 'webhooks')];
  const used = new Set(routes.flatMap(({ operation }) => operation.tags ?? []));
  return new Map(tagsOf(contract).flatMap((tag) => (used.has(tag.name) ? [[tag.name, tag]] : [])));
}

const tagsOf = (contract: Contract) => (contract['tags'] ?? []) as Tag[];
const titleOf = ({ name, 'x-displayName': title = name }: Tag) => title;

function resourceChanges(from: Contract, to: Contract): Change[] {
  const [before, after] = [resourcesOf(from), resourcesOf(to)];
  const changes = (kind: 'added' | 'removed', some: Map<string, Tag>, others: Map<string, Tag>) =>
    [...some.values()]
      .filter(({ name }) => !others.has(name))
      .map(
        (tag): Change => ({
          kind,
          subject: 'resource',
          name: titleOf(tag),
          text: firstSentence(tag.description),
        }),
      );
  return [...changes('added', after, before), ...changes('removed', before, after)];
}

/** Operations are the same if they have the same method and path, or else the same name. */
function operationChanges(from: Contract, to: Contract): Change[] {
  const [before, after] = [routesOf(from), routesOf(to)];
  const [oldResources, resources] = [resourcesOf(from), resourcesOf(to)];
  const partner = (route: Route, others: Route[], own: Route[]) =>
    others.find((one) => routeText(one) === routeText(route)) ??
    others.find(
      (one) =>
        one.operation.operationId === route.operation.operationId &&
        !own.some((mine) => routeText(mine) === routeText(one)),
    );
  const subjectOf = (route: Route, all = new Map<string, Tag>(), others = all): Subject => {
    const [name = ''] = route.operation.tags ?? [];
    const tag = others.has(name) ? undefined : all.get(name);
    return {
      subject: 'operation',
      name: route.operation.operationId,
      route: routeText(route),
      ...(tag && { resource: titleOf(tag) }),
    };
  };
  const whole = (kind: 'added' | 'removed', subject: Subject, { operation }: Route): Change => ({
    ...{ kind, ...subject },
    text: operation.summary ?? '',
  });
  return [
    ...after.flatMap((route): Change[] => {
      const was = partner(route, before, after);
      if (!was) return [whole('added', subjectOf(route, resources, oldResources), route)];
      const subject = subjectOf(route);
      return [
        ...(routeText(was) === routeText(route)
          ? []
          : [{ ...subject, kind: 'changed' as const, text: `The path was \`${was.path}\`.` }]),
        ...partChanges(subject, operationParts(was.operation), operationParts(route.operation)),
      ];
    }),
    ...before
      .filter((route) => !partner(route, after, before))
      .map((route) => whole('removed', subjectOf(route, oldResources, resources), route)),
  ];
}

function eventChanges(from: Contract, to: Contract): Change[] {
  const [before, after] = [from, to].map(
    (one) => new Map(routesOf(one, 'webhooks').map((route) => [route.path, route])),
  );
  const whole = (kind: 'added' | 'removed', { path, operation }: Route): Change => ({
    ...{ kind, subject: 'event', name: path },
    text: operation.summary ?? '',
  });
  return [
    ...[...(after?.values() ?? [])].flatMap((route) => {
      const was = before?.get(route.path);
      if (!was) return [whole('added', route)];
      const subject: Subject = { subject: 'event', name: route.path };
      return partChanges(subject, operationParts(was.operation), operationParts(route.operation));
    }),
    ...[...(before?.values() ?? [])]
      .filter(({ path }) => !after?.has(path))
      .map((route) => whole('removed', route)),
  ];
}

/** Names that stand for themselves, each with what it means. */
function nameChanges(
  subject: Change['subject'],
  before: Map<string, string>,
  after: Map<string, string>,
): Change[] {
  const changes = (kind: 'added' | 'removed', some: Map<string, string>, others: Map<string, string>) =>
    [...some]
      .filter(([name]) => !others.has(name))
      .map(([name, text]): Change => ({ kind, subject, name, text }));
  return [...changes('added', after, before), ...changes('removed', before, after)];
}

/** The enumeration of the error codes; each code is a subject of its own. */
const codeSchema = 'ErrorCode';

function codesOf(contract: Contract): Map<string, string> {
  const { enum: codes = [], 'x-enumDescriptions': texts = {} } = schemasOf(contract)[codeSchema] ?? {};
  return new Map(codes.map((code) => [String(code), (texts as Record<string, string>)[String(code)] ?? '']));
}

/** Permissions, each with what it allows, as the table in a guide says. */
function permissionsOf(contract: Contract): Map<string, string> {
  const guides = tagsOf(contract)
    .map(({ description = '' }) => description)
    .join('\n');
  const meaning = (permission: string) =>
    new RegExp(`^\\| *\`${permission}\` *\\| *(.*?) *\\|`, 'm').exec(guides)?.[1] ?? '';
  return new Map(
    routesOf(contract)
      .flatMap(({ operation }) => permissionOf(operation) ?? [])
      .map((one) => [one, meaning(one)]),
  );
}

const schemasOf = (contract: Contract) => (contract.components['schemas'] ?? {}) as Record<string, Schema>;

/** A new schema is part of what refers to it; one that is gone leaves clients that name its type. */
function schemaChanges(from: Contract, to: Contract): Change[] {
  const [before, after] = [schemasOf(from), schemasOf(to)];
  return [
    ...Object.entries(after).flatMap(([name, schema]) => {
      const was = before[name];
      if (!was) return [];
      const { enum: _, ...rest } = schema;
      const { enum: __, ...wasRest } = was;
      const [old, current] = name === codeSchema ? [wasRest, rest] : [was, schema];
      const subject: Subject = { subject: 'schema', name };
      return partChanges(subject, schemaParts(old, 'It'), schemaParts(current, 'It'));
    }),
    ...Object.keys(before)
      .filter((name) => !(name in after))
      .map((name): Change => ({ kind: 'removed', subject: 'schema', name, text: '' })),
  ];
}

function guideChanges(from: Contract, to: Contract): Change[] {
  const [before, after] = [from, to].map((contract) => {
    const resources = resourcesOf(contract);
    return new Map(tagsOf(contract).map((tag) => [tag.name, { tag, isGuide: !resources.has(tag.name) }]));
  });
  const change = (kind: Kind, tag: Tag): Change => ({ kind, subject: 'guide', name: titleOf(tag), text: '' });
  return [
    ...[...(after?.values() ?? [])].flatMap(({ tag, isGuide }) => {
      const was = before?.get(tag.name);
      if (!was) return isGuide ? [change('added', tag)] : [];
      return isDeepStrictEqual(written(was.tag), written(tag)) ? [] : [change('documentation', tag)];
    }),
    ...[...(before?.values() ?? [])].flatMap(({ tag, isGuide }) =>
      isGuide && !after?.has(tag.name) ? [change('removed', tag)] : [],
    ),
  ];
}

/** A tag without what follows from the rest of the contract, whose changes are listed themselves. */
const written = (tag: Tag): Tag => ({ ...tag, description: withoutDeprecations(tag.description ?? '') });

/** The rest of the document: how callers identify themselves, servers, and texts. The heading names the versions. */
function otherChanges(from: Contract, to: Contract): Change[] {
  const isText = /^(?:externalDocs|x-.*)$/;
  const text = (key: string, value: unknown): Part[] => {
    const name = `\`${key}\``;
    return [{ key, kind: 'documentation', value, added: name, removed: name, changed: () => name }];
  };
  const rest = ({ paths: _, webhooks: __, components, tags: ___, info, ...others }: Contract): Part[] => [
    ...Object.entries(components['securitySchemes'] ?? {}).map(([name, scheme]): Part => {
      const what = `the credentials \`${name}\``;
      const { description: _text, ...rules } = scheme as Record<string, unknown>;
      const changed = `The credentials \`${name}\` are others now.`;
      return {
        key: name,
        added: what,
        removed: what,
        value: rules,
        changed: () => changed,
        parts: [{ ...textPart(scheme), changed: () => what }],
      };
    }),
    { key: 'servers', value: others['servers'], changed: () => 'The servers have other addresses.' },
    ...Object.entries(info).flatMap(([key, value]) => (key === 'version' ? [] : text(`info.${key}`, value))),
    ...Object.entries(others).flatMap(([key, value]) => (isText.test(key) ? text(key, value) : [])),
  ];
  return partChanges({ subject: 'contract', name: 'contract' }, rest(from), rest(to));
}

const routeText = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

function firstSentence(text = ''): string {
  return /^[^\n]*?\.(?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';
}
