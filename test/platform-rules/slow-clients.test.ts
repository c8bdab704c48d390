import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { api } from '../support/api.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { hold, nextConnection, standstill, until } from '../support/waiting.ts';

// Thousands of them: npm run prove -- slow-clients.
const idleSeconds = 1;
const platform = await api({ bodyIdleSeconds: idleSeconds, responseIdleSeconds: idleSeconds });
const { world, owner, actor, given, database, clock } = platform;
const fileSize = 32 << 20;

function open(...lines: string[]): Socket {
  const socket = connect({ port: platform.ports.production, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  const head = [...lines, 'Host: test', `Authorization: ${world.owner.token}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

describe('a body', () => {
  test.each([
    ['JSON', 'POST /workflows HTTP/1.1', 'application/json', '{'],
    [
      'a form',
      'POST /resources HTTP/1.1',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
    ],
  ])('that arrives byte by byte without end gets 408: %s', async (_what, line, type, begin) => {
    const socket = open(line, `Content-Type: ${type}`, 'Content-Length: 100000');
    socket.write(begin);
    const trickle = setInterval(() => socket.write(' '), (idleSeconds * 1000) / 10);
    onTestFinished(() => clearInterval(trickle));
    const [received] = await once(socket, 'data', { signal: AbortSignal.timeout(scaledTimeout(5_000)) });
    expect(String(received)).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s);
  });

  test('that arrives slowly, but within the limit, is read', async () => {
    const body = JSON.stringify({ parameters: 'x'.repeat(8_000) });
    const type = 'Content-Type: application/json';
    const socket = open('POST /workflows HTTP/1.1', type, `Content-Length: ${body.length}`);
    const pieces = 15;
    const each = Math.ceil(body.length / pieces);
    for (let piece = 0; piece < pieces; piece++) {
      socket.write(body.slice(piece * each, (piece + 1) * each));
      await sleep((idleSeconds * 1000) / 10);
    }
    const [received] = await once(socket, 'data');
    expect(String(received)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('a body that arrives while the process is held is read', async () => {
  const body = JSON.stringify({ parameters: 'x'.repeat(800) });
  platform.statements.length = 0;
  const type = 'Content-Type: application/json';
  const socket = open('POST /workflows HTTP/1.1', type, `Content-Length: ${body.length}`);
  socket.write(body.slice(0, 10));
  // The caller is identified, and the body awaited.
  await until(() => platform.statements.length > 0, { interval: 5 });
  await standstill(() => platform.statements.length);
  await hold(idleSeconds * 1_500, () => socket.write(body.slice(10)));
  const [received] = await once(socket, 'data');
  expect(String(received)).toMatch(/^HTTP\/1\.1 400 /);
});

describe('a response', async () => {
  const { data } = await owner.POST('/resources', {
    body: { file: new File([Buffer.alloc(fileSize)], 'a') },
  });
  const download = () => open(`GET ${data?.resourcePath} HTTP/1.1`);

  test('that the client does not read is ended by closing its connection', async () => {
    const connection = nextConnection();
    const socket = download();
    await once(socket, 'readable');
    await once(await connection, 'close');
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    await once(socket, 'close', { signal: AbortSignal.timeout(scaledTimeout(5_000)) });
    expect(received).toBeLessThan(fileSize);
  });

  test('that has begun is sent to its end, although the token of its request is revoked meanwhile', async () => {
    const user = await given.user({ organization: world.organization, role: 'admin' });
    const token = await given.token({ user, homeWorkspace: world.workspace });
    const response = await actor(token).fetch(String(data?.resourcePath));
    await database
      .updateTable('organization_tokens')
      .set({ revoked_at: clock.now() })
      .where('user_id', '=', user.id)
      .execute();
    expect((await response.arrayBuffer()).byteLength).toBe(fileSize);
    expect((await actor(token).fetch(String(data?.resourcePath))).status).toBe(401);
  });

  test('that the client reads slowly is sent to its end', async () => {
    const socket = download();
    let received = 0;
    for await (const chunk of socket) {
      received += chunk.length;
      if (received > fileSize) break;
      await sleep(3);
    }
    expect(received).toBeGreaterThan(fileSize);
  });
});
