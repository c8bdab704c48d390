import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { webhookSigner } from '@wrp/client/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { type DemoPlatform, demoPlatform } from '../support/demo.ts';
import { go, python } from '../support/foreign-toolchains.ts';
import { forgedWebhooks } from '../support/forged-webhooks.ts';
import { capturedMessage } from '../support/snippets/captured-message.ts';
import { type Snippet, snippetsOfPage } from '../support/snippets/snippet.ts';
import { atEnd } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');

interface Send {
  /** @returns the status. A receiver explains no refusal to its caller */
  (signature: string | undefined, body: string | Uint8Array<ArrayBuffer>): Promise<number>;
  /** What the receiver logged. */
  log(): string;
  url: string;
}

/** The receivers in Python and Go that the guides show. */
async function shownReceivers(): Promise<Snippet[]> {
  const names = (await readdir(join(root, 'spec/guides'))).filter((name) => name.endsWith('.md'));
  const pages = await Promise.all(
    ['README.md', 'client/README.md', ...names.map((name) => `spec/guides/${name}`)].map(snippetsOfPage),
  );
  // Those with a name are parts of programs, of the guide to generators.
  return pages.flat().filter(({ language, claim }) => ['python', 'go'].includes(language) && !claim);
}

const receivers = await shownReceivers();
const toolchains: Record<string, string | undefined> = { python, go };
let directory = '';
const running: ChildProcess[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wrp-receivers-'));
});
afterAll(async () => {
  for (const child of running) child.kill();
  await rm(directory, { recursive: true });
});

/** Starts a receiver that fetches keys from a URL, on a free port instead of the one shown. */
async function started({ language, code }: Snippet, baseUrl: string): Promise<Send> {
  const port = await freePort();
  const file = join(directory, `${port}.${language === 'go' ? 'go' : 'py'}`);
  await writeFile(file, `${code.replace(/\b300\d\b/, String(port))}\n`);
  const command = language === 'go' ? await compiled(file) : [python ?? '', file];
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, WRP_BASE_URL: baseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const isUp = () => {
    if (child.exitCode !== null) throw new Error(`The receiver ended: ${printed}`);
    return fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  };
  await vi.waitUntil(isUp, { timeout: scaledTimeout(20_000), interval: 50 });
  const send = async (signature: string | undefined, body: string | Uint8Array<ArrayBuffer>) => {
    const headers = {
      'Content-Type': 'application/json',
      ...(signature && { 'Webhook-Signature': signature }),
    };
    const response = await fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', headers, body });
    if (response.status < 500) expect(await response.text()).toBe('');
    return response.status;
  };
  return Object.assign(send, { log: () => printed, url: `http://127.0.0.1:${port}/events` });
}

async function compiled(file: string): Promise<string[]> {
  const { stdout: unformatted } = await execute(join(go ?? '', '../gofmt'), ['-d', file]);
  expect(unformatted).toBe('');
  await execute(go ?? 'go', ['vet', file]);
  await execute(go ?? 'go', ['build', '-o', `${file}.out`, file], { timeout: 120_000 });
  return [`${file}.out`];
}

/** Signatures with keys of the test's own, which serves them as the platform does. */
async function ownSigner() {
  const signer = await webhookSigner();
  const server = createServer(async (request, response) => {
    const served = await signer.fetch(new Request(new URL(request.url ?? '', 'http://127.0.0.1')));
    const text = await served.text();
    const isPem = served.ok && request.url?.endsWith('?pem=true');
    const key = () => createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    response.writeHead(served.status).end(isPem ? key().export({ format: 'pem', type: 'spki' }) : text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { signer, baseUrl: `http://127.0.0.1:${port}` };
}

test('the guides show a receiver in Python and in Go', () => {
  expect(receivers.map(({ language }) => language)).toEqual(['python', 'go']);
});

describe.each(receivers)('the receiver of $file in $language', (receiver) => {
  describe.skipIf(!toolchains[receiver.language])('with the platform', () => {
    let platform: DemoPlatform;
    let send: Send;
    beforeAll(async () => {
      platform = await demoPlatform();
      send = await started(receiver, platform.baseUrl);
    });

    test('accepts what the platform delivered, and refuses what is forged of it', async () => {
      const { headers, body: genuine } = await capturedMessage(platform);
      const signed = headers['webhook-signature'] as string;
      expect(await send(signed, genuine)).toBe(204);
      for (const { what, signature, body } of forgedWebhooks({ signature: signed, body: genuine }))
        expect([what, await send(signature, body)]).toEqual([what, 400]);
      await vi.waitUntil(() => /could not be verified: .*signature/.test(send.log()));
    });
  });

  describe.skipIf(!toolchains[receiver.language])('with other signatures', () => {
    let send: Send;
    let signer: Awaited<ReturnType<typeof webhookSigner>>;
    const event = { id: '5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a01', type: 'user.terminated', data: {} };
    const signatureOf = ({ headers }: { headers: Record<string, string> }) =>
      headers['Webhook-Signature'] ?? '';
    beforeAll(async () => {
      const own = await ownSigner();
      signer = own.signer;
      send = await started(receiver, own.baseUrl);
    });

    // The limit is 300. The receiver has its own clock, and a busy machine takes seconds to send.
    test.each([
      [280, 204],
      [-290, 204],
      [310, 400],
      [-320, 400],
    ])('%i seconds after signing, responds with %i', async (seconds, status) => {
      const signed = await signer.sign(event, { at: new Date(Date.now() - seconds * 1000) });
      expect(await send(signatureOf(signed), signed.body)).toBe(status);
    });

    test('refuses two headers with a signature', async () => {
      const signed = await signer.sign(event);
      const headers = { 'Webhook-Signature': [signatureOf(signed), signatureOf(signed)] };
      const sent = request(send.url, { method: 'POST', headers }).end(signed.body);
      const [{ statusCode }] = await once(sent, 'response');
      expect(statusCode).toBe(400);
    });

    test('responds with 500 if the key cannot be fetched, so that the event is delivered again', async () => {
      const unreachable = await started(receiver, 'http://127.0.0.1:9');
      const signed = await signer.sign(event);
      expect(await unreachable(signatureOf(signed), signed.body)).toBe(500);
    });
  });
});
