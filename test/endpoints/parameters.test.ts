import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { emittedBy, eventsOf } from '../support/events.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, member, world, database } = platform;
const { workspace } = world;
const emitted = emittedBy(platform);
const workflowDefinitionId = world.workflowDefinition.id;

type Actor = typeof owner;
const create = (client: Actor, parameters: unknown, definition = workflowDefinitionId) =>
  client.POST('/parameters', { body: { workflowDefinitionId: definition, parameters } });
const read = (client: Actor, parametersId: string) =>
  client.GET('/parameters/{parametersId}', { params: { path: { parametersId } } });
/** Sends a body as it is. */
const post = (client: Actor, body: string, type = 'application/json') =>
  client.fetch('/parameters', { method: 'POST', headers: { 'Content-Type': type }, body });

async function stored(parameters: unknown, client = member): Promise<string> {
  const { data, response } = await create(client, parameters);
  expect(response.status).toBe(201);
  return data?.parametersId ?? '';
}

describe('createParameterSet', () => {
  test('stores the parameters of a definition, and emits its event', async () => {
    const parameters = { claim: 'C-17', amount: 250.5, urgent: true };
    const events = await eventsOf(database, async () => {
      expect(await bodyOf(201, create(member, parameters))).toEqual({
        parametersId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        workflowDefinitionId,
        parameters,
      });
    });
    expect(events).toEqual([
      emitted('parameters.created', { parametersId: expect.any(String), workflowDefinitionId }, workspace),
    ]);
  });

  test.each([
    'null',
    'true',
    '0',
    '-12.75',
    '1e-7',
    '9007199254740991',
    '1.7976931348623157e+308',
    '""',
    '"数 🦉 \\" \\\\ \\n e\u0301"',
    '[]',
    '[1,"1",null,[[]],{}]',
    '{}',
    '{"z":1,"a":{"y":null,"b":[3,2,1]},"":"empty","Z":2}',
    '{"__proto__":{"admin":true},"constructor":null,"toString":1}',
    '{"userId":"5B0E7C1A-52F4-4A0B-8A54-0D6F3C1B9A02"}',
  ])('keeps %s exactly, including the order of its keys', async (text) => {
    const body = `{"workflowDefinitionId":"${workflowDefinitionId}","parameters":${text}}`;
    const created = await post(member, body);
    expect(created.status).toBe(201);
    const response = await created.text();
    const { parametersId } = JSON.parse(response);
    expect(response).toBe(`{"parametersId":"${parametersId}",${body.slice(1)}`);
    const { status, text: again } = await member
      .fetch(`/parameters/${parametersId}`)
      .then(async (response) => ({
        status: response.status,
        text: await response.text(),
      }));
    expect(status).toBe(201);
    expect(again).toBe(response);
  });

  test('returns the identifier of the definition in lower case', async () => {
    const response = await bodyOf(201, create(member, {}, workflowDefinitionId.toUpperCase()));
    expect(response).toMatchObject({ workflowDefinitionId });
  });

  test('creates a new set each time, even of the same parameters', async () => {
    expect(await stored({ a: 1 })).not.toBe(await stored({ a: 1 }));
  });

  test('refuses a number that JSON cannot represent: 400 body_invalid', async () => {
    for (const number of ['1e309', '-1E+400', '9'.repeat(400)]) {
      const body = `{"workflowDefinitionId":"${workflowDefinitionId}","parameters":{"a":[${number}]}}`;
      await expectRefusal(post(member, body), 400, 'body_invalid', { pointer: '/parameters/a/0' });
    }
  });
});

describe('getParameterSet', () => {
  test('responds with 201 and the set as it was stored', async () => {
    const parameters = { b: [1, null], a: 'text' };
    const parametersId = await stored(parameters);
    const response = await responseOf(read(owner, parametersId));
    expect(response).toMatchObject({ status: 201 });
    expect(response.body).toEqual({ parametersId, workflowDefinitionId, parameters });
  });
});
