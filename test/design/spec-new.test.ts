import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { permissions } from '../../generated/operations.ts';
import { CommandError } from '../../scripts/command-line/run-command.ts';
import { regionsOf, typeScriptSamples } from '../../scripts/generate/samples/read.ts';
import { inOrder } from '../../scripts/spec/new/code-files.ts';
import { handlersOf, storeText, testText } from '../../scripts/spec/new/code-text.ts';
import { examplesYaml, operationYaml } from '../../scripts/spec/new/contract-text.ts';
import { type Asked, planOf } from '../../scripts/spec/new/plan.ts';
import { sampleFile, shellSample } from '../../scripts/spec/new/sample-text.ts';

const root = new URL('../../', import.meta.url);
const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const plan = (name: string, asked: Partial<Asked> = {}) =>
  planOf(root, { name, permission: 'can_view_workspace', ...asked }, contract, permissions);

test('takes method, path and schemas from the names', () => {
  expect(plan('payment-reminders/listPaymentReminders')).toEqual({
    ...{ resource: 'payment-reminders', isNewResource: true, operationId: 'listPaymentReminders' },
    ...{ method: 'get', path: '/payment-reminders', parameters: [], permission: 'can_view_workspace' },
    ...{ thing: 'PaymentReminder', verb: 'list', isList: true, isAction: false },
    answer: {
      ...{ schema: 'PaymentReminder', isList: true, example: 'paymentReminderList' },
      exampleFile: '../examples/payment-reminders.yaml',
    },
  });
  const { method, answer, body } = plan('companies/createCompany');
  expect([method, answer?.schema, body?.schema]).toEqual(['post', 'Company', 'NewCompany']);
});

test('uses a schema of the resource again, with an example that is there', () => {
  const { answer } = plan('users/findUser', { path: '/organizations/users/latest' });
  expect(answer).toMatchObject({
    schema: 'User',
    exampleFile: '../examples/users.yaml',
    existing: { id: expect.any(String) },
  });
});

test('takes a verb that makes nothing for an action: without a body, and with what it acts on as the answer', () => {
  const archive = plan('users/archiveUser', {
    method: 'post',
    path: '/organizations/users/{userId}/archive',
  });
  expect(archive).toMatchObject({ isAction: true, answer: { schema: 'User' } });
  expect(archive.body).toBeUndefined();
  const text = operationYaml(archive, true);
  expect(text).toContain('summary: Archive a user');
  expect(text).toContain("'200':");
  expect(text).not.toMatch(/'201'|InvalidRequest|can_view_workspace`/);
  expect(storeText(archive)).toContain("{ kind: 'archived'; user: User }");
  expect(testText(archive)).toContain('archives the user');
});

test('words what it scaffolds as the house does', () => {
  expect(handlersOf(plan('categories/listCategories'))).toBe('categoryHandlers');
  expect(handlersOf(plan('statuses/listStatuses'))).toBe('statusHandlers');
  expect(plan('expenses/listExpenses').thing).toBe('Expense');
  const [example] = examplesYaml(plan('invoices/createInvoice')).values();
  expect(example).toContain("createdDateTime: '2026-11-16T08:30:00.000Z'");
  const entries = ['    ...authHandlers(),\n', '    ...linkHandlers(),\n'];
  expect(inOrder(entries.join(''), '    ...invoiceHandlers(),\n')).toBe(
    [entries[0], '    ...invoiceHandlers(),\n', entries[1]].join(''),
  );
});

test('drafts both samples, which run as a reader would run them', () => {
  const invoices = plan('invoices/createInvoice', { path: '/workspaces/{workspaceId}/invoices' });
  const samples = regionsOf(shellSample(invoices));
  expect(samples['createInvoice']).toBe(
    [
      'curl "$BASE_URL/workspaces/$WORKSPACE_ID/invoices" \\',
      '  -H "Authorization: $TOKEN" \\',
      '  -H "Content-Type: application/json" \\',
      '  -H "Idempotency-Key: create-invoice-$RANDOM" \\',
      `  -d '{"name": "First"}'`,
    ].join('\n'),
  );
  expect(
    typeScriptSamples(sampleFile(invoices))['createInvoice'],
  ).toBe(`import { createClient, unwrap } from '@wrp/client';

const client = createClient({ baseUrl: process.env.BASE_URL!, token: process.env.TOKEN! });
const workspaceId = process.env.WORKSPACE_ID!;

const invoice = await unwrap(client.POST('/workspaces/{workspaceId}/invoices', { params: { path: { workspaceId } }, body: {"name":"First"} }));`);
});

test.each<[message: string, name: string, asked?: Partial<Asked>]>([
  ['"invoices" is not <resource>/<operationId>, such as invoices/listInvoices.', 'invoices'],
  ['"Invoices/listInvoices" is not <resource>/<operationId>', 'Invoices/listInvoices'],
  ['"../x/listX" is not <resource>/<operationId>', '../x/listX'],
  ['"list" is not a verb and a noun', 'invoices/list'],
  ['"list_all" is not a verb and a noun', 'invoices/list_all'],
  ['listUsers is there already: GET /organizations/users.', 'users/listUsers'],
  [
    'GET /organizations/users is there already: listUsers.',
    'users/findUser',
    { path: '/organizations/users' },
  ],
  [
    'GET /organizations/users/{userId} is there already: getUser.',
    'users/findThing',
    { path: '/organizations/users/{userId}' },
  ],
  ['/link belongs to links; call it links/getThing.', 'things/getThing', { path: '/link' }],
  ['"quick-start" is the name of a guide', 'quick-start/getThing'],
  ['User is a schema in spec/schemas/users.yaml', 'people/findUser'],
  ['{thingId} is no object that spec:new can address', 'things/getThing', { path: '/things/{thingId}' }],
  ['{recordId} needs {tableId} before it.', 'things/getThing', { path: '/things/{recordId}' }],
  ['"/Things" is no path in lower case', 'things/getThing', { path: '/Things' }],
  ['"things" is no path', 'things/getThing', { path: 'things' }],
  ['Which method has frobThing?', 'things/frobThing'],
  ['GET /invoices does not say which one', 'invoices/getInvoice'],
  [
    'DELETE /workspaces/{workspaceId}/invoices does not say which one; say a path with a parameter, such as',
    'bills/deleteInvoice',
    { path: '/workspaces/{workspaceId}/invoices' },
  ],
  ['"fetch" is no method', 'things/getThing', { method: 'fetch' }],
  ['"can_fly" is no permission; there are can_', 'things/getThing', { permission: 'can_fly' }],
])('refuses: %s', (message, name, asked) => {
  expect(() => plan(name, asked)).toThrow(CommandError);
  expect(() => plan(name, asked)).toThrow(message);
});
