import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signWebhook } from '../../server/src/domain/webhooks.ts';
import { deriveKey, serverKeyOf } from '../../server/src/security/server-key.ts';
import { deleteExpiredKeys, retireKeys } from '../../server/src/store/webhook-keys.ts';
import { signingKeys } from '../../server/src/webhooks/signing-keys.ts';
import { api } from '../support/api.ts';
import { expectRefusal, responseOf } from '../support/responses.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { headerOf, isSigned, startReceiver } from './receiver.ts';
import { givenEndpoint, makeEvents, toThisMachine } from './support.ts';

const minute = 60_000;
const platform = await api(toThisMachine);
const { database, sandboxDatabase, anonymous, clock, sandboxUrl } = platform;
const newKeys = () => deriveKey(serverKeyOf(randomBytes(32)), 'production', 'webhook-keys');
const encryptionKeys = newKeys();
const fetchKey = (kid: string, query = '') =>
  responseOf(anonymous.fetch(`/auth/webhooks/key/${kid}${query}`));

/** Sends one event and returns its signature. */
async function signature(of = platform): Promise<{ signature: string; body: Buffer; kid: string }> {
  const receiver = await startReceiver();
  await givenEndpoint(of.database, { url: receiver.url, organizationId: of.world.organization.id });
  await receiver.hasTaken(await makeEvents(of, 1));
  const [{ headers, body } = {}] = receiver.received;
  const text = String(headers?.['webhook-signature']);
  return { signature: text, body: body as Buffer, kid: headerOf(text).kid };
}

