import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { linksOf } from '../links/support.ts';
import { createActors } from '../support/actors.ts';
import { executionsOf } from '../support/executions.ts';
import { givenParts, startPart } from '../support/parts.ts';
import { until } from '../support/waiting.ts';
import { spawnWrp } from '../support/wrp.ts';
import { headerOf, isSigned, type Received, startReceiver } from '../webhooks/receiver.ts';
import { givenEndpoint } from '../webhooks/support.ts';
import { otherSystem } from '../workflows/support.ts';

const parts = await givenParts();
const { database, world } = parts;
const newKey = randomBytes(32).toString('base64url');
const oldKey = parts.shared.SERVER_KEY;
const unlimited = '1000000';
const common = {
  ...parts.shared,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_PER_MINUTE: unlimited,
  AUTH_RATE_LIMIT_PER_MINUTE: unlimited,
};

/** Settings before, during and after the rotation. */
const before = { SERVER_KEY: oldKey };
const during = { SERVER_KEY: newKey, SERVER_KEY_PREVIOUS: oldKey };
const after = { SERVER_KEY: newKey };

/** A process that is replaced by one with other settings. */
async function replaceable(command: 'serve' | 'work', own: NodeJS.ProcessEnv) {
  const start = (keys: object) => startPart(command, { ...common, ...own, ...keys });
  let part = await start(before);
  return {
    async replace(keys: object, isServing: (serving: boolean) => void = () => {}) {
      isServing(false);
      expect(await part.stop()).toBe(0);
      part = await start(keys);
      isServing(true);
    },
    stop: () => part.stop(),
  };
}

async function server() {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const part = await replaceable('serve', { PORT: String(port), SANDBOX_PORT: String(sandboxPort) });
  return { ...part, baseUrl: `http://127.0.0.1:${port}` };
}

