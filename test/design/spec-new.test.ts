import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { permissions } from '../../generated/operations.ts';
import { CommandError } from '../../scripts/command-line/command.ts';
import { regionsOf, typeScriptSamples } from '../../scripts/generate/samples/read.ts';
import { draftOf } from '../../scripts/spec/new/draft.ts';
import { draftField, type FieldRequest } from '../../scripts/spec/new/field/field.ts';
import { draftOperation } from '../../scripts/spec/new/operation/operation.ts';
import { type Asked, type Plan, planOf } from '../../scripts/spec/new/operation/plan.ts';
import {
  draftResource,
  operationNames,
  type ResourceRequest,
} from '../../scripts/spec/new/resource/resource.ts';

const root = new URL('../../', import.meta.url);
const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const plan = (name: string, asked: Partial<Asked> = {}) =>
  planOf(root, { name, permission: 'can_view_workspace', ...asked }, contract, permissions);

/** What each file gains at its end. */
function gained(plan: Plan): (file: string) => string {
  const draft = draftOf(root);
  draftOperation(draft, plan, contract);
  return (file) => {
    const { before = '', after = '' } = draft.changes().find((change) => change.file === file) ?? {};
    return after.slice(after.startsWith(before) ? before.length : 0);
  };
}

test('spec:new operation derives method, path and schemas from the names', () => {
  expect(plan('payment-reminders/listPaymentReminders')).toEqual({
    resource: 'payment-reminders',
    isNewResource: true,
    operationId: 'listPaymentReminders',
    method: 'get',
    path: '/payment-reminders',
    parameters: [],
    permission: 'can_view_workspace',
    addressables: {},
    thing: 'PaymentReminder',
    verb: 'list',
    isList: true,
    isAction: false,
    result: {
      schema: 'PaymentReminder',
      isList: true,
      example: 'paymentReminderList',
      exampleFile: '../examples/payment-reminders.yaml',
    },
  });
  const { method, result, body } = plan('companies/createCompany');
  expect([method, result?.schema, body?.schema]).toEqual(['post', 'Company', 'CompanyRequest']);
});

test('spec:new operation adds a method to the item of an existing path', () => {
  const draft = draftOf(root);
  draftOperation(
    draft,
    plan('users/patchUser', { method: 'patch', path: '/organizations/users/{userId}' }),
    contract,
  );
  const files = draft.changes().map(({ file }) => file);
  expect(files).toContain('spec/paths/users.yaml');
  expect(files).not.toContain('spec/openapi.yaml');
});

test('spec:new operation reuses a schema of the resource with an existing example', () => {
  const { result } = plan('users/findUser', { path: '/organizations/users/latest' });
  expect(result).toMatchObject({
    schema: 'User',
    exampleFile: '../examples/users.yaml',
    existing: { id: expect.any(String) },
  });
});

