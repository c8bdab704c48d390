import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import {
  ConnectionError,
  type IncomingHeaders,
  InternalServerError,
  TimeoutError,
  TooManyRequestsError,
  WebhookVerificationError,
  type WebhookVerificationReason,
  webhookVerifier,
} from '@wrp/client';
import { type SignedWebhook, webhookSigner } from '@wrp/client/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { signWebhook } from '../../server/src/domain/webhooks.ts';
import { forgedWebhooks } from '../support/forged-webhooks.ts';
import { isSigned } from '../webhooks/receiver.ts';

const baseUrl = 'https://api.example.com';
const event = { id: randomUUID(), type: 'user.mfa_reset', data: { userId: randomUUID(), note: 'Ünïcode ✓' } };
const minute = 60_000;
const header = 'Webhook-Signature';

/** A verifier for a signer's keys that records each key request. */
async function pair() {
  const signer = await webhookSigner();
  const fetched = vi.fn(signer.fetch);
  return { signer, fetched, verify: webhookVerifier({ baseUrl, fetch: fetched }) };
}

async function failureOf(verified: Promise<unknown>): Promise<WebhookVerificationReason> {
  const error = await verified.catch((caught: unknown) => caught);
  if (!(error instanceof WebhookVerificationError))
    throw new Error('The webhook was verified.', { cause: error });
  return error.reason;
}

