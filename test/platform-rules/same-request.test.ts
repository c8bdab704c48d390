import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, world } = platform;
const workflowDefinitionId = world.workflowDefinition.id;
const attachments = `/tables/${world.table.id}/records/${world.record.id}/attachments`;

const send = (path: string, key: string, body: FormData) =>
  owner.fetch(path, { method: 'POST', headers: { 'Idempotency-Key': key }, body });

describe('35: a repeated request counts as the same', () => {
  const postJson = (path: string, key: string, body: string) =>
    owner.fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body,
    });
  const parameters = (json: string) =>
    `{"workflowDefinitionId":"${workflowDefinitionId}","parameters":${json}}`;

  test.each([
    [
      'in another order of names',
      '{"a":1,"b":{"c":[{"d":1,"e":2}],"f":3}}',
      '{"b":{"f":3,"c":[{"e":2,"d":1}]},"a":1}',
    ],
    ['with other white space and escapes', '{"a":["é"]}', ' {\n"a" : [ "\\u00e9" ] }'],
    ['with a number written otherwise', '[1,0,100,0.5]', '[1.0,-0,1e2,5e-1]'],
    [
      'with names like numbers and prototypes',
      '{"10":1,"9":2,"__proto__":{"x":1},"a":3}',
      '{"a":3,"__proto__":{"x":1},"9":2,"10":1}',
    ],
  ])('%s', async (_what, one, other) => {
    const key = randomUUID();
    const first = await bodyOf(201, postJson('/parameters', key, parameters(one)));
    const body = parameters(other).replace(/^\{("workflow[^,]*),(.*)\}$/, '{$2,$1}');
    const again = await responseOf(postJson('/parameters', key, body));
    expect(again).toMatchObject({ status: 201, body: first });
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  });

  test.each([
    ['with its items in another order', '[1,2]', '[2,1]'],
    ['with a text for a number', '[1]', '["1"]'],
    ['with one name more', '{"a":1}', '{"a":1,"b":null}'],
    ['with another prototype', '{"__proto__":{"x":1}}', '{"__proto__":{"x":2}}'],
  ])('but not %s: 422 idempotency_key_reused', async (_what, one, other) => {
    const key = randomUUID();
    await bodyOf(201, postJson('/parameters', key, parameters(one)));
    const refused = postJson('/parameters', key, parameters(other));
    await expectRefusal(refused, 422, 'idempotency_key_reused');
  });

  test('with the parts of its form in another order', async () => {
    const key = randomUUID();
    const [one, other] = [new FormData(), new FormData()];
    const file = () => new File(['bytes'], 'a.txt', { type: 'text/plain' });
    one.append('tags', 'a');
    one.append('file', file());
    other.append('file', file());
    other.append('tags', 'a');
    const first = await bodyOf(201, send(attachments, key, one));
    expect(await bodyOf(201, send(attachments, key, other))).toEqual(first);
  });
});