test('spec:new operation treats a verb that creates nothing as an action: no request body, and the object as the response', () => {
  const archive = plan('users/archiveUser', {
    method: 'post',
    path: '/organizations/users/{userId}/archive',
  });
  expect(archive).toMatchObject({ isAction: true, result: { schema: 'User' } });
  expect(archive.body).toBeUndefined();
  const texts = gained(archive);
  const text = texts('spec/paths/users.yaml');
  expect(text).toContain('summary: Archive a user');
  expect(text).toContain("'200':");
  expect(text).not.toMatch(/'201'|InvalidRequest|can_view_workspace`/);
  expect(texts('server/src/store/users.ts')).toContain("{ kind: 'archived'; user: User }");
  expect(texts('test/endpoints/users.test.ts')).toContain('archives the user');
});

test('finds the handlers of a resource however they are made, and gives its test the callers that it uses', () => {
  const links = gained(plan('links/previewLink', { method: 'get', path: '/link/preview' }));
  expect(links('server/src/handlers/links.ts')).toMatch(
    /\n {2}return \{\n {4}createLink: [\s\S]*\n {2}async previewLink\([^}]*\}\) \{[\s\S]*\n {2}\};\n\};\n/,
  );
  expect(links('test/endpoints/links.test.ts')).toMatch(/\nconst \{ owner,[^}]* outsider \} = api;/);
  const users = gained(
    plan('users/archiveUser', { method: 'post', path: '/organizations/users/{userId}/archive' }),
  );
  expect(users('test/endpoints/users.test.ts')).toMatch(/\nconst \{ owner,[^}]* outsider \} = platform;/);
});

test('spec:new operation names handlers, examples and schemas in the house style', () => {
  expect(plan('expenses/listExpenses').thing).toBe('Expense');
  const example = gained(plan('invoices/createInvoice'))('spec/examples/invoices.yaml');
  expect(example).toContain("createdDateTime: '2026-11-16T08:30:00.000Z'");
});

test('spec:new operation writes a cURL and a TypeScript sample that run unchanged', () => {
  const invoices = plan('invoices/createInvoice', { path: '/workspaces/{workspaceId}/invoices' });
  const texts = gained(invoices);
  const samples = regionsOf(texts('test/samples/invoices.sh'));
  expect(samples['createInvoice']).toBe(
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
      'curl --path-as-is "$WRP_BASE_URL/workspaces/${WORKSPACE_ID:?}/invoices" \\',
      '  -H "Authorization: $WRP_TOKEN" \\',
      '  -H "Content-Type: application/json" \\',
      '  -H "Idempotency-Key: create-invoice-$RANDOM" \\',
      `  -d '{"name": "First"}'`,
    ].join('\n'),
  );
  expect(
    typeScriptSamples(texts('test/samples/invoices.ts'))['createInvoice'],
  ).toBe(`import { createClient, unwrap } from '@wrp/client';

const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
const workspaceId = process.env.WORKSPACE_ID!;

const invoice = await unwrap(client.POST('/workspaces/{workspaceId}/invoices', { params: { path: { workspaceId } }, body: {"name":"First"} }));
console.log(invoice);`);
});

test.each<[message: string, name: string, asked?: Partial<Asked>]>([
  ['"invoices" is not <resource>/<operationId>, such as invoices/listInvoices.', 'invoices'],
  ['"Invoices/listInvoices" is not <resource>/<operationId>', 'Invoices/listInvoices'],
  ['"../x/listX" is not <resource>/<operationId>', '../x/listX'],
  ['"list" is not a verb and a noun', 'invoices/list'],
  ['"list_all" is not a verb and a noun', 'invoices/list_all'],
  ['listUsers exists already: GET /organizations/users.', 'users/listUsers'],
  ['GET /organizations/users exists already: listUsers.', 'users/findUser', { path: '/organizations/users' }],
  [
    'GET /organizations/users/{userId} exists already: getUser.',
    'users/findThing',
    { path: '/organizations/users/{userId}' },
  ],
  ['/link belongs to links; call it links/getThing.', 'things/getThing', { path: '/link' }],
  ['"quick-start" is the name of a guide', 'quick-start/getThing'],
  ['User is a schema in spec/schemas/users.yaml', 'people/findUser'],
  ['{thingId} is no addressable object', 'things/getThing', { path: '/things/{thingId}' }],
  ['{recordId} needs {tableId} before it.', 'things/getThing', { path: '/things/{recordId}' }],
  ['"/Things" is not a path in lower case', 'things/getThing', { path: '/Things' }],
  ['"things" is not a path', 'things/getThing', { path: 'things' }],
  ['the method of frobThing is unclear', 'things/frobThing'],
  ['GET /invoices does not name one object', 'invoices/getInvoice'],
  [
    'DELETE /workspaces/{workspaceId}/invoices does not name one object; use a path with a parameter, such as',
    'bills/deleteInvoice',
    { path: '/workspaces/{workspaceId}/invoices' },
  ],
  ['"fetch" is not a method', 'things/getThing', { method: 'fetch' }],
  ['"can_fly" is not a permission; the permissions are can_', 'things/getThing', { permission: 'can_fly' }],
])('refuses: %s', (message, name, asked) => {
  expect(() => plan(name, asked)).toThrow(CommandError);
  expect(() => plan(name, asked)).toThrow(message);
});

describe('a resource', () => {
  const resource = (name: string, asked: Partial<ResourceRequest> = {}) => {
    const draft = draftOf(root);
    const request = {
      ...{ resource: name, container: 'workspace', permission: 'can_view_workspace' },
      ...{ operations: operationNames.join(','), patch: false },
      ...asked,
    };
    draftResource(draft, root, request, contract);
    return draft.changes();
  };

  test('adds ten files, and lines to others; without updates, none about versions', () => {
    const changes = resource('payment-reminders');
    expect(changes.filter(({ before }) => before === undefined)).toHaveLength(10);
    expect(changes.filter(({ before }) => before !== undefined).map(({ file }) => file)).toEqual([
      'spec/openapi.yaml',
      'spec/schemas/errors.yaml',
      'server/src/store/addressable-objects.ts',
      'spec/parameters.yaml',
      'spec/responses.yaml',
      ...('VersionETag' in (contract.components['headers'] ?? {}) ? [] : ['spec/headers.yaml']),
      'test/sweeps/authorization-matrix.txt',
    ]);
    const store = changes.find(({ file }) => file === 'server/src/store/payment-reminders.ts');
    expect(store?.after).toContain("insertInto('payment_reminders')");
    const fewer = resource('payment-reminders', { operations: 'get, create' });
    expect(fewer.map(({ file }) => file)).not.toContain('spec/headers.yaml');
    const added = fewer.filter(({ before }) => before === undefined);
    expect(JSON.stringify(added)).not.toMatch(
      /(?:list|update|delete)PaymentReminders?\b|\.updated|\.deleted/,
    );
  });

  test('has its text under the name that is asked for', () => {
    const added = resource('payment-reminders', { field: 'title' }).filter(
      ({ before }) => before === undefined,
    );
    const all = added.map(({ after }) => after).join('\n');
    expect(all).not.toMatch(/\bname\b|Name\b|newName/);
    expect(all).toContain("title: { $ref: '#/PaymentReminderTitle' }");
  });

  test('adds a permission that is new, and who may call what with it', () => {
    const changes = resource('payment-reminders', { changePermission: 'can_send_reminders' });
    const after = (file: string) => changes.find((change) => change.file === file)?.after;
    expect(after('spec/guides/authentication.md')).toMatch(
      /\| `can_send_reminders` \| create, change and delete payment reminders of the workspace \|/,
    );
    expect(after('server/src/domain/grants.ts')).toMatch(/ {2}can_send_reminders: 'workspace',\n\}/);
    const cells = (operation: string) =>
      new RegExp(`^${operation} +(.*)$`, 'm').exec(after('test/sweeps/authorization-matrix.txt') ?? '')?.[1];
    expect(cells('listPaymentReminders')).toMatch(/^can_view_workspace +yes +yes +yes +yes +yes +yes/);
    expect(cells('createPaymentReminder')).toMatch(/^can_send_reminders +yes +yes +403 +403 +403 +yes/);
  });

  test.each<[message: string, name: string, asked?: Partial<ResourceRequest>]>([
    ['"Invoices" is no name of a resource', 'Invoices'],
    ['"invoice" is not a plural', 'invoice'],
    ['"class" is a keyword', 'classes'],
    ['the tag users exists already', 'users'],
    ['the table threads exists already', 'threads'],
    ['"table" cannot contain a resource', 'invoices', { container: 'table' }],
    [
      '"remove" is not one of list, get, create, update, delete.',
      'invoices',
      { operations: 'create,remove' },
    ],
    ['--operations needs get', 'invoices', { operations: 'create,list' }],
    ['--patch needs update', 'invoices', { operations: 'create,get', patch: true }],
    ['"order" cannot be its field', 'invoices', { field: 'order' }],
    ['"dueDate" cannot be its field', 'invoices', { field: 'dueDate' }],
    ['"data" cannot be its field', 'invoices', { field: 'data' }],
    ['Did you mean `can_view_workspace`?', 'invoices', { permission: 'can_veiw_workspace' }],
    ['"edit_invoices" is no permission on workspaces', 'invoices', { changePermission: 'edit_invoices' }],
    ['"can_manage_users" is no permission on workspaces', 'invoices', { permission: 'can_manage_users' }],
  ])('refuses: %s', (message, name, asked) => {
    expect(() => resource(name, asked)).toThrow(CommandError);
    expect(() => resource(name, asked)).toThrow(message);
  });
});

describe('a field', () => {
  const field = (name: string, type = 'string', limits: Partial<FieldRequest> = {}) => {
    const draft = draftOf(root);
    draftField(draft, root, { name, type, ...limits }, contract);
    return draft.changes();
  };

  test('changes five files', () => {
    expect(field('users/alias').map(({ file }) => file)).toEqual([
      'spec/schemas/users.yaml',
      expect.stringMatching(/^server\/src\/store\/migrations\/\d{4}-users-alias\.ts$/),
      'server/src/store/users.ts',
      'spec/examples/users.yaml',
      'test/endpoints/users.test.ts',
    ]);
  });

  test('has the limits and the example that are asked for', () => {
    const [schema, , store, examples] = field('users/tier', 'string', {
      enum: 'gold,silver',
      example: 'silver',
    });
    expect(schema?.after).toMatch(/ {4}tier:\n.*\n {6}type: string\n {6}enum: \[gold, silver\]\n/);
    expect(store?.after).toContain("tier: row.tier as NonNullable<User['tier']>");
    expect(examples?.after).toContain('tier: silver\n');
    const [required, migration, mapping, all] = field('users/plate', 'string', {
      isRequired: true,
      example: "D'B",
    });
    expect(required?.after).toMatch(/^User:\n(?: .*\n)*? {2}required: \[.*, plate\]\n/m);
    expect(migration?.after).toContain("add column plate text not null default 'D''B'`");
    expect(mapping?.after).toContain('    plate: row.plate,\n');
    const count = (word: RegExp) => all?.after.match(word)?.length;
    expect(count(/^ +plate: /gm)).toBe(count(/^ +idpId: /gm));
    const [bounded] = field('users/plate', 'string', { pattern: "^[A-Z']+$", example: "A'B" });
    expect(bounded?.after).toContain("pattern: '^[A-Z'']+$'");
  });

  test.each<[message: string, name: string, type?: string, limits?: Partial<FieldRequest>]>([
    ['a limit is invalid: Invalid regular expression', 'users/plate', 'string', { pattern: '(' }],
    ['the example "First" must match pattern', 'users/plate', 'string', { pattern: '^[0-9]+$' }],
    ['the example "First" must match format "email"', 'users/mail', 'string', { format: 'email' }],
    ['a limit is invalid: unknown format "mail"', 'users/mail', 'string', { format: 'mail' }],
    ['--enum needs at least two values', 'users/tier', 'string', { enum: 'gold' }],
    [
      'the example "iron" must be equal to one of',
      'users/tier',
      'string',
      { enum: 'gold,silver', example: 'iron' },
    ],
    ['are limits of a string', 'users/count', 'integer', { pattern: '^a$' }],
    ['the example 1.5 must be integer', 'users/count', 'integer', { example: '1.5' }],
    ['the example many is not of the type integer', 'users/count', 'integer', { example: 'many' }],
    [
      'the example "soon" must match format "date-time"',
      'users/dueDateTime',
      'date-time',
      { example: 'soon' },
    ],
    ['"users" is not <resource>/<field>', 'users'],
    ['User.email exists already', 'users/email'],
    ['the table users has a column status already', 'users/status'],
    [
      'nothing in server/src/store/attachments.ts maps whole rows to Attachment: add the field by hand.',
      'attachments/note',
    ],
    ['"blob" is not a type', 'users/nickname', 'blob'],
  ])('refuses: %s', (message, name, type, limits) => {
    expect(() => field(name, type, limits)).toThrow(CommandError);
    expect(() => field(name, type, limits)).toThrow(message);
  });
});
