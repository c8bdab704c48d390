import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { OutboundFailed, OutboundRefused } from '../../server/outbound/errors.ts';
import { createOutbound, type Outbound, type RefusedAddress } from '../../server/outbound/outbound.ts';
import type { Resolve } from '../../server/outbound/resolve.ts';
import { privateHosts, refusedUrls } from '../support/hostile/addresses.ts';

/** Records requests that reach a private address; the guard must prevent all of them. */
const reached: string[] = [];
afterEach(() => void reached.splice(0));

async function localServer(respond: RequestListener = (_request, response) => void response.end('inside')) {
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.headers.host}${request.url}`);
    respond(request, response);
  });
  // Keep-alive connections stay open.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  });
  return (server.address() as AddressInfo).port;
}

function outbound(options: Parameters<typeof createOutbound>[0]): Outbound {
  const made = createOutbound(options);
  onTestFinished(() => made.close());
  return made;
}

const call = (using: Outbound, url: string, more: object = {}) =>
  using.request({
    url,
    method: 'POST',
    body: 'x',
    timeoutMilliseconds: 30_000,
    maximumBytes: 1_000,
    ...more,
  });

async function reasonOf(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => new Error('it was made'),
    (thrown) => thrown,
  );
  expect(error).toSatisfy((it) => it instanceof OutboundRefused || it instanceof OutboundFailed, `${error}`);
  return error.reason;
}

describe('an address in a URL', () => {
  test.each(privateHosts)('is refused if it is not public: %s, %s', async (_what, host) => {
    const port = await localServer();
    const using = outbound({ allowPrivate: false });
    for (const scheme of ['http', 'https']) {
      expect(await reasonOf(call(using, `${scheme}://${host}:${port}/`))).toBe('address_not_public');
    }
    expect(reached).toEqual([]);
  });

  test('is allowed if its origin is named, and no other origin', async () => {
    const [port, other] = [await localServer(), await localServer()];
    const using = outbound({ allowPrivate: [`http://localhost:${port}`, `http://[::ffff:7f00:1]:${port}`] });
    for (const host of ['localhost', 'LOCALHOST', '[::ffff:127.0.0.1]']) {
      expect((await call(using, `http://${host}:${port}/`)).body.toString()).toBe('inside');
    }
    for (const url of [
      `http://localhost:${other}/`,
      `http://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
      'http://localhost/',
    ]) {
      expect([url, await reasonOf(call(using, url))]).toEqual([url, 'address_not_public']);
    }
    expect(reached).toHaveLength(3);
  });

  test('is allowed with allowPrivate, in any notation', async () => {
    const port = await localServer();
    const using = outbound({ allowPrivate: true });
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:7f00:1]', 'localhost']) {
      expect((await call(using, `http://${host}:${port}/`)).body.toString()).toBe('inside');
    }
    expect(reached).toHaveLength(6);
  });
});

describe('a URL that cannot be called is refused:', () => {
  test.each(refusedUrls)('%s: %s', async (reason, url) => {
    for (const allowPrivate of [false, true]) {
      expect(await reasonOf(call(outbound({ allowPrivate }), url))).toBe(reason);
    }
  });
});