test('the server key is replaced under load without a failed request, and what the old one signed ends with it', async () => {
  const receiver = await startReceiver();
  const system = await otherSystem((_request, response) => void response.writeHead(202).end());
  await givenEndpoint(database, { url: receiver.url, organizationId: world.organization.id });
  const [one, two, worker] = await Promise.all([server(), server(), replaceable('work', {})]);
  const serving = new Set([one, two]);
  const all = [one, two];
  /** As the proxy does: to a server that is in service. */
  let turn = 0;
  const next = () => [...serving][turn++ % serving.size] as typeof one;
  const ask = (path: string, init?: RequestInit) => fetch(`${next().baseUrl}${path}`, init);
  const post = (path: string, body: object, headers: object = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const withToken = (token: string) => ask('/tables', { headers: { Authorization: `Bearer ${token}` } });
  const json = async (response: Response) => (await response.json()) as Record<string, string>;
  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
  const { owner } = createActors(one.baseUrl, world);
  const links = linksOf({ database, clock: parts.clock, world, owner, given: parts.given });
  const verified = async ({ headers, body }: Received) => {
    const signature = String(headers['webhook-signature']);
    const key = await ask(`/auth/webhooks/key/${headerOf(signature).kid}`);
    return key.status === 200 && isSigned(signature, body, { der: await key.text() });
  };

  const apiKey = await parts.given.apiKey({ user: world.owner, homeWorkspace: world.workspace });
  const oldTokens = await json(await post('/auth/authorize', apiKey));
  const idleTokens = await json(await post('/auth/authorize', apiKey));
  const definition = { ...world.workflowDefinition, workspace: world.workspace };
  const ownersToken = { Authorization: world.owner.token };
  const idempotent = { ...ownersToken, 'Idempotency-Key': randomUUID() };
  const linkRequest = { caseId: (await links.case()).id, workflowDefinitionId: definition.id };
  const { link: oldLink = '' } = await json(await post('/link', linkRequest, idempotent));
  const newLink = () => post('/link', linkRequest, ownersToken).then(json);
  const file = new FormData();
  file.set('file', new Blob(['a file'], { type: 'text/plain' }), 'a.txt');
  const collection = `/tables/${world.table.id}/records/${world.record.id}/attachments`;
  const attachment = await json(await ask(collection, { method: 'POST', headers: ownersToken, body: file }));
  const signedUrl = async () =>
    pathOf(
      (await json(await ask(`${collection}/${attachment['id']}`, { headers: ownersToken })))['link'] ?? '',
    );
  const oldUrl = await signedUrl();
  const asking = await parts.given.workflowDefinition({
    workspace: world.workspace,
    definition: {
      StartAt: 'Ask',
      States: {
        Ask: {
          Type: 'Task',
          Resource: 'wrp:callback:wait',
          Arguments: { request: { url: system.url } },
          // On a busy machine, the rotation takes longer than the default.
          TimeoutSeconds: 3_600,
          End: true,
        },
      },
    },
  });
  const executions = executionsOf(owner);
  const waiting = await Promise.all(
    Array.from({ length: 2 }, () => executions.start({ workflowDefinitionId: asking.id })),
  );
  await until(async () => (system.received.length === 2 ? true : undefined));
  const [answered = '', late = ''] = system.received.map(({ headers }) =>
    pathOf(String(headers['callback-url'])),
  );

  const failures: string[] = [];
  let requests = 0;
  let access = oldTokens['accessToken'] ?? '';
  let refresh = oldTokens['refreshToken'] ?? '';
  const expectStatus = async (what: string, asked: Promise<Response>, status = 200) => {
    requests += 1;
    const response = await asked.catch((error: Error) => error);
    const got = response instanceof Response ? response.status : String(response.cause ?? response);
    if (got !== status) failures.push(`${what}: ${got}`);
    return response as Response;
  };
  let isLoaded = true;
  const load = (async () => {
    while (isLoaded) {
      const renewed = await expectStatus('refresh', post('/auth/refresh', { refreshToken: refresh }));
      ({ accessToken: access = '', refreshToken: refresh = '' } = await json(renewed));
      const { link = '' } = await newLink();
      const fresh = await signedUrl();
      await Promise.all([
        expectStatus('token', withToken(access)),
        expectStatus('old token', withToken(oldTokens['accessToken'] ?? '')),
        expectStatus('signed URL', ask(fresh)),
        expectStatus('old signed URL', ask(oldUrl)),
        expectStatus('link', ask(pathOf(link))),
        expectStatus('old link', ask(pathOf(oldLink))),
      ]);
      const webhook = receiver.received.at(-1);
      requests += 1;
      if (webhook && !(await verified(webhook))) failures.push('webhook signature');
      await sleep(20);
    }
  })();

  const rotate = (keys: object) =>
    spawnWrp(['database', 'rotate-key', '--json'], { env: { ...common, ...keys } });
  const replaceAll = async (keys: object) => {
    for (const each of all)
      await each.replace(keys, (isServing) => void (isServing ? serving.add(each) : serving.delete(each)));
    await worker.replace(keys);
  };
  await one.replace(during, (isServing) => void (isServing ? serving.add(one) : serving.delete(one)));
  const early = await rotate(during);
  expect([early.status, early.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^A process does not accept the new key yet: wrp (serve|work), keys \w{8}.* Restart all .*\n$/,
    ),
  ]);
  await two.replace(during, (isServing) => void (isServing ? serving.add(two) : serving.delete(two)));
  await worker.replace(during);
  const rotated = await rotate(during);
  expect([rotated.status, rotated.stderr]).toEqual([0, '']);
  expect(JSON.parse(rotated.stdout)).toMatchObject({
    environments: {
      production: {
        kind: 'rotated',
        webhookKeys: 1,
        ends: { links: expect.any(String), callbacks: expect.any(String) },
      },
      sandbox: { kind: 'rotated', webhookKeys: 0, ends: { links: null, callbacks: null } },
    },
  });
  await sleep(3_000);
  // Whichever server it reaches.
  for (let request = 0; request < 2; request++)
    expect(await json(await post('/link', linkRequest, idempotent))).toMatchObject({ link: oldLink });
  expect((await post(answered, { output: {} })).status).toBe(204);
  await executions.ended(waiting[0] as { id: string });
  // Signed with the new key, so they outlive the old one.
  const [lastLink, lastAccess] = [
    (await newLink())['link'] ?? '',
    await json(await post('/auth/authorize', apiKey)),
  ];
  await sleep(500);
  isLoaded = false;
  await load;
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(200);

  const kid = headerOf(String(receiver.received.at(-1)?.headers['webhook-signature'])).kid;
  await replaceAll(after);
  const statuses = async (...asked: Promise<Response>[]) =>
    (await Promise.all(asked)).map(({ status }) => status);
  expect(
    await statuses(
      withToken(oldTokens['accessToken'] ?? ''),
      post('/auth/refresh', { refreshToken: idleTokens['refreshToken'] }),
      ask(oldUrl),
      ask(pathOf(oldLink)),
      post(late, { output: {} }),
    ),
  ).toEqual([401, 401, 403, 404, 404]);
  expect(await statuses(withToken(lastAccess['accessToken'] ?? ''), ask(pathOf(lastLink)))).toEqual([
    200, 200,
  ]);
  // The webhook keys were encrypted anew, so they stay.
  const known = receiver.received.length;
  await newLink();
  const webhook = await until(async () => receiver.received[known]);
  expect(headerOf(String(webhook.headers['webhook-signature'])).kid).toBe(kid);
  expect(await verified(webhook)).toBe(true);
  expect(await Promise.all([one.stop(), two.stop(), worker.stop()])).toEqual([0, 0, 0]);
});
