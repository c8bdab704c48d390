import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { CommandError } from '../../../command-line/command.ts';
import type { Contract } from '../../../contract/source.ts';
import { appended, appendedTag } from '../contract-edits.ts';
import type { Draft } from '../draft.ts';
import { draftMatrixLines } from '../matrix.ts';
import { draftPermission, isNewPermission, refusePermission } from '../permission.ts';
import { filled, templatesIn } from '../template.ts';
import { article, camelOfKebab, capital, singular, wordsOf } from '../words.ts';

/** A resource as it is asked for on the command line. */
export type ResourceRequest = {
  /** In the plural: `invoices`, `payment-reminders`. */
  resource: string;
  container: string;
  permission: string;
  /** Of creating, changing and deleting. Default: `permission` */
  changePermission?: string | undefined;
  /** Separated by commas, of `operationNames`. */
  operations: string;
  /** An update with PATCH, which takes only the fields that change, instead of PUT. */
  patch: boolean;
  /** Its text, in one word: `title`. Default: `name` */
  field?: string | undefined;
};

export const operationNames = ['list', 'get', 'create', 'update', 'delete'] as const;

/** The forms of its name that the templates use, and which operations it has. */
type Names = Record<string, string>;

const templates = new URL('templates/', import.meta.url);

/** Keywords of JavaScript and SQL, and the other variables of the templates. */
const reserved = new Set(
  `arguments await break case catch class const continue default delete do else enum export extends false finally for
  function if implements import in interface let new null package private protected public return static super switch
  this true try typeof undefined var void while with yield references actor all at body caller client clock content
  create created data database describe event events expect get given handlers id language list member name names now
  number object organization outcome outsider owner page path query randomUUID refuse remove row rows run size sql statement
  statements stranger test total totals up world`.split(/\s+/),
);

/** Keywords of SQL that no column has unquoted. */
const columnKeywords = new Set(
  'and any column desc end group having limit offset or order table union user when'.split(' '),
);

/** The new files, and the template of each. */
const files: [template: string, file: (names: Names) => string][] = [
  ['paths.yaml', ({ resource }) => `spec/paths/${resource}.yaml`],
  ['schemas.yaml', ({ resource }) => `spec/schemas/${resource}.yaml`],
  ['examples.yaml', ({ resource }) => `spec/examples/${resource}.yaml`],
  ['webhooks.yaml', ({ resource }) => `spec/webhooks/${resource}.yaml`],
  ['migration.ts.txt', ({ migration }) => `server/src/store/migrations/${migration}.ts`],
  ['store.ts.txt', ({ resource }) => `server/src/store/${resource}.ts`],
  ['handlers.ts.txt', ({ resource }) => `server/src/handlers/${resource}.ts`],
  ['endpoint.test.ts.txt', ({ resource }) => `test/endpoints/${resource}.test.ts`],
  ['samples.sh.txt', ({ resource }) => `test/samples/${resource}.sh`],
  ['samples.ts.txt', ({ resource }) => `test/samples/${resource}.ts`],
];

/**
 * Drafts an addressable resource of a workspace: its operations with everything that belongs to them, in ten new files
 * and some lines of existing ones.
 * @returns what its author does next
 * @throws {CommandError} for a name that is not possible or is taken
 */
export function draftResource(
  draft: Draft,
  root: URL,
  request: ResourceRequest,
  contract: Contract,
): string[] {
  const names = namesOf(root, request);
  refuseTaken(draft, names, contract);
  const fill = templatesIn(templates, names, withField(request.field));
  for (const [template, file] of files) {
    draft.set(file(names), fill(template));
  }
  draftTableOfContents(draft, names);
  draft.change('spec/schemas/errors.yaml', (text) => withErrorCode(text, names));
  draft.change('server/src/store/addressable-objects.ts', (text) =>
    text.replace(
      /^\} satisfies/m,
      filled(
        "  {{thing}}Id: { missing: '{{snake}}_not_found', ...inWorkspace('{{table}}') },\n} satisfies",
        names,
      ),
    ),
  );
  draft.change('spec/parameters.yaml', (text) => withParameter(text, names));
  draft.change('spec/responses.yaml', (text) => withMissing(text, names));
  const { permission = '', changePermission = '', thingsWords } = names;
  if (isNewPermission(changePermission) && changePermission !== permission)
    draftPermission(draft, changePermission, `create, change and delete ${thingsWords} of the workspace`);
  if (isNewPermission(permission))
    draftPermission(
      draft,
      permission,
      `${permission === changePermission ? 'use' : 'view'} ${thingsWords} of the workspace`,
    );
  const headers = draft.read('spec/headers.yaml') ?? '';
  if (names['updates'] && !/^VersionETag:/m.test(headers)) draft.change('spec/headers.yaml', withVersion);
  draftMatrixLines(
    draft,
    contract,
    operationIdsOf(names).map((operationId) => ({
      operationId,
      permission: (/^(?:list|get)/.test(operationId) ? names['permission'] : names['changePermission']) ?? '',
      parameters: ['workspaceId'],
    })),
  );
  return fill('remaining.txt').trimEnd().split('\n');
}