/** Signs with an arbitrary JWS header. */
function signed(
  protectedHeader: object | string,
  body: Uint8Array,
  key = generateKeyPairSync('ec', { namedCurve: 'P-256' }),
) {
  const text = typeof protectedHeader === 'string' ? protectedHeader : JSON.stringify(protectedHeader);
  const head = Buffer.from(text).toString('base64url');
  const input = `${head}.${Buffer.from(body).toString('base64url')}`;
  const signature = createSign('sha256')
    .update(input)
    .sign({ key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return `${head}..${signature.toString('base64url')}`;
}

describe('webhookVerifier', () => {
  test("verifies the contract's example", async () => {
    const { WebhookSignature } = parse(await readFile('spec/parameters.yaml', 'utf8'));
    const { keyAsBase64, claimStarted } = parse(await readFile('spec/examples/webhooks.yaml', 'utf8'));
    const verify = webhookVerifier({ baseUrl, fetch: async () => new Response(keyAsBase64.value) });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-19T09:12:45Z') });
    const body = JSON.stringify(claimStarted.value);
    expect(await verify(body, { [header]: WebhookSignature.example })).toEqual(claimStarted.value);
  });

  test('accepts the body as bytes, ArrayBuffer or text, and headers as Headers or an object in any case', async () => {
    const { signer, verify } = await pair();
    const { body, headers } = await signer.sign(event);
    const value = headers[header];
    for (const raw of [body, Buffer.from(body), body.buffer, new TextDecoder().decode(body)])
      for (const named of [new Headers(headers), headers, { 'webhook-signature': value }])
        expect(await verify(raw, named)).toEqual(event);
  });

  describe('the header of a request', () => {
    const other = 'other';
    const cases: [string, (value: string) => IncomingHeaders, WebhookVerificationReason | undefined][] = [
      ['in Headers', (value) => new Headers({ [header]: value }), undefined],
      ['in the case of the contract', (value) => ({ [header]: value }), undefined],
      ['in lower case', (value) => ({ 'webhook-signature': value }), undefined],
      ['in upper case', (value) => ({ 'WEBHOOK-SIGNATURE': value }), undefined],
      ['as a list of one', (value) => ({ [header]: [value] }), undefined],
      ['with an undefined twin', (value) => ({ [header]: undefined, 'webhook-signature': value }), undefined],
      ['among others', (value) => ({ host: 'a', 'set-cookie': ['b', 'c'], [header]: value }), undefined],
      ['named like methods of Headers', (value) => ({ get: 'a', entries: 'b', [header]: value }), undefined],
      ['in none', () => ({}), 'signature_missing'],
      ['undefined', () => ({ [header]: undefined }), 'signature_missing'],
      ['as an empty list', () => ({ [header]: [] }), 'signature_missing'],
      ['missing in Headers', () => new Headers(), 'signature_missing'],
      ['as a list of two', (value) => ({ [header]: [value, other] }), 'signature_malformed'],
      ['as a list of two equal ones', (value) => ({ [header]: [value, value] }), 'signature_malformed'],
      [
        'twice in Headers',
        (value) =>
          new Headers([
            [header, value],
            [header, value],
          ]),
        'signature_malformed',
      ],
      ['in two cases', (value) => ({ [header]: value, 'webhook-signature': value }), 'signature_malformed'],
      [
        'in two cases, as lists',
        (value) => ({ [header]: [value], 'webhook-signature': [other] }),
        'signature_malformed',
      ],
    ];
    const bodies: [string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | ArrayBuffer | string][] = [
      ['bytes', (bytes) => bytes],
      ['a Buffer', (bytes) => Buffer.from(bytes)],
      ['a Buffer of a pool', (bytes) => Buffer.concat([Buffer.from('xx'), bytes]).subarray(2)],
      ['a DataView', (bytes) => new DataView(bytes.buffer) as never],
      ["another realm's bytes", (bytes) => runInNewContext('new Uint8Array(bytes)', { bytes: [...bytes] })],
      ['an ArrayBuffer', (bytes) => bytes.buffer],
      ['text', (bytes) => new TextDecoder().decode(bytes)],
    ];

    test.each(
      bodies.flatMap(([body, bodyOf]) =>
        cases.map(([name, headersOf, reason]) => ({ body, name, bodyOf, headersOf, reason })),
      ),
    )('$name with a body as $body', async ({ bodyOf, headersOf, reason }) => {
      const { signer, verify } = await pair();
      const { body, headers } = await signer.sign(event);
      const verified = verify(bodyOf(body), headersOf(headers[header] as string));
      if (reason) expect(await failureOf(verified)).toBe(reason);
      else expect(await verified).toEqual(event);
    });

    test('is refused in a list of two with its reason', async () => {
      const { signer, verify } = await pair();
      const { body, headers } = await signer.sign(event);
      const value = headers[header] as string;
      await expect(verify(body, { [header]: [value, value] })).rejects.toThrow(
        'signature_malformed (more than one header)',
      );
    });
  });

  test("accepts a framework's own Headers class", async () => {
    const { signer, verify } = await pair();
    const { body, headers } = await signer.sign(event);
    const own = { get: (name: string) => new Headers(headers).get(name) };
    expect(await verify(body, own as Headers)).toEqual(event);
  });

  test('throws a TypeError for a parsed body', async () => {
    const { signer, verify } = await pair();
    const { headers } = await signer.sign(event);
    await expect(verify(event as never, headers)).rejects.toThrow(TypeError);
  });

  test.each([undefined, null])('throws a TypeError for the headers %s', async (headers) => {
    const { verify } = await pair();
    await expect(verify('{}', headers as never)).rejects.toThrow(
      new TypeError('Pass the headers of the request.'),
    );
  });

  test('rejects whatever is forged of a genuine webhook', async () => {
    const { signer, verify } = await pair();
    const { body, headers } = await signer.sign(event);
    const genuine = { signature: headers[header] as string, body: new TextDecoder().decode(body) };
    for (const { what, signature, body: forged } of forgedWebhooks(genuine))
      expect(await failureOf(verify(forged, { [header]: signature })), what).toEqual(expect.any(String));
  });

  test('rejects a body with other bytes, even with the same meaning', async () => {
    const { signer, verify } = await pair();
    const { body, headers } = await signer.sign(event);
    const text = new TextDecoder().decode(body);
    for (const other of [text.replace('mfa', 'mfb'), `${text} `, JSON.stringify(event, null, 1), ''])
      expect(await failureOf(verify(other, headers))).toBe('signature_wrong');
    await expect(verify('', headers)).rejects.toThrow('signature_wrong (changed, or of another environment)');
  });

  describe('the time of the signature', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-19T09:00:00Z') }));
    afterEach(() => void vi.useRealTimers());

    test.each([0, 300, -300])('is accepted %i seconds ago', async (seconds) => {
      const { signer, verify } = await pair();
      const { body, headers } = await signer.sign(event, { at: new Date(Date.now() - seconds * 1000) });
      expect(await verify(body, headers)).toEqual(event);
    });

    test.each([
      [301, '301 seconds ago'],
      [-301, '301 seconds in the future'],
      [1e9, '1000000000 seconds ago'],
    ])('is rejected %i seconds ago', async (seconds, age) => {
      const { signer, verify, fetched } = await pair();
      const { body, headers } = await signer.sign(event, { at: new Date(Date.now() - seconds * 1000) });
      const error = await verify(body, headers).catch((caught) => caught);
      expect(error).toMatchObject({ name: 'WebhookVerificationError', reason: 'outside_window' });
      expect(error.message).toContain(`(signed ${age}; at most 300)`);
      expect(fetched).not.toHaveBeenCalled();
    });
  });

  test('rejects an invalid header without fetching a key', async () => {
    const { signer, verify, fetched } = await pair();
    const { body, headers } = await signer.sign(event);
    const good = headers[header] as string;
    const [head, , tail] = good.split('.') as [string, string, string];
    const iat = Math.floor(Date.now() / 1000);
    const kid = randomUUID();
    const cases: [WebhookVerificationReason, string | string[] | undefined][] = [
      ['signature_missing', undefined],
      ['signature_malformed', ''],
      ['signature_malformed', 'ey'],
      ['signature_malformed', [good, good]],
      ['signature_malformed', `${good}, ${good}`],
      ['signature_malformed', `${head}.${Buffer.from(body).toString('base64url')}.${tail}`],
      ['signature_malformed', `${head}..${tail.slice(1)}`],
      ['signature_malformed', `${head}..${tail}==`],
      ['signature_malformed', `${'e'.repeat(1000)}..${tail}`],
      ['signature_malformed', signed('{', body)],
      ['signature_malformed', signed('null', body)],
      ['signature_malformed', signed({ alg: 'ES256', iat }, body)],
      ['signature_malformed', signed({ alg: 'ES256', iat, kid: '../../organizations/users' }, body)],
      ['signature_malformed', signed({ alg: 'ES256', iat, kid, crit: ['exp'], exp: 0 }, body)],
      ['algorithm_unsupported', signed({ alg: 'none', iat, kid }, body)],
      ['algorithm_unsupported', signed({ alg: 'HS256', iat, kid }, body)],
      ['outside_window', signed({ alg: 'ES256', kid }, body)],
      ['outside_window', signed({ alg: 'ES256', kid, iat: String(iat) }, body)],
    ];
    for (const [reason, value] of cases)
      expect([await failureOf(verify(body, { 'webhook-signature': value })), value]).toEqual([reason, value]);
    expect(fetched).not.toHaveBeenCalled();
  });

  test("rejects another key's signature with the platform's key ID", async () => {
    const { signer, verify } = await pair();
    const { body, headers } = await signer.sign(event);
    const [head = ''] = (headers[header] ?? '').split('.');
    const forged = signed(Buffer.from(head, 'base64url').toString(), body);
    expect(await failureOf(verify(body, { [header]: forged }))).toBe('signature_wrong');
  });
});

describe('the key cache of a verifier', () => {
  const verified = (verify: ReturnType<typeof webhookVerifier>, { body, headers }: SignedWebhook) =>
    verify(body, headers);
  afterEach(() => void vi.useRealTimers());

  test('fetches each key once for concurrent webhooks and after a rotation', async () => {
    const { signer, verify, fetched } = await pair();
    const old = await signer.sign(event);
    await Promise.all(Array.from({ length: 20 }, () => verified(verify, old)));
    expect(fetched).toHaveBeenCalledOnce();
    await signer.rotate();
    expect(await verified(verify, await signer.sign(event))).toEqual(event);
    expect(await verified(verify, old)).toEqual(event);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test('fetches a key again after an hour, so that a removed key stops working', async () => {
    const { signer, verify, fetched } = await pair();
    await verified(verify, await signer.sign(event));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59 * minute });
    const late = await signer.sign(event);
    await verified(verify, late);
    expect(fetched).toHaveBeenCalledOnce();
    vi.setSystemTime(Date.now() + 2 * minute);
    await signer.rotate({ removeOld: true });
    expect(await failureOf(verified(verify, late))).toBe('key_unknown');
  });

  test('remembers briefly that a key does not exist', async () => {
    const { signer, verify, fetched } = await pair();
    const message = await signer.sign(event);
    await signer.rotate({ removeOld: true });
    for (let time = 0; time < 5; time++)
      expect(await failureOf(verified(verify, message))).toBe('key_unknown');
    expect(fetched).toHaveBeenCalledOnce();
  });

  test('reports a failed key request as such, and fetches the key again next time', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const signer = await webhookSigner();
    const message = await signer.sign(event);
    let failures: (() => Response)[] = [];
    const fetched = (request: Request) => Promise.resolve(failures.shift()?.() ?? signer.fetch(request));
    const down = () => {
      throw new TypeError('fetch failed');
    };
    const verify = webhookVerifier({ baseUrl, fetch: async (request) => fetched(request), retries: 0 });
    failures = [down, () => new Response('', { status: 500 })];
    await expect(verified(verify, message)).rejects.toThrow(ConnectionError);
    await expect(verified(verify, message)).rejects.toThrow(InternalServerError);
    expect(await verified(verify, message)).toEqual(event);
    const retrying = webhookVerifier({ baseUrl, fetch: async (request) => fetched(request) });
    failures = [down, down];
    expect(await verified(retrying, message)).toEqual(event);
  });

  test('requests a key without a token and without following redirects, and identifies the client', async () => {
    const signer = await webhookSigner();
    const fetched = vi.fn(signer.fetch);
    const verify = webhookVerifier({ baseUrl: `${baseUrl}/`, fetch: fetched });
    await verified(verify, await signer.sign(event));
    const [request] = fetched.mock.calls[0] ?? [];
    expect(request?.url).toMatch(/^https:\/\/api\.example\.com\/auth\/webhooks\/key\/[0-9a-f-]{36}$/);
    expect(request?.redirect).toBe('error');
    expect(request?.headers.get('User-Agent')).toMatch(/^wrp-client\/.+; retry 0\)$/);
    expect(request?.headers.has('Authorization')).toBe(false);
  });

  test('names the host, the timeout or the error code if a key cannot be fetched', async () => {
    const message = await (await webhookSigner()).sign(event);
    const failure = (fetch: () => Promise<Response>, options = {}) =>
      verified(webhookVerifier({ baseUrl, fetch, retries: 0, ...options }), message).catch((error) => error);
    const stalled = () => new Promise<never>(() => {});
    const timeout = await failure(stalled, { attemptTimeout: 20 });
    expect(timeout.message).toMatch(/^GET https:\/\/.+ timed out after 20 ms \(attemptTimeout\)\.$/);
    const body = new Response(new ReadableStream({ pull: stalled }));
    expect(await failure(async () => body, { timeout: 20 })).toBeInstanceOf(TimeoutError);
    const refused = await failure(async () => Promise.reject(new TypeError('fetch failed')));
    expect(refused.message).toBe(`The connection to ${baseUrl} failed: fetch failed`);
    const errors = [{ code: 'upstream_unavailable', message: 'Later.' }];
    const unavailable = Response.json({ fingerprint: randomUUID(), errors }, { status: 502 });
    expect(await failure(async () => unavailable)).toMatchObject({
      status: 502,
      code: 'upstream_unavailable',
    });
  });

  test('uses an expired key for ten minutes if it cannot be fetched again, and asks every ten seconds', async () => {
    const signer = await webhookSigner();
    let refused = false;
    const fetched = vi.fn((request: Request) =>
      refused
        ? Promise.resolve(new Response('', { status: 429, headers: { 'Retry-After': '30' } }))
        : signer.fetch(request),
    );
    const verify = webhookVerifier({ baseUrl, fetch: async (request) => fetched(request), retries: 0 });
    vi.useFakeTimers({ toFake: ['Date'] });
    await verified(verify, await signer.sign(event));
    refused = true;
    vi.setSystemTime(Date.now() + 61 * minute);
    const late = await signer.sign(event);
    for (let time = 0; time < 3; time++) expect(await verified(verify, late)).toEqual(event);
    expect(fetched).toHaveBeenCalledTimes(2);
    vi.setSystemTime(Date.now() + 11_000);
    expect(await verified(verify, late)).toEqual(event);
    expect(fetched).toHaveBeenCalledTimes(3);
    vi.setSystemTime(Date.now() + 10 * minute);
    const latest = await signer.sign(event);
    await expect(verified(verify, latest)).rejects.toThrow(TooManyRequestsError);
    refused = false;
    expect(await verified(verify, latest)).toEqual(event);
  });

  test('limits unknown keys without evicting existing ones', async () => {
    const { signer, verify, fetched } = await pair();
    const message = await signer.sign(event);
    await verified(verify, message);
    const iat = Math.floor(Date.now() / 1000);
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (let unknown = 0; unknown < 101; unknown++) {
      const value = signed({ alg: 'ES256', iat, kid: randomUUID() }, message.body, key);
      await failureOf(verify(message.body, { [header]: value }));
    }
    await verified(verify, message);
    expect(fetched).toHaveBeenCalledTimes(102);
  });
});

describe('webhookSigner', () => {
  test('signs like the platform', async () => {
    const signer = await webhookSigner();
    const { body, headers } = await signer.sign(event);
    const value = headers[header] as string;
    const { kid } = JSON.parse(Buffer.from(value.split('.')[0] as string, 'base64url').toString());
    const der = await (await signer.fetch(new Request(`${baseUrl}/auth/webhooks/key/${kid}`))).text();
    expect(isSigned(value, Buffer.from(body), { der })).toBe(true);
    const at = new Date('2026-11-19T09:00:00Z');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [platforms] = signWebhook(Buffer.from(body), { kid, privateKey }, at).split('.');
    expect((await signer.sign(event, { at })).headers[header]?.split('.')[0]).toBe(platforms);
  });
});
