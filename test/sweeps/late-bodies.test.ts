import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { times } from '../support/hostile/bodies.ts';
import { headOf } from '../support/raw-requests.ts';
import { expectRefusal } from '../support/responses.ts';
import { hold, until } from '../support/waiting.ts';
import { advice } from './support/advice.ts';
import { type Operation, secured } from './support/contract.ts';
import { assertAccepted, requestsOf, toSend, withToken } from './support/requests.ts';
import { stored } from './support/stored.ts';

const api = await startApi();
const { given, world, database, clock, anonymous, statements, actor } = api;
const { organization, workspace } = world;
const requests = requestsOf(api);

interface Sender {
  userId: string;
  authorization: string;
}

async function tokenHolder(): Promise<Sender> {
  const { id, token } = await given.caller({ organization, role: 'owner', homeWorkspace: workspace });
  return { userId: id, authorization: token };
}
async function accessTokenHolder(): Promise<Sender> {
  const { id } = await given.user({ organization, role: 'owner' });
  const key = await given.apiKey({ user: { id }, homeWorkspace: workspace });
  const { data } = await anonymous.POST('/auth/authorize', { body: key });
  return { userId: id, authorization: `Bearer ${data?.accessToken}` };
}

const at = { revoked_at: clock.now() };
const losses: [
  what: string,
  sender: () => Promise<Sender>,
  lose: (sender: Sender) => Promise<unknown>,
  number,
][] = [
  [
    'whose token is revoked meanwhile: 401',
    tokenHolder,
    ({ userId }) =>
      database.updateTable('organization_tokens').set(at).where('user_id', '=', userId).execute(),
    401,
  ],
  [
    'whose API key is revoked meanwhile: 401',
    accessTokenHolder,
    ({ userId }) => database.updateTable('api_keys').set(at).where('user_id', '=', userId).execute(),
    401,
  ],
  [
    'whose user is terminated meanwhile: 401',
    tokenHolder,
    ({ userId }) =>
      database.updateTable('users').set({ status: 'TERMINATED' }).where('id', '=', userId).execute(),
    401,
  ],
  [
    'whose user loses its role meanwhile: 403',
    tokenHolder,
    ({ userId }) =>
      database
        .updateTable('users')
        .set({ role_id: organization.roles.member })
        .where('id', '=', userId)
        .execute(),
    403,
  ],
];

/** What is stored, without files that are being received. */
async function kept(): Promise<Record<string, unknown>> {
  const { files, ...rows } = await stored(api);
  return { ...rows, files: (files as string[]).filter((path) => !path.includes('/incoming/')) };
}

/** Sends a request of which half of the body arrives after `meanwhile`. */
async function sendLate(operation: Operation, sender: Sender, meanwhile: () => Promise<unknown>) {
  const sent = withToken(toSend(await requests.valid(operation)), sender.authorization);
  const body = String(sent.body);
  const half = Math.floor(body.length / 2);
  const socket = connect({ port: api.ports.production, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  statements.length = 0;
  socket.write(headOf(sent) + body.slice(0, half));
  await until(() => statements.some((text) => text.includes('with caller')), { interval: 5 });
  await meanwhile();
  socket.write(body.slice(half));
  await until(() => received.includes('\r\n\r\n'), { interval: 5 });
  return { status: Number(received.slice(9, 12)), received };
}

describe.each(secured.filter(({ body }) => body))('$id', (operation) => {
  test.each(losses)(
    'refuses a body that arrives late from a caller %s',
    async (_what, make, lose, status) => {
      const sender = await make();
      let before: unknown;
      const response = await sendLate(operation, sender, async () => {
        await lose(sender);
        before = await kept();
      });
      expect(response.status, `${advice('late', operation)}: ${response.received}`).toBe(status);
      expect(await kept(), advice('unchanged', operation)).toEqual(before);
    },
  );

  test('accepts a body that arrives after the access token of its request has expired', async () => {
    const response = await sendLate(operation, await accessTokenHolder(), async () => clock.forward(301_000));
    const text = response.received.split('\r\n\r\n')[1] ?? '';
    assertAccepted(operation, { ...response, headers: {}, text });
  });
});

test('startWorkflow refuses a caller whose token is revoked while its parameters are checked: 401', async () => {
  const inputSchema = {
    properties: { list: { contains: { anyOf: times(50, (at) => ({ const: { a: [at] } })) } } },
  };
  const { id: workflowDefinitionId } = await given.workflowDefinition({
    workspace,
    definition: definitionOf({ Done: { Type: 'Succeed' } }),
    inputSchema,
  });
  const { userId, authorization } = await tokenHolder();
  const parameters = { list: [...times(25_000, () => ({ a: [-1] })), { a: [1] }] };
  statements.length = 0;
  const started = actor(authorization)
    .POST('/workflows', { body: { workflowDefinitionId, parameters } })
    .then((response) => response);
  await until(() => statements.some((text) => text.includes('begin')), { interval: 5 });
  await database.updateTable('organization_tokens').set(at).where('user_id', '=', userId).execute();
  // Longer than the first check of the caller holds, on a fast machine too.
  await hold(1_100);
  await expectRefusal(started, 401, 'credentials_invalid');
});
