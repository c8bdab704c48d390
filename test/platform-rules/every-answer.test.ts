import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { answered } from '../support/answers.ts';
import { api } from '../support/api.ts';

const budgets = { requests: 5, uploads: 100, signIns: 100 };
const { baseUrl, world, given, actor } = await api({ budgets });
const newToken = () => given.token({ user: world.owner, homeWorkspace: world.workspace });

describe('every answer has a Request-Id of its own', () => {
  test.each(['/healthz', '/readyz', '/openapi.json', '/openapi.yaml', '/docs', '/nowhere'])(
    '%s',
    async (path) => {
      const ask = async () => (await fetch(baseUrl + path)).headers.get('Request-Id');
      const names = await Promise.all([ask(), ask()]);
      for (const name of names) expect(name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(names[0]).not.toBe(names[1]);
    },
  );
});

test('what is refused to a caller counts against its budget: nobody tries identifiers without end', async () => {
  const caller = actor(await newToken());
  const guess = () => {
    const params = { path: { userId: randomUUID() } };
    return answered(caller.GET('/organizations/users/{userId}', { params }));
  };
  const answers = [];
  for (let asked = 0; asked < 6; asked++) answers.push(await guess());
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429]);
  expect(answers[0]?.headers.get('RateLimit')).toMatch(/^"requests";r=4;t=\d+$/);
});

describe('a client that waits to be asked for its body', () => {
  const json = { 'Content-Type': 'application/json' };

  /** @returns whether the body was asked for, and the status */
  function send(headers: object, body: string): Promise<[asked: boolean, status: number | undefined]> {
    return new Promise((resolve, reject) => {
      let asked = false;
      const all = { Expect: '100-continue', 'Content-Length': Buffer.byteLength(body), ...json, ...headers };
      const outgoing = request(`${baseUrl}/workflows`, { method: 'POST', headers: all }, (response) => {
        response.resume();
        resolve([asked, response.statusCode]);
        outgoing.destroy();
      });
      outgoing.on('continue', () => {
        asked = true;
        outgoing.end(body);
      });
      outgoing.on('error', reject);
      outgoing.flushHeaders();
    });
  }

  const { id: workflowDefinitionId } = world.workflowDefinition;
  const start = JSON.stringify({ workflowDefinitionId });

  test('is asked once the request may be made', async () => {
    expect(await send({ Authorization: await newToken() }, start)).toEqual([true, 200]);
    expect(await send({ Authorization: await newToken() }, '{')).toEqual([true, 400]);
  });

  test('is not asked where it is refused by what stands before the body', async () => {
    expect(await send({}, start)).toEqual([false, 401]);
    const tooLarge = { Authorization: await newToken(), 'Content-Length': 1 << 30 };
    expect(await send(tooLarge, start)).toEqual([false, 413]);
    const unknown = { Authorization: await newToken(), 'Content-Type': 'text/plain' };
    expect(await send(unknown, start)).toEqual([false, 415]);
  });
});
