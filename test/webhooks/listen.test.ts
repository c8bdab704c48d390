import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, connect as openSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { webhookVerifier } from '@wrp/client';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ListenOptions, listen } from '../../client/src/node/listen/listen.ts';
import { type Api, api as startApi } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { type Received, respond, startReceiver } from './receiver.ts';
import { makeEvents } from './support.ts';

vi.setConfig({ testTimeout: scaledTimeout(90_000) });

const shared = await cloneDatabase();
const dataDirectory = await mkdtemp(join(temporaryRoot(), 'wrp-listen-'));
afterAll(() => rm(dataDirectory, { recursive: true, force: true }));
const settings = { clock: 'running', databaseUrl: shared.connectionString, dataDirectory } as const;
let platform = await startApi(settings);
const first = platform;

beforeEach(() => {
  vi.stubEnv('WRP_TOKEN', first.world.owner.token);
  vi.stubEnv('WRP_BASE_URL', platform.baseUrl);
});
afterEach(() => void vi.unstubAllEnvs());

interface Running {
  /** The printed JSON lines of a kind. */
  printed(kind: string): Record<string, unknown>[];
  /** Enters a line. */
  enter(line: string): void;
  errors(): string;
  /** As Ctrl-C does. */
  stop(): Promise<void>;
}

/** The listener in this process, ready to forward. */
async function listening(options: ListenOptions): Promise<Running> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let text = '';
  let errors = '';
  stdout.on('data', (chunk) => {
    text += chunk;
  });
  stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const controller = new AbortController();
  const { signal } = controller;
  const ended = listen(
    { json: true, ...options },
    { stdin, stdout: stdout as never, stderr: stderr as never, signal },
  );
  ended.catch(() => {});
  const stop = () => {
    controller.abort();
    return ended;
  };
  onTestFinished(() => stop().catch(() => {}));
  const printed = (kind: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter((line) => line.kind === kind);
  if (options.json !== false) await expect.poll(() => printed('ready'), soon).toHaveLength(1);
  return { printed, stop, errors: () => errors, enter: (line) => void stdin.write(`${line}\n`) };
}

const soon = { timeout: scaledTimeout(20_000) };
const start = (options: Partial<ListenOptions>) =>
  listen(
    { to: 'http://127.0.0.1:9/', ...options },
    {
      stdin: new PassThrough(),
      stdout: new PassThrough() as never,
      stderr: new PassThrough() as never,
      signal: AbortSignal.timeout(60_000),
    },
  );