/** With the identifier of the object behind the last of another object. */
function withParameter(text: string, names: Names): string {
  const entry = `{{Thing}}Id:
  name: {{thing}}Id
  in: path
  required: true
  description: Identifier of the {{words}}.
  schema: { $ref: schemas/identifiers.yaml#/Uuid }
  example: {{id}}
`;
  return text.replace(/^(?:[A-Z]\w*Id:\n(?: .*\n)+)+/m, (before) => before + filled(entry, names));
}

/** With the 404 of the object behind those of other objects. */
function withMissing(text: string, names: Names): string {
  const entry = `{{Thing}}NotFound:
  description: The organization has no such {{words}}.
  headers: { $ref: headers.yaml#/authenticated }
  content:
    application/json:
      schema: { $ref: schemas/errors.yaml#/Error }
      examples: { {{thing}}NotFound: { $ref: examples/{{resource}}.yaml#/{{thing}}NotFound } }
`;
  return text.replace(/^(?:\w+NotFound:\n(?: .*\n)+)+/m, (before) => before + filled(entry, names));
}

/** With the headers of an object whose version `If-Match` names, for the first resource that needs them. */
function withVersion(text: string): string {
  const [, common = ''] = /^authenticated:\n((?: .*\n)+)/m.exec(text) ?? [];
  return `${text.trimEnd()}
# Those with an object whose version \`If-Match\` names.
versioned:
${common}  ETag: { $ref: '#/VersionETag' }
VersionETag:
  description: >-
    Identifies this version of the object (RFC 9110). It changes with every field. Send it back in \`If-Match\` with a
    change.
  required: true
  schema:
    type: string
    pattern: '^"[\\x21\\x23-\\x7e]+"$'
    minLength: 3
    maxLength: 100
  example: '"83bw0fr8pQ3l19uD4ka0d23OWDboRk5RqJarRVP-Sac"'
`;
}

/**
 * What writes another field into a template, in which nothing else is called `name`.
 * @throws {CommandError} for a word that cannot be a field, a column and a variable
 */