describe('getWebhookKey', () => {
  test('returns the key as one line of base64, or as PEM on request', async () => {
    const { signature: text, body, kid } = await signature();
    const der = await fetchKey(kid);
    expect([der.status, der.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(der.body).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    expect(await fetchKey(kid, '?pem=false')).toMatchObject({ status: 200, body: der.body });
    const pem = await fetchKey(kid, '?pem=true');
    expect([pem.status, pem.headers.get('content-type')]).toEqual([200, 'application/x-pem-file']);
    expect(pem.body).toMatch(/^-----BEGIN PUBLIC KEY-----\n[^-]+\n-----END PUBLIC KEY-----\n$/);
    expect(String(pem.body).split('\n').slice(1, -2).join('')).toBe(der.body);
    expect(isSigned(text, body, { der: String(der.body) })).toBe(true);
    expect(isSigned(text, body, { pem: String(pem.body) })).toBe(true);
  });

  test('is cacheable and requires no token', async () => {
    const { kid } = await signature();
    expect((await fetchKey(kid)).headers.get('cache-control')).toBe('public, max-age=3600');
    expect((await fetchKey(kid.toUpperCase())).status).toBe(200);
    const strange = await fetch(`${platform.baseUrl}/auth/webhooks/key/${kid}`, {
      headers: { Authorization: 'Bearer nonsense' },
    });
    expect(strange.status).toBe(200);
  });

  test('refuses a key of the other environment: 404', async () => {
    const { kid } = await signature();
    await expectRefusal(fetch(`${sandboxUrl}/auth/webhooks/key/${kid}`), 404, 'webhook_key_not_found');
  });
});

describe('the budget of an address for keys', () => {
  test('is as large as the one for signing in, and separate: for unknown keys, and for those that exist', async () => {
    const budgets = { requests: 100, uploads: 100, signIns: 5 };
    const limited = await api({ budgets, ...toThisMachine });
    const { anonymous: caller, clock: at } = limited;
    const { kid } = await signature(limited);
    at.forward(60_000 - (at.now().getTime() % 60_000));
    const key = (id: string) => responseOf(caller.fetch(`/auth/webhooks/key/${id}`));
    // As a receiver asks that gets forged events.
    const ids = { 'unknown-keys': [randomUUID, 404], keys: [() => kid, 200] } as const;
    for (const [policy, [id, status]] of Object.entries(ids)) {
      for (let left = 4; left >= 0; left--) {
        const response = await key(id());
        expect(response.status).toBe(status);
        expect(response.headers.get('RateLimit')).toBe(`"${policy}";r=${left};t=60`);
        expect(response.headers.get('RateLimit-Policy')).toBe(`"${policy}";q=5;w=60`);
      }
      const { status: refused, headers } = await key(id());
      expect([refused, headers.get('Retry-After')]).toEqual([429, '60']);
    }
    const signIn = caller.POST('/auth/authorize', { body: { key: 'k', secret: 's' } });
    expect((await responseOf(signIn)).status).toBe(401);
  });
});

describe('a rotation', () => {
  test('signs with a new key within seconds, and serves the old one until its signatures expire', async () => {
    const old = await signature();
    await retireKeys(database, clock.now());
    const { kid } = await vi.waitFor(
      async () => {
        const next = await signature();
        expect(next.kid).not.toBe(old.kid);
        return next;
      },
      { timeout: scaledTimeout(30_000), interval: 500 },
    );
    for (const one of [old.kid, kid]) expect((await fetchKey(one)).status).toBe(200);
    const { body: der } = await fetchKey(old.kid);
    expect(isSigned(old.signature, old.body, { der: String(der) })).toBe(true);
    expect((await fetchKey(old.kid)).headers.get('cache-control')).toBe('public, max-age=660');

    // A process may sign with it for another minute; signatures are valid for five, and receivers' clocks may be five off.
    clock.forward(11 * minute - 1_000);
    expect((await fetchKey(old.kid)).headers.get('cache-control')).toBe('public, max-age=1');
    clock.forward(1_000);
    await expectRefusal(anonymous.fetch(`/auth/webhooks/key/${old.kid}`), 404, 'webhook_key_not_found');
    expect((await fetchKey(kid)).status).toBe(200);
    await deleteExpiredKeys(database, clock.now());
    const left = await database.selectFrom('webhook_keys').select('id').execute();
    expect(left).toEqual([{ id: kid }]);
  });
});

describe('signing keys', () => {
  const keysWith = (keys = encryptionKeys) =>
    signingKeys({ database: sandboxDatabase, encryptionKeys: keys, now: clock.now });

  test('are shared by all processes, even if they start concurrently', async () => {
    onTestFinished(async () => {
      await sandboxDatabase.deleteFrom('webhook_keys').execute();
    });
    const all = await Promise.all(Array.from({ length: 5 }, () => keysWith().current()));
    expect(new Set(all.map(({ kid }) => kid)).size).toBe(1);
    expect((await keysWith().current()).kid).toBe(all[0]?.kid);
  });

  test('are stored encrypted with the server key', async () => {
    const { kid, privateKey } = await keysWith().current();
    const [row] = await sandboxDatabase.selectFrom('webhook_keys').selectAll().execute();
    const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d as string, 'base64url');
    expect(row?.private_key_encrypted.includes(secret)).toBe(false);
    const other = await keysWith(newKeys()).current();
    expect(other.kid).not.toBe(kid);
  });

  test('do not decrypt if the row got another identifier', async () => {
    const { kid } = await keysWith().current();
    const [row] = await sandboxDatabase
      .deleteFrom('webhook_keys')
      .where('id', '=', kid)
      .returningAll()
      .execute();
    const forged = '5e8f7a6b-1c2d-4e3f-8a4b-5c6d7e8f9a01';
    await sandboxDatabase
      .insertInto('webhook_keys')
      .values({ ...(row as object), id: forged } as never)
      .execute();
    expect((await keysWith().current()).kid).not.toBe(forged);
  });
});

describe('a signature', () => {
  test('is refused if any part of it or of the body was changed', async () => {
    const { signature: text, body, kid } = await signature();
    const der = String((await fetchKey(kid)).body);
    const [head = '', , tail = ''] = text.split('.');
    const later = Buffer.from(JSON.stringify({ ...headerOf(text), iat: headerOf(text).iat + 1 }));
    expect(isSigned(text, body, { der })).toBe(true);
    for (let place = 0; place < body.length; place += 37) {
      const changed = Buffer.from(body);
      changed[place] = (changed[place] as number) ^ 1;
      expect(isSigned(text, changed, { der })).toBe(false);
    }
    expect(isSigned(`${later.toString('base64url')}..${tail}`, body, { der })).toBe(false);
    expect(isSigned(`${head}..${tail.replace(/^./, tail[0] === 'A' ? 'B' : 'A')}`, body, { der })).toBe(
      false,
    );
    expect(isSigned(text, Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)), { der })).toBe(
      false,
    );
  });

  test('matches the pattern of the contract', async () => {
    const { privateKey, kid } = await signingKeys({
      database: sandboxDatabase,
      encryptionKeys,
      now: clock.now,
    }).current();
    for (let times = 0; times < 50; times++) {
      const text = signWebhook(Buffer.from('{}'), { kid, privateKey }, clock.now());
      expect(text).toMatch(/^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]{86}$/);
    }
  });
});
