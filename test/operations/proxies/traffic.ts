import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, unwrap } from '../../../client/src/index.ts';
import { uploadBody, uploadHeaders } from '../../../scripts/laboratory/resilience/form.ts';

export type Kind = 'GET' | 'POST' | 'POST with a key' | 'upload' | 'client';

/** A request that got no response, or another one than expected. */
export interface Failure {
  kind: Kind;
  /** The status or the code of the connection's error. */
  reason: string;
}

export interface Traffic {
  /** What failed since the last call, and how many requests were sent. */
  take(): { failures: Failure[]; sent: number };
  /** The identifiers of executions whose start was acknowledged. */
  acknowledged: string[];
  /** How many starts of executions were sent, each once; a retry is none. */
  starts(): number;
  stop(): Promise<void>;
}

interface Target {
  url: string;
  token: string;
  workflowDefinitionId: string;
}

const pauseMilliseconds = 20;
const uploadPieces = 6;
const piece = randomBytes(1 << 15);
const uploadPauseMilliseconds = 100;

/** Callers that keep their connections, callers that don't, and a client that retries; none of the others does. */
export function sendTraffic({ url, token, workflowDefinitionId }: Target): Traffic {
  const acknowledged: string[] = [];
  let failures: Failure[] = [];
  let sent = 0;
  let starts = 0;
  let isStopped = false;
  const json = { 'Content-Type': 'application/json' };
  const start = JSON.stringify({ workflowDefinitionId, parameters: {} });

  async function send(
    kind: Kind,
    [method, path, expected]: readonly [string, string, number],
    agent: Agent,
    headers: Record<string, string> = {},
    body: AsyncIterable<Buffer> | string = '',
  ): Promise<string | undefined> {
    sent++;
    const outcome = await exchange(
      `${url}${path}`,
      { method, agent, headers: { Authorization: token, ...headers } },
      body,
    );
    if (outcome.status === expected) return outcome.text;
    failures.push({
      kind,
      reason: `${outcome.status ?? outcome.error} ${outcome.text?.slice(0, 100) ?? ''}`,
    });
    return undefined;
  }
  async function startWith(kind: Kind, agent: Agent, headers: Record<string, string>): Promise<void> {
    starts++;
    const text = await send(kind, ['POST', '/workflows', 200], agent, { ...json, ...headers }, start);
    if (text) acknowledged.push(JSON.parse(text).id);
  }
  async function* slowly(): AsyncGenerator<Buffer> {
    for await (const part of uploadBody(Array<Buffer>(uploadPieces).fill(piece))) {
      yield part;
      await sleep(uploadPauseMilliseconds);
    }
  }

  const client = createClient({ baseUrl: url, token });
  const get = (agent: Agent) => send('GET', ['GET', '/organizations/users?size=2', 200], agent);
  const callers: [keepAlive: boolean, call: (agent: Agent) => Promise<unknown>][] = [
    [true, get],
    [true, get],
    [false, get],
    [true, (agent) => startWith('POST', agent, {})],
    [false, (agent) => startWith('POST', agent, {})],
    [true, (agent) => startWith('POST with a key', agent, { 'Idempotency-Key': randomUUID() })],
    [true, (agent) => startWith('POST with a key', agent, { 'Idempotency-Key': randomUUID() })],
    [
      true,
      (agent) =>
        send(
          'upload',
          ['POST', '/resources', 201],
          agent,
          uploadHeaders(uploadPieces * piece.length),
          slowly(),
        ),
    ],
    [
      true,
      async () => {
        sent++;
        starts++;
        try {
          const body = { workflowDefinitionId, parameters: {} };
          acknowledged.push((await unwrap(client.POST('/workflows', { body }))).id);
        } catch (error) {
          failures.push({ kind: 'client', reason: String(error) });
        }
      },
    ],
  ];
  const ended = callers.map(async ([keepAlive, call]) => {
    const agent = new Agent({ keepAlive });
    while (!isStopped) {
      await call(agent);
      await sleep(pauseMilliseconds);
    }
    agent.destroy();
  });
  return {
    acknowledged,
    starts: () => starts,
    take() {
      const taken = { failures, sent };
      failures = [];
      sent = 0;
      return taken;
    },
    async stop() {
      isStopped = true;
      await Promise.all(ended);
    },
  };
}

/** One attempt. */
function exchange(
  url: string,
  options: { method: string; agent: Agent; headers: Record<string, string> },
  body: AsyncIterable<Buffer> | string,
): Promise<{ status?: number | undefined; error?: string; text?: string }> {
  return new Promise((resolve) => {
    const sending = request(url, options);
    const fail = (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message });
    sending.once('error', fail);
    sending.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', fail).once('end', () => resolve({ status: response.statusCode, text }));
    });
    if (typeof body === 'string') sending.end(body);
    else void writeAll(sending, body);
  });
}

async function writeAll(sending: ReturnType<typeof request>, body: AsyncIterable<Buffer>): Promise<void> {
  for await (const part of body) {
    if (sending.destroyed) return;
    sending.write(part);
  }
  sending.end();
}