function withField(field = 'name'): (template: string) => string {
  const taken = field !== 'name' && (reserved.has(field) || columnKeywords.has(field));
  if (!/^[a-z]+$/.test(field) || taken)
    throw new CommandError(`"${field}" cannot be its field; choose one word such as title or label.`);
  return (template) => template.replaceAll(/\bname\b/g, field).replaceAll(/Name(?=:|'|Of)/g, capital(field));
}

function operationIdsOf({ Thing, Things, lists, updates, deletes }: Names): string[] {
  return [
    ...(lists ? [`list${Things}`] : []),
    ...[`create${Thing}`, `get${Thing}`],
    ...(updates ? [`update${Thing}`] : []),
    ...(deletes ? [`delete${Thing}`] : []),
  ];
}

/** @throws {CommandError} for a name that is no operation, and without those that all others need */
function chosenOperations(text: string): readonly string[] {
  const chosen = text.split(',').map((name) => name.trim());
  const unknown = chosen.find((name) => !operationNames.some((one) => one === name));
  if (unknown !== undefined)
    throw new CommandError(`"${unknown}" is not one of ${operationNames.join(', ')}.`);
  const missing = ['create', 'get'].filter((name) => !chosen.includes(name));
  if (missing.length > 0)
    throw new CommandError(
      `--operations needs ${missing.join(' and ')}: every test creates an object and reads it.`,
    );
  return chosen;
}

function namesOf(
  root: URL,
  { resource, container, permission, operations, patch, ...asked }: ResourceRequest,
): Names {
  const chosen = chosenOperations(operations);
  const { changePermission = permission } = asked;
  if (patch && !chosen.includes('update')) throw new CommandError('--patch needs update among --operations.');
  const has = (name: string) => (chosen.includes(name) ? 'yes' : '');
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(resource)) {
    throw new CommandError(`"${resource}" is no name of a resource, such as invoices or payment-reminders.`);
  }
  const resources = camelOfKebab(resource);
  const thing = singular(resources);
  if (thing === resources) {
    throw new CommandError(
      `"${resource}" is not a plural; name the resource as invoices or payment-reminders.`,
    );
  }
  if (reserved.has(thing) || reserved.has(resources)) {
    throw new CommandError(
      `"${thing}" is a keyword or a variable of the scaffold; choose another name than ${resource}.`,
    );
  }
  if (container !== 'workspace') {
    throw new CommandError(`"${container}" cannot contain a resource; a resource is --in workspace.`);
  }
  refusePermission(permission);
  refusePermission(changePermission);
  const newPermissions = [...new Set([permission, changePermission])].filter(isNewPermission);
  const allowed = (name: string) => (name === 'can_view_workspace' ? 'member' : 'owner');
  const snake = (name: string) => wordsOf(name).replaceAll(' ', '_');
  const words = wordsOf(thing);
  return {
    resource,
    resources,
    thing,
    permission,
    changePermission,
    words,
    snake: snake(thing),
    table: snake(resources),
    Thing: capital(thing),
    Things: capital(resources),
    thingsWords: wordsOf(resources),
    aThing: article(words),
    AThing: capital(article(words)),
    kebab: words.replaceAll(' ', '-'),
    ENV: snake(thing).toUpperCase(),
    allowed: allowed(permission),
    allowedToChange: allowed(changePermission),
    newPermissions: newPermissions.map((name) => `\`${name}\``).join(' and '),
    migration: `${nextMigration(root)}-${resource}`,
    id: randomUUID(),
    createdEventId: randomUUID(),
    updatedEventId: randomUUID(),
    deletedEventId: randomUUID(),
    lists: has('list'),
    updates: has('update'),
    deletes: has('delete'),
    patches: patch ? 'yes' : '',
    method: patch ? 'patch' : 'put',
    METHOD: patch ? 'PATCH' : 'PUT',
  };
}

/** The number after that of the last migration: `0008`. */
export function nextMigration(root: URL): string {
  const numbers = readdirSync(new URL('server/src/store/migrations/', root)).map((name) =>
    Number.parseInt(name, 10),
  );
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0');
}

function refuseTaken(draft: Draft, names: Names, contract: Contract): void {
  const { resource, table, Thing, thing, snake } = names;
  const taken = (what: string) => {
    throw new CommandError(`${what} exists already; choose another name than ${resource}.`);
  };
  const tags = contract['tags'] as { name: string }[];
  if (tags.some(({ name }) => name === resource)) taken(`the tag ${resource}`);
  const tables = draft.read('generated/tables.ts') ?? '';
  if (new RegExp(`^  ${table}: \\{`, 'm').test(tables)) taken(`the table ${table}`);
  const schemas = contract.components['schemas'] ?? {};
  const schema = [
    Thing,
    `${Thing}Request`,
    `${Thing}Page`,
    `${Thing}Name`,
    `${Thing}Changes`,
    `${Thing}Created`,
    `${Thing}Updated`,
    `${Thing}Deleted`,
  ];
  for (const name of schema) if (name !== undefined && name in schemas) taken(`the schema ${name}`);
  const ids = JSON.stringify(contract.paths);
  for (const id of operationIdsOf(names))
    if (ids.includes(`"operationId":"${id}"`)) taken(`the operation ${id}`);
  const objects = draft.read('server/src/store/addressable-objects.ts') ?? '';
  if (objects.includes(`  ${thing}Id: {`)) taken(`the parameter ${thing}Id`);
  if (JSON.stringify(schemas['ErrorCode']).includes(`"${snake}_not_found"`))
    taken(`the error code ${snake}_not_found`);
  for (const [, file] of files) if (draft.read(file(names)) !== undefined) taken(file(names));
}

function draftTableOfContents(draft: Draft, names: Names): void {
  const entry = 'spec/openapi.yaml';
  const paths = `  /workspaces/{workspaceId}/{{resource}}: { $ref: paths/{{resource}}.yaml#/{{resources}} }
  /{{resource}}/{{{thing}}Id}: { $ref: paths/{{resource}}.yaml#/{{thing}} }
`;
  const webhooks = `  {{snake}}.created: { $ref: webhooks/{{resource}}.yaml#/created }
{{#updates}}
  {{snake}}.updated: { $ref: webhooks/{{resource}}.yaml#/updated }
{{/updates}}
{{#deletes}}
  {{snake}}.deleted: { $ref: webhooks/{{resource}}.yaml#/deleted }
{{/deletes}}
`;
  draft.change(entry, (text) => appended(text, 'paths', filled(paths, names)));
  draft.change(entry, (text) => appended(text, 'webhooks', filled(webhooks, names)));
  const description = filled('The {{thingsWords}} of a workspace.', names);
  draft.change(entry, (text) => appendedTag(text, names['resource'] ?? '', description));
}

/** Puts the code after the last one of its status, and its sentence likewise. */
function withErrorCode(text: string, names: Names): string {
  const code = filled('{{snake}}_not_found', names);
  return text
    .replace(/^( +- )webhook_key_not_found\n/m, `$1${code}\n$&`)
    .replace(/^( +)webhook_key_not_found: /m, `$1${code}: There is no such ${names['words']}.\n$&`);
}