/** A line to the platform that can be cut. */
async function givenLine() {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = openSocket(Number(new URL(platform.baseUrl).port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Each event with its number of arrivals. */
function arrivals(received: Received[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of received) counts.set(event.id, (counts.get(event.id) ?? 0) + 1);
  return counts;
}

async function verified(received: Received[], { baseUrl }: Pick<Api, 'baseUrl'>): Promise<string[]> {
  const verifyWebhook = webhookVerifier({ baseUrl });
  const events = await Promise.all(received.map(({ body, headers }) => verifyWebhook(body, headers)));
  return events.map(({ id }) => id);
}

describe('the listener', () => {
  test('forwards events that the receiver verifies with the keys of the platform', async () => {
    const receiver = await startReceiver();
    const { printed, stop } = await listening({ to: receiver.url });
    const ids = await makeEvents(platform, 3);
    await receiver.hasTaken(ids);
    expect(new Set(await verified(receiver.received, platform))).toEqual(new Set(ids));
    for (const { headers, path } of receiver.received) {
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-sandbox': 'true' });
      expect(path).toBe('/events');
    }
    await expect.poll(() => printed('delivery'), soon).toHaveLength(3);
    expect(printed('delivery')[0]).toMatchObject({
      type: 'parameters.created',
      delivered: true,
      status: 204,
      error: null,
      milliseconds: expect.any(Number),
    });
    await stop();
    expect(printed('stopped')).toHaveLength(1);
  });

  test('starts with past events only on request, and shows what the receiver does not accept', async () => {
    const [id] = await makeEvents(platform, 1);
    const receiver = await startReceiver(respond(500));
    const { printed } = await listening({ to: receiver.url, since: '1h' });
    const delivery = () => printed('delivery').find((one) => one['id'] === id);
    await expect.poll(delivery, soon).toMatchObject({ delivered: false, status: 500 });
    await receiver.down();
    const { printed: later } = await listening({ to: receiver.url });
    await makeEvents(platform, 1);
    await expect.poll(() => later('delivery'), soon).toHaveLength(1);
    expect(later('delivery')[0]).toMatchObject({
      delivered: false,
      status: null,
      error: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  test.each([400, 401])(
    'explains once what a receiver that responds with %i may do wrong',
    async (status) => {
      const receiver = await startReceiver(respond(status));
      const { printed } = await listening({ to: receiver.url });
      await makeEvents(platform, 2);
      await expect.poll(() => printed('delivery'), soon).toHaveLength(2);
      const [hint, ...more] = printed('notice').map(({ message }) => message);
      expect(hint).toContain(`baseUrl is ${platform.baseUrl}`);
      expect(hint).toContain('before it is parsed');
      expect(more).toEqual([]);
    },
  );

  test('sends the last event, or another one, again on request, with a new signature', async () => {
    const receiver = await startReceiver();
    const { enter, printed } = await listening({ to: receiver.url });
    const [one] = await makeEvents(platform, 1);
    await receiver.hasTaken([one as string]);
    const [two] = await makeEvents(platform, 1);
    await receiver.hasTaken([two as string]);
    enter('r');
    await expect.poll(() => receiver.received.length, soon).toBe(3);
    enter(`r ${one}`);
    await expect.poll(() => receiver.received.length, soon).toBe(4);
    expect(receiver.received.map(({ event }) => event.id)).toEqual([one, two, two, one]);
    expect(receiver.received[2]?.body.equals(receiver.received[1]?.body as Buffer)).toBe(true);
    await verified(receiver.received, platform);
    enter('r 00000000-0000-4000-8000-000000000000');
    await expect
      .poll(() => printed('notice'), soon)
      .toMatchObject([{ message: expect.stringMatching(/^There is no such event/) }]);
  });

  test('sends one event with resend, and ends', async () => {
    const receiver = await startReceiver();
    const [id] = await makeEvents(platform, 1);
    const resend = id as string;
    await expect
      .poll(() => start({ to: receiver.url, resend, json: true }).catch((error) => error.message), soon)
      .toBeUndefined();
    await receiver.hasTaken([resend]);
    receiver.responds(respond(500));
    await expect(start({ to: receiver.url, resend })).rejects.toThrow('did not accept the event');
    const unknown = '00000000-0000-4000-8000-000000000000';
    await expect(start({ resend: unknown })).rejects.toThrow(`There is no event ${unknown}.`);
  });

  test('loses no event when the connection breaks again and again', async () => {
    const line = await givenLine();
    const receiver = await startReceiver();
    const { printed } = await listening({ to: receiver.url, baseUrl: line.url });
    const made: string[] = [];
    for (let round = 0; round < 5; round++) {
      made.push(...(await makeEvents(platform, 4)));
      line.cut();
    }
    await receiver.hasTaken(made);
    expect([...arrivals(receiver.received).keys()].sort()).toEqual(made.sort());
    expect(printed('disconnected').length).toBeGreaterThan(0);
    expect(printed('reconnected').length).toBeGreaterThan(0);
  });

  test('sends no more than 10 events at the same time', async () => {
    const held: (() => void)[] = [];
    const receiver = await startReceiver((response) => {
      held.push(() => response.writeHead(204).end());
    });
    await listening({ to: receiver.url });
    const made = await makeEvents(platform, 15);
    await expect.poll(() => held.length, soon).toBe(10);
    receiver.responds(respond(204));
    for (const release of held) release();
    await receiver.hasTaken(made);
  });

  test('explains a refusal, and invalid options', async () => {
    const { world } = first;
    vi.stubEnv('WRP_TOKEN', world.member.token);
    await expect(start({})).rejects.toThrow('Use a token of a user with the permission can_receive_events');
    vi.stubEnv('WRP_TOKEN', 'tot_unknown');
    await expect(start({})).rejects.toThrow('does not accept the token. The organization token is mistyped');
    vi.stubEnv('WRP_TOKEN', '');
    await expect(start({})).rejects.toThrow('Set WRP_TOKEN');
    vi.stubEnv('WRP_TOKEN', world.owner.token);
    for (const since of ['25h', '-1m', '10', '1d'])
      await expect(start({ since })).rejects.toThrow('--since must be a duration');
    await expect(start({ to: 'localhost:3000' })).rejects.toThrow('The receiver must be a URL');
    const secret = 'http://user:secret@localhost:3000';
    for (const options of [{ to: secret }, { baseUrl: secret }, { baseUrl: 'http://localhost:1/?secret' }]) {
      const error = await start(options).then(String, String);
      expect([error.includes('must be a URL such as'), error.includes('secret')]).toEqual([true, false]);
    }
    await expect(start({ resend: 'x' })).rejects.toThrow('x is not the ID of an event');
    const production = await startApi({ pollable: ['sandbox'] });
    vi.stubEnv('WRP_TOKEN', production.world.owner.token);
    await expect(start({ baseUrl: production.baseUrl })).rejects.toThrow(
      `${production.baseUrl} is production, which does not forward events.`,
    );
  });
});

describe('wrp-listen', () => {
  const program = join(import.meta.dirname, '../../client/src/node/listen/main.ts');
  const run = (...args: string[]) => {
    const child = spawn(process.execPath, [program, ...args], { env: { ...process.env } });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk) => {
        output[name] += chunk;
      });
    onTestFinished(() => void child.kill('SIGKILL'));
    return { child, output, ended: exitOf(child) };
  };

  test('prints a line without colors for each event, and ends with 0 on Ctrl-C', async () => {
    const receiver = await startReceiver();
    const { child, output, ended } = run('--to', receiver.url);
    await expect.poll(() => output.stderr, soon).toMatch(/^Forwarding the events of /);
    const [id] = await makeEvents(platform, 1);
    await receiver.hasTaken([id as string]);
    await expect
      .poll(() => output.stdout, soon)
      .toMatch(new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}parameters.created {4}${id} {2}204 {2}\\d+ ms\n$`));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(output.stderr).toMatch(/\nStopped. 1 delivered, 0 failed.\n$/);
  });

  test('ends when nobody reads its output any more', async () => {
    const receiver = await startReceiver();
    const { child, output, ended } = run('--to', receiver.url);
    await expect.poll(() => output.stderr, soon).toMatch(/^Forwarding the events of /);
    child.stdout.destroy();
    await receiver.hasTaken(await makeEvents(platform, 1));
    expect(await ended).toBe(0);
    expect(output.stderr).not.toMatch(/EPIPE/);
  });

  test('has help, and refuses other options: 2', async () => {
    const help = run('--help');
    expect(await help.ended).toBe(0);
    expect(help.output.stdout).toMatch(/^Usage: wrp-listen --to <url>/);
    expect(help.output.stdout).toMatch(/sandbox\.organizationToken/);
    expect(help.output.stdout).toMatch(/\/docs\/receiving-webhooks/);
    const wrong = run('--port', '3000');
    expect(await wrong.ended).toBe(2);
    expect(wrong.output.stderr).toMatch(/--port/);
    const missing = run();
    expect(await missing.ended).toBe(2);
    expect(missing.output.stderr).toMatch(/^--to is missing/);
  });
});

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve));
}

test('the listener continues after the last event when the platform restarts', async () => {
  const line = await givenLine();
  const receiver = await startReceiver();
  const { printed } = await listening({ to: receiver.url, baseUrl: line.url });
  const made = await makeEvents(first, 5);
  // Not waited for: some of these are forwarded only after the restart.
  await first.close(0);
  await expect.poll(() => printed('disconnected').length, soon).toBeGreaterThan(0);
  platform = await startApi(settings);
  const { workflowDefinition, owner } = first.world;
  const caller = platform.actor(owner.token);
  for (let after = 0; after < 3; after++) {
    const body = { workflowDefinitionId: workflowDefinition.id, parameters: { after } };
    expect((await caller.POST('/parameters', { body })).response.status).toBe(201);
  }
  await receiver.hasTaken(made);
  await expect.poll(() => arrivals(receiver.received).size, soon).toBe(8);
  await verified(receiver.received, platform);
  expect(printed('gap')).toEqual([]);
});
