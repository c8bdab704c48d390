import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { permissions } from '../../generated/operations.ts';
import { CommandError } from '../../scripts/command.ts';
import { type Asked, planOf } from '../../scripts/spec-new/plan.ts';

const root = new URL('../../', import.meta.url);
const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const plan = (name: string, asked: Partial<Asked> = {}) =>
  planOf(root, { name, permission: 'can_view_workspace', ...asked }, contract, permissions);

test('takes method, path and schemas from the names', () => {
  expect(plan('payment-reminders/listPaymentReminders')).toEqual({
    ...{ resource: 'payment-reminders', isNewResource: true, operationId: 'listPaymentReminders' },
    ...{ method: 'get', path: '/payment-reminders', parameters: [], permission: 'can_view_workspace' },
    ...{ thing: 'PaymentReminder', isList: true },
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
  ['"fetch" is no method', 'things/getThing', { method: 'fetch' }],
  ['"can_fly" is no permission; there are can_', 'things/getThing', { permission: 'can_fly' }],
])('refuses: %s', (message, name, asked) => {
  expect(() => plan(name, asked)).toThrow(CommandError);
  expect(() => plan(name, asked)).toThrow(message);
});
