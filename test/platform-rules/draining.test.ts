import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../server/http-server/index.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { hold, until } from '../support/waiting.ts';

/** Serves requests, and calls them over a connection that the client keeps. */
async function givenListener(serve: RequestListener) {
  const arrived = Promise.withResolvers<void>();
  const listener = await listen(
    { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' }, headers: {} as never },
    (request, response) => {
      arrived.resolve();
      serve(request, response);
    },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const call = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ port: listener.port, agent }, (response) => {
        response.resume().once('end', () => resolve(response));
      }).once('error', reject);
    });
  return { listener, call, arrived: arrived.promise };
}

const respondAfter =
  (milliseconds: number, begin = false): RequestListener =>
  async (_request, response) => {
    if (begin) response.writeHead(200, { 'Content-Length': 4 }).write('do');
    await sleep(milliseconds);
    response.end(begin ? 'ne' : 'done');
  };

/** Far above what it takes, and far below the keep-alive timeout. */
const soon = scaledTimeout(5_000);

test.each([
  ['whose response has not begun', false],
  ['whose response has begun', true],
])('draining completes a request %s, and does not wait for its connection', async (_which, begin) => {
  const { listener, call, arrived } = await givenListener(respondAfter(200, begin));
  const open = call();
  await arrived;
  const startedAt = performance.now();
  await listener.drain(60_000);
  expect(performance.now() - startedAt).toBeLessThan(soon);
  const { statusCode, headers } = await open;
  expect(statusCode).toBe(200);
  expect(headers.connection).toBe(begin ? 'keep-alive' : 'close');
});

test('draining completes a response that has ended and is still being sent', async () => {
  const size = 64 << 20;
  const { listener } = await givenListener((_request, response) => response.end(Buffer.alloc(size)));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port: listener.port, agent: false }, resolve).once('error', reject);
  });
  const drained = listener.drain(60_000);
  await sleep(300);
  let received = 0;
  for await (const chunk of response) received += (chunk as Buffer).length;
  expect(received).toBe(size);
  await drained;
});

test('draining completes all requests that a client has sent at once over one connection', async () => {
  let served = 0;
  const { listener } = await givenListener((_request, response) => {
    served += 1;
    setTimeout(() => response.end('done'), 200);
  });
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2));
  await until(() => served === 2);
  const drained = listener.drain(60_000);
  const received = Buffer.concat(await socket.toArray()).toString();
  expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  await drained;
});

test('draining first announces to clients that connections close, and serves what they send until then', async () => {
  const { listener, call } = await givenListener(respondAfter(0));
  expect((await call()).headers.connection).toBe('keep-alive');
  const drained = listener.drain(60_000, 2_000);
  for (let request = 0; request < 3; request++) {
    const { statusCode, headers } = await call();
    expect(statusCode).toBe(200);
    expect(headers.connection).toBe('close');
  }
  await drained;
  await expect(call()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('draining closes connections whose requests take longer than the limit', async () => {
  const { listener, call, arrived } = await givenListener(respondAfter(60_000));
  const open = call();
  await arrived;
  const drained = listener.drain(200);
  await expect(open).rejects.toMatchObject({ code: 'ECONNRESET' });
  await drained;
});

// A turn of the event loop accepts one connection.
test.each<[which: string, connections: number]>([
  ['a kept connection', 0],
  ['a new connection', 1],
  ['many new connections', 20],
])(
  'draining completes a request that came on %s just before the port closed, and that is not read yet',
  async (_which, connections) => {
    const { listener } = await givenListener((_request, response) => response.end('done'));
    const open = () => connect(listener.port, '127.0.0.1').setEncoding('utf8');
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
    let received = '';
    const read = (text: string) => {
      received += text;
    };
    const responses = () => received.match(/done/g)?.length ?? 0;
    const kept = open().on('data', read);
    onTestFinished(() => void kept.destroy());
    kept.write(request);
    await until(() => responses() === 1);
    const grace = 50;
    const drained = listener.drain(60_000, grace);
    // The grace ends meanwhile.
    await hold(4 * grace, () => {
      if (connections === 0) kept.write(request);
      for (let count = 0; count < connections; count++)
        open().on('data', read).on('error', read).write(request);
    });
    await until(() => responses() === 1 + (connections || 1));
    await drained;
  },
);
