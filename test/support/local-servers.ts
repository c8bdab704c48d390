import { type IncomingHttpHeaders, request } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';

/** A request as a program or a browser sends it; `undefined` leaves a header out. */
interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string | undefined>;
  body?: string | undefined;
}

interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends exactly these headers, including those that `fetch` does not let a program set. */
export function send(
  base: string,
  { method = 'GET', path = '/', headers = {}, body }: Sent,
): Promise<Received> {
  const { hostname, port, host } = new URL(base);
  const sent = Object.entries({ Host: host, ...headers }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers: Object.fromEntries(sent), setHost: false };
    const outgoing = request({ ...options, agent: false }, async (response) => {
      const body = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Hosts, with `:port` for the port of the server. */
const knownHosts = [
  '127.0.0.1:port',
  'localhost:port',
  'LocalHost:port',
  'localhost.:port',
  '[::1]:port',
  // A forwarded port, or none.
  'localhost:1',
  '127.0.0.1',
];

/** No value of a Host header (RFC 9110, section 7.2): refused like any malformed request. */
export const malformedHosts = [
  'localhost@evil.example:port',
  'evil.example@localhost:port',
  'localhost:port.evil.example',
  'localhost:port:port',
  'localhost, evil.example',
  'localhost evil.example',
  '[::1%lo]:port',
  '::1',
];

export const foreignHosts = [
  'evil.example',
  'evil.example:port',
  'EVIL.example.:port',
  'localhost.evil.example:port',
  '127.0.0.1.evil.example:port',
  'evil-localhost:port',
  'xlocalhost',
  'evil.localhost:port',
  // No program that follows the URL standard sends these notations of the loopback address.
  '127.1:port',
  '2130706433:port',
  '0x7f.0.0.1:port',
  '0177.0.0.1:port',
  '[::ffff:127.0.0.1]:port',
  '[0:0:0:0:0:0:0:1]:port',
  '0.0.0.0:port',
  '[::]:port',
  '10.0.0.1:port',
  '192.168.1.5',
  '',
];

const knownOrigins = [
  undefined,
  'http://127.0.0.1:port',
  'http://localhost:port',
  'http://localhost:5173',
  'https://localhost:5173',
  'http://localhost',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
];

export const foreignOrigins = [
  'null',
  'file://',
  'https://evil.example',
  'http://evil.example:port',
  'http://localhost.evil.example:5173',
  'http://localhost:5173.evil.example',
  'http://evil.localhost:5173',
  'http://127.0.0.1.evil.example',
  'http://localhost@evil.example',
  'http://localhost:5173/evil.example',
  'http://localhost:5173 https://evil.example',
  'http://LOCALHOST:5173',
  'http://127.1:3000',
  'http://2130706433:3000',
  'http://10.0.0.5:3000',
  'http://[::2]:3000',
  'ws://localhost:5173',
  'capacitor://localhost',
  'chrome-extension://abcdefghijklmnop',
  'localhost:5173',
  '',
];

const site = (value: string, mode: string, destination: string, referer?: string) => ({
  'Sec-Fetch-Site': value,
  'Sec-Fetch-Mode': mode,
  'Sec-Fetch-Dest': destination,
  Referer: referer,
});
const evil = 'https://evil.example/';

/** GET requests of browsers that have no `Origin`. */
const knownFetches = {
  'the address bar': site('none', 'navigate', 'document'),
  'a link of the same page': site('same-origin', 'navigate', 'document'),
  'a link of another site': site('cross-site', 'navigate', 'document', evil),
  'an image of a page on another port': site('same-site', 'no-cors', 'image'),
  'an image of a page on localhost, when called by address': site(
    'cross-site',
    'no-cors',
    'image',
    'http://localhost:5173/',
  ),
  'a script of the same page': site('same-origin', 'no-cors', 'script'),
};
export const foreignFetches = {
  'an image of another site': site('cross-site', 'no-cors', 'image', evil),
  'an image of a page that sends no Referer': site('cross-site', 'no-cors', 'image'),
  'a script of another site': site('cross-site', 'no-cors', 'script', evil),
  'a style sheet of another site': site('cross-site', 'no-cors', 'style'),
  'a frame of another site': site('cross-site', 'navigate', 'iframe', evil),
  'an object of another site': site('cross-site', 'navigate', 'object', evil),
  'an embedded document of another site': site('cross-site', 'navigate', 'embed'),
  'a fetch without CORS of another site': site('cross-site', 'no-cors', 'empty', evil),
  'a site of an unknown kind': site('other-site', 'no-cors', 'image'),
  'a page whose Referer only looks like this machine': site(
    'cross-site',
    'no-cors',
    'image',
    'http://localhost.evil.example/',
  ),
};

/** Media types that a control refuses: all that a page can send without a preflight, and what looks like JSON. */
const otherTypes = [
  undefined,
  '',
  'text/plain',
  'text/plain;charset=UTF-8',
  'text/plain; a=application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/jsonp',
  'text/json',
];
const jsonTypes = ['application/json', 'application/json; charset=utf-8', 'Application/JSON'];

/** A running server of a tool. */
export interface LocalServer {
  base: string;
  /** A path that a GET may read. */
  read: string;
  /** What changes its state, if it has any. */
  write: Sent;
  /** What `write` would change. */
  state?(): Promise<unknown>;
}

/** A mock, by a control that changes something. */
export const controlled = (base: string): LocalServer => ({
  base,
  read: '/__mock/faults',
  write: {
    method: 'POST',
    path: '/__mock/faults',
    headers: { 'Content-Type': 'application/json' },
    body: '{"operation": "createLink", "status": 503}',
  },
  state: async () => (await send(base, { path: '/__mock/faults' })).body,
});

/** The tests of one server: everything above, as requests that read and that write. */
export function accessTests(name: string, server: () => LocalServer): void {
  const at = (text: string | undefined) => text?.replaceAll('port', new URL(server().base).port);
  const reading = (headers: Record<string, string | undefined>) =>
    send(server().base, { path: server().read, headers });
  const writing = ({ headers, ...sent }: Sent = {}) => {
    const { write, base } = server();
    return send(base, { ...write, ...sent, headers: { ...write.headers, ...headers } });
  };
  const preflight = (origin: string | undefined) =>
    send(server().base, {
      method: 'OPTIONS',
      path: server().write.path ?? '/',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
        'Access-Control-Request-Private-Network': 'true',
      },
    });
  const expectRefused = ({ status, headers, body }: Received, expected = [403, 'permission_denied']) => {
    expect([status, JSON.parse(body).errors[0].code]).toEqual(expected);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(Object.keys(headers).filter((header) => /^(access-control|set-cookie)/.test(header))).toEqual([]);
  };
  const expectPassed = ({ status }: Received) => expect(status).not.toBe(403);
  /** Refused, and nothing has changed. */
  const expectUntouched = async (send: () => Promise<Received>, expected?: (number | string)[]) => {
    const before = await server().state?.();
    expectRefused(await send(), expected);
    expect(await server().state?.()).toEqual(before);
  };

  describe(`${name}: a request`, () => {
    test.each(knownHosts)('to the host %j is served', async (host) => {
      expectPassed(await reading({ Host: at(host) }));
      expectPassed(await writing({ headers: { Host: at(host) } }));
    });

    test.each(foreignHosts)('to the host %j is refused', async (host) => {
      expectRefused(await reading({ Host: at(host) }));
      // A page that reaches this machine by a name of its own: its origin is that of the request.
      await expectUntouched(() => writing({ headers: { Host: at(host), Origin: `http://${at(host)}` } }));
    });

    test.each(malformedHosts)('to the malformed host %j is refused', async (host) => {
      const headers = { Host: at(host), Origin: `http://${at(host)}` };
      expectRefused(await reading({ Host: at(host) }), [400, 'request_malformed']);
      await expectUntouched(() => writing({ headers }), [400, 'request_malformed']);
    });

    test('without a host is refused', async () => {
      const { status } = await reading({ Host: undefined });
      expect([400, 403]).toContain(status);
    });

    test('to a known host with another host in its target is refused', async () => {
      const headers = { Host: at('localhost:port') };
      const path = `http://evil.example${server().read}`;
      expectRefused(await send(server().base, { path, headers }));
    });

    test.each(knownOrigins)('of the origin %j is served', async (origin) => {
      expectPassed(await reading({ Origin: at(origin) }));
      expectPassed(await writing({ headers: { Origin: at(origin) } }));
      expectPassed(await preflight(at(origin)));
    });

    test.each(foreignOrigins)('of the origin %j is refused', async (origin) => {
      expectRefused(await reading({ Origin: at(origin) }));
      await expectUntouched(() => writing({ headers: { Origin: at(origin) } }));
      expectRefused(await preflight(at(origin)));
    });

    test.each(otherTypes)('of another origin with the media type %j is refused', async (type) => {
      for (const origin of ['https://evil.example', 'null']) {
        for (const method of ['POST', 'PUT', 'DELETE']) {
          const headers = { Origin: origin, 'Content-Type': type };
          await expectUntouched(() => writing({ method, headers }));
        }
      }
    });

    test.each(Object.entries(knownFetches))('by %s is served', async (_what, headers) => {
      expectPassed(await reading(headers));
    });

    test.each(Object.entries(foreignFetches))('by %s is refused', async (_what, headers) => {
      expectRefused(await reading(headers));
      expectRefused(
        await send(server().base, { method: 'HEAD', path: server().read, headers }).then(withBody),
      );
    });

    test('that writes is refused if it is a form of another site, whatever it says', async () => {
      // A browser that sends no origin with a form is older than Sec-Fetch-Site, or does not exist.
      for (const Origin of ['https://evil.example', 'null', undefined])
        await expectUntouched(() =>
          writing({ headers: { ...site('cross-site', 'navigate', 'document', evil), Origin } }),
        );
    });
  });
}

/** A HEAD response has no body to check. */
const withBody = (received: Received): Received => ({
  ...received,
  body: '{"errors":[{"code":"permission_denied"}]}',
});

/** The tests of the controls of a mock, beside those of every server. */
export function controlTests(name: string, base: () => string): void {
  const fault = { status: 503, times: 1 };
  const control = (method: string, path: string, headers: Sent['headers'] = {}, body?: string) =>
    send(base(), { method, path: `/__mock${path}`, headers, body });
  const faults = async () => JSON.parse((await control('GET', '/faults')).body).faults;
  const add = (type: string | undefined, origin?: string) =>
    control('POST', '/faults', { 'Content-Type': type, Origin: origin }, JSON.stringify(fault));

  describe(`${name}: the controls`, () => {
    beforeEach(() => control('DELETE', '/faults'));

    test.each(otherTypes)(
      'refuse a body with the media type %j: 415 content_type_unsupported',
      async (type) => {
        for (const origin of [undefined, 'http://localhost:5173']) {
          const { status, body } = await add(type, origin);
          expect([status, JSON.parse(body)]).toMatchObject([
            415,
            { errors: [{ code: 'content_type_unsupported' }] },
          ]);
          expect(await faults()).toEqual([]);
        }
      },
    );

    test.each(jsonTypes)('take a body with the media type %j', async (type) => {
      for (const origin of [undefined, 'http://localhost:5173']) {
        expect((await add(type, origin)).status).toBe(200);
        expect(await faults()).toEqual([fault]);
        expect((await control('DELETE', '/faults')).status).toBe(200);
      }
    });

    test('clear the faults for the form of the page only', async () => {
      await add('application/json');
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expect((await control('POST', '/faults/clear', type)).status).toBe(404);
      for (const Origin of ['https://evil.example', 'null'])
        expect((await control('POST', '/faults/clear', { ...type, Origin })).status).toBe(403);
      expect(await faults()).toEqual([fault]);
      expect((await control('POST', '/faults/clear', { ...type, Origin: base() })).status).toBe(303);
      expect(await faults()).toEqual([]);
    });

    test('keep a fault when a link of another site opens an operation', async () => {
      await add('application/json');
      await send(base(), { path: '/organizations/users', headers: knownFetches['a link of another site'] });
      expect(await faults()).toEqual([fault]);
      const headers = { Authorization: 'any' };
      expect((await send(base(), { path: '/organizations/users', headers })).status).toBe(503);
      expect(await faults()).toEqual([]);
    });

    test('name the host or the origin that is refused, and the option that allows it', async () => {
      const messageOf = async (headers: Sent['headers']) =>
        JSON.parse((await control('GET', '', headers)).body).errors[0].message;
      expect(await messageOf({ Host: 'mock:4010' })).toBe(
        'This server does not respond to the host mock. Start it with --allow-host mock to allow that.',
      );
      expect(await messageOf({ Origin: 'https://app.example' })).toBe(
        'Pages of https://app.example may not call this server. Start it with --allow-origin https://app.example to allow that.',
      );
      expect(await messageOf({ Origin: 'null' })).toContain('Serve it at http://localhost.');
    });
  });
}