describe('a name', () => {
  const to = (...responses: string[][]): { resolve: Resolve; asked: string[] } => {
    const asked: string[] = [];
    const resolve: Resolve = async (hostname) => {
      asked.push(hostname);
      return responses[Math.min(asked.length, responses.length) - 1] as string[];
    };
    return { resolve, asked };
  };

  test.each([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['IPv4-mapped', ['::ffff:127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['a public and a private address', ['93.184.215.14', '127.0.0.1']],
    ['a private and a public address', ['10.0.0.1', '2606:4700:4700::1111']],
  ])('is refused if it resolves to %s', async (_what, addresses) => {
    const port = await localServer();
    const { resolve } = to(addresses);
    const attempt = call(outbound({ allowPrivate: false, resolve }), `http://receiver.example:${port}/`);
    expect(await reasonOf(attempt)).toBe('address_not_public');
    expect(reached).toEqual([]);
  });

  test('is refused with the same message whatever it resolves to; only the log has the address', async () => {
    const seen: RefusedAddress[] = [];
    const onRefused = (refused: RefusedAddress) => void seen.push(refused);
    const messages = new Set<string>();
    const addresses = ['127.0.0.1', '10.20.30.40', '169.254.169.254', 'fd00::7', '::ffff:192.168.1.9'];
    for (const address of addresses) {
      const { resolve } = to([address]);
      const attempt = call(
        outbound({ allowPrivate: false, resolve, onRefused }),
        'http://db.internal.example/',
      );
      messages.add(await attempt.catch((error) => error.message));
    }
    expect([...messages]).toEqual(['The address is not public.']);
    expect(seen).toEqual(addresses.map((address) => ({ host: 'db.internal.example', address })));
  });

  test('of this machine is refused by the system’s own resolver', async () => {
    const port = await localServer();
    const using = outbound({ allowPrivate: false });
    for (const host of ['localhost', 'LOCALHOST']) {
      expect(await reasonOf(call(using, `http://${host}:${port}/`))).toBe('address_not_public');
    }
    expect(reached).toEqual([]);
  });

  test('that resolves to a public address first and a private one later never reaches the private one', async () => {
    const port = await localServer();
    const { resolve, asked } = to(['192.0.1.1'], ['127.0.0.1']);
    const using = outbound({ allowPrivate: false, resolve });
    const url = `http://rebinding.example:${port}/`;
    // The connection goes to the checked address, where nothing listens; the name is not resolved again.
    const first = await reasonOf(call(using, url, { timeoutMilliseconds: 500 }));
    expect(['timeout', 'connection_failed']).toContain(first);
    expect(asked).toEqual(['rebinding.example']);
    expect(await reasonOf(call(using, url))).toBe('address_not_public');
    expect(asked).toHaveLength(2);
    expect(reached).toEqual([]);
  });

  test('is resolved once for a connection, which is reused', async () => {
    const connections = new Set<unknown>();
    const port = await localServer((request, response) => {
      connections.add(request.socket);
      response.end('inside');
    });
    const { resolve, asked } = to(['127.0.0.1']);
    const using = outbound({ allowPrivate: true, resolve });
    for (let times = 0; times < 5; times++) {
      const { status, body } = await call(using, `http://receiver.example:${port}/events`);
      expect([status, body.toString()]).toEqual([200, 'inside']);
    }
    expect(asked).toHaveLength(connections.size);
    expect(connections.size).toBeLessThan(5);
    expect(new Set(reached)).toEqual(new Set([`POST receiver.example:${port}/events`]));
  });

  test('that does not resolve is reported', async () => {
    const resolve: Resolve = async () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    const attempt = call(outbound({ allowPrivate: false, resolve }), 'http://nowhere.example/');
    expect(await reasonOf(attempt)).toBe('host_unknown');
    const none = call(outbound({ allowPrivate: false, resolve: async () => [] }), 'http://nowhere.example/');
    expect(await reasonOf(none)).toBe('host_unknown');
  });
});

describe('a response', () => {
  test.each([301, 302, 303, 307, 308])('that redirects with %d is not followed', async (code) => {
    const inside = await localServer();
    let location = '';
    const port = await localServer((_request, response) => {
      response.writeHead(code, { Location: location, Refresh: `0; url=${location}` }).end();
    });
    const using = outbound({ allowPrivate: true });
    for (location of [
      `http://127.0.0.1:${inside}/secret`,
      `http://localhost:${inside}/secret`,
      `//127.0.0.1:${inside}/secret`,
      `http://[::1]:${inside}/secret`,
      'file:///etc/passwd',
      'http://169.254.169.254/latest/meta-data/',
    ]) {
      reached.length = 0;
      expect((await call(using, `http://127.0.0.1:${port}/`)).status).toBe(code);
      expect(reached).toEqual([`POST 127.0.0.1:${port}/`]);
    }
  });

  test('larger than allowed ends the call', async () => {
    const port = await localServer((_request, response) => void response.end('x'.repeat(1_001)));
    const using = outbound({ allowPrivate: true });
    expect(await reasonOf(call(using, `http://127.0.0.1:${port}/`))).toBe('response_too_large');
    const { body } = await call(using, `http://127.0.0.1:${port}/`, { maximumBytes: 1_001 });
    expect(body).toHaveLength(1_001);
  });

  test('whose body is not needed is not read', async () => {
    const port = await localServer((_request, response) => void response.writeHead(202).write('x'));
    const { status, body } = await call(outbound({ allowPrivate: true }), `http://127.0.0.1:${port}/`, {
      maximumBytes: 0,
    });
    expect([status, body.length]).toEqual([202, 0]);
  });

  test.each([
    ['that never comes', () => {}],
    ['that never ends', (_request, response) => void response.writeHead(200).write('x')],
  ] satisfies [string, RequestListener][])('%s is a timeout', async (_what, listener) => {
    const port = await localServer(listener);
    const attempt = call(outbound({ allowPrivate: true }), `http://127.0.0.1:${port}/`, {
      timeoutMilliseconds: 200,
    });
    expect(await reasonOf(attempt)).toBe('timeout');
  });

  test('that is not HTTP, and a closed port, are failures', async () => {
    const port = await localServer((request) => void request.socket.end('SSH-2.0-x\r\n'));
    const using = outbound({ allowPrivate: true });
    expect(await reasonOf(call(using, `http://127.0.0.1:${port}/`))).toBe('connection_failed');
    expect(await reasonOf(call(using, 'http://127.0.0.1:1/'))).toBe('connection_failed');
    for (const url of [`http://127.0.0.1:${port}/`, 'http://127.0.0.1:1/']) {
      const { message } = await call(using, url).catch((error) => error);
      expect(message).toMatch(/^(The connection failed: [A-Z_]+|The response is not HTTP)\.$/);
    }
  });

  test('that is aborted ends with the reason of the abort', async () => {
    const port = await localServer(() => {});
    const stop = new AbortController();
    const attempt = call(outbound({ allowPrivate: true }), `http://127.0.0.1:${port}/`, {
      signal: stop.signal,
    });
    stop.abort(new Error('the platform stops'));
    await expect(attempt).rejects.toThrow('the platform stops');
  });
});
