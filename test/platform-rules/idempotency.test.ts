import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { formOf, storedFiles } from '../support/files.ts';
import { bodyOf, expectRefusal, type ReadResponse, responseOf } from '../support/responses.ts';
import { heldUp } from '../support/waiting.ts';

const platform = await api();
const { owner, admin, stranger, actor, world, given, database, clock, dataDirectory } = platform;
const { organization, workspace } = world;
const workflowDefinitionId = world.workflowDefinition.id;

type Actor = typeof owner;
const hours = 3_600_000;

/** Stores parameters, once per key. */
const store = (key: string, parameters: unknown, client: Actor = owner) =>
  client.POST('/parameters', {
    params: { header: { 'Idempotency-Key': key } },
    body: { workflowDefinitionId, parameters },
  });
const terminate = (key: string, userId: string, client: Actor = owner) =>
  client.POST('/organizations/users/{userId}/terminate', {
    params: { path: { userId }, header: { 'Idempotency-Key': key } },
  });
const send = (path: string, key: string, body: FormData) =>
  owner.fetch(path, { method: 'POST', headers: { 'Idempotency-Key': key }, body });
const attachments = `/tables/${world.table.id}/records/${world.record.id}/attachments`;

const setsIn = async () =>
  (await database.selectFrom('parameter_sets').select('id').execute()).map(({ id }) => id).sort();

describe('a repeat with the same Idempotency-Key and the same request', () => {
  test('gets the first response again, including its identifiers, and does nothing', async () => {
    const key = randomUUID();
    const first = await responseOf(store(key, { a: [1, { z: 1, b: 2 }] }));
    expect(first.status).toBe(201);
    const sets = await setsIn();
    const events = await eventsOf(database, async () => {
      for (const _ of [1, 2]) {
        const again = await responseOf(store(key, { a: [1, { z: 1, b: 2 }] }));
        expect(again.status).toBe(201);
        expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
        expect(again.headers.get('Request-Id')).not.toBe(first.headers.get('Request-Id'));
      }
    });
    expect(events).toEqual([]);
    expect(await setsIn()).toEqual(sets);
    const rows = await database.selectFrom('idempotency_keys').select('key').where('key', '=', key).execute();
    expect(rows).toHaveLength(1);
  });

  test('gets the first response even if a new one would differ', async () => {
    const key = randomUUID();
    const user = await given.user({ organization });
    const first = await bodyOf(200, terminate(key, user.id));
    await owner.POST('/organizations/users/{userId}/reinstate', {
      params: { path: { userId: user.id } },
      body: { roleId: organization.roles.admin },
    });
    expect(await bodyOf(200, terminate(key, user.id))).toEqual(first);
    const { data } = await owner.GET('/organizations/users/{userId}', {
      params: { path: { userId: user.id } },
    });
    expect(data?.profile.status).toBe('ACTIVE');
  });

  test('gets a response without a body again', async () => {
    const key = randomUUID();
    const { id: userId } = await given.user({ organization });
    const reset = () =>
      responseOf(
        owner.POST('/organizations/users/{userId}/reset-mfa', {
          params: { path: { userId }, header: { 'Idempotency-Key': key } },
        }),
      );
    const events = await eventsOf(database, async () => {
      for (const _ of [1, 2]) expect(await reset()).toMatchObject({ status: 202, body: undefined });
    });
    expect(events).toHaveLength(1);
  });

  test('gets a refusal again, with a fingerprint of its own', async () => {
    const key = randomUUID();
    const user = await given.user({ organization });
    const reinstate = () =>
      owner.POST('/organizations/users/{userId}/reinstate', {
        params: { path: { userId: user.id }, header: { 'Idempotency-Key': key } },
        body: { roleId: organization.roles.admin },
      });
    const first = await expectRefusal(reinstate(), 409, 'user_not_terminated');
    await terminate(randomUUID(), user.id);
    const again = await expectRefusal(reinstate(), 409, 'user_not_terminated');
    const fingerprint = ({ body }: ReadResponse) => (body as { fingerprint: string }).fingerprint;
    expect(fingerprint(again)).not.toBe(fingerprint(first));
  });

  test('may differ in the case of its identifiers', async () => {
    const key = randomUUID();
    const user = await given.user({ organization });
    const first = await bodyOf(200, terminate(key, user.id));
    expect(await bodyOf(200, terminate(key, user.id.toUpperCase()))).toEqual(first);
  });

  test('of a form is recognized by its fields and the digest of its file, and stores one file', async () => {
    const key = randomUUID();
    const file = () => new File([Buffer.alloc(5000, 'x')], 'a.txt', { type: 'text/plain' });
    const first = await bodyOf(201, send(attachments, key, formOf(file(), ['a', 'b'])));
    const files = await storedFiles(dataDirectory);
    expect(await bodyOf(201, send(attachments, key, formOf(file(), ['a', 'b'])))).toEqual(first);
    expect(await storedFiles(dataDirectory)).toEqual(files);
    const { data } = await owner.GET('/tables/{tableId}/records/{recordId}/attachments', {
      params: { path: { tableId: world.table.id, recordId: world.record.id } },
    });
    expect(data?.filter(({ id }) => id === (first as { id: string }).id)).toHaveLength(1);
  });
});

describe('the same Idempotency-Key with another request', () => {
  test('is refused: 422 idempotency_key_reused', async () => {
    const key = randomUUID();
    const user = await given.user({ organization });
    await bodyOf(201, store(key, { a: 1 }));
    const events = await eventsOf(database, async () => {
      await expectRefusal(store(key, { a: 2 }), 422, 'idempotency_key_reused');
      await expectRefusal(store(key, { a: '1' }), 422, 'idempotency_key_reused');
      await expectRefusal(terminate(key, user.id), 422, 'idempotency_key_reused');
    });
    expect(events).toEqual([]);
    await bodyOf(201, store(key, { a: 1 }));
  });

  test.each<[string, () => FormData]>([
    ['other bytes', () => formOf(new File(['other'], 'a.txt', { type: 'text/plain' }), ['a'])],
    ['another name', () => formOf(new File(['bytes'], 'b.txt', { type: 'text/plain' }), ['a'])],
    ['another media type', () => formOf(new File(['bytes'], 'a.txt', { type: 'text/csv' }), ['a'])],
    ['other tags', () => formOf(new File(['bytes'], 'a.txt', { type: 'text/plain' }), ['a', 'b'])],
  ])('is refused for a form with %s, and stores nothing of it: 422', async (_case, form) => {
    const key = randomUUID();
    const first = formOf(new File(['bytes'], 'a.txt', { type: 'text/plain' }), ['a']);
    await bodyOf(201, send(attachments, key, first));
    const files = await storedFiles(dataDirectory);
    await expectRefusal(send(attachments, key, form()), 422, 'idempotency_key_reused');
    expect(await storedFiles(dataDirectory)).toEqual(files);
  });
});

describe('a response says that it is replayed', () => {
  const replayed = async (given: Parameters<typeof responseOf>[0]) =>
    (await responseOf(given)).headers.get('Idempotency-Replayed');

  test('if it repeats a success, or a refusal by the handler', async () => {
    const key = randomUUID();
    expect(await replayed(store(key, 1))).toBeNull();
    expect(await replayed(store(key, 1))).toBe('true');
    const user = await given.user({ organization });
    const reinstate = (roleId: string, itsKey: string) =>
      owner.POST('/organizations/users/{userId}/reinstate', {
        params: { path: { userId: user.id }, header: { 'Idempotency-Key': itsKey } },
        body: { roleId },
      });
    for (const roleId of [organization.roles.admin, randomUUID()]) {
      const own = randomUUID();
      const first = await responseOf(reinstate(roleId, own));
      expect(first.status).toBeGreaterThanOrEqual(400);
      expect(first.headers.get('Idempotency-Replayed')).toBeNull();
      const again = await responseOf(reinstate(roleId, own));
      expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([first.status, 'true']);
    }
  });

  test('but not if it is a refusal before the handler, or for another request', async () => {
    const key = randomUUID();
    for (const _ of [1, 2]) expect(await replayed(store(key, undefined))).toBeNull();
    await bodyOf(201, store(key, 1));
    expect(await replayed(store(key, 2))).toBeNull();
  });
});

describe('a refusal does not use an Idempotency-Key', () => {
  const used = async (key: string) =>
    (await database.selectFrom('idempotency_keys').where('key', '=', key).selectAll().execute()).length;
  const post = (path: string, body: string | undefined, headers: Record<string, string>) =>
    owner.fetch(path, { method: 'POST', headers, ...(body !== undefined && { body }) });
  const json = { 'Content-Type': 'application/json' };

  test.each<[string, string, string | undefined, Record<string, string>, number]>([
    ['of the schema', '/parameters', '{}', json, 400],
    ['of malformed JSON', '/parameters', '{', json, 400],
    ['of the credentials', '/parameters', '{}', { Authorization: 'tot_x' }, 401],
    ['of an object in the path', `/organizations/users/${randomUUID()}/terminate`, undefined, {}, 404],
    ['of the size', '/parameters', JSON.stringify('x'.repeat(1 << 20)), json, 413],
    ['of the media type', '/parameters', '{}', { 'Content-Type': 'text/plain' }, 415],
  ])('%s', async (_what, path, body, headers, status) => {
    const key = randomUUID();
    const response = await responseOf(post(path, body, { ...headers, 'Idempotency-Key': key }));
    expect(response.status).toBe(status);
    expect(await used(key)).toBe(0);
  });
});

describe('an Idempotency-Key', () => {
  test('is bound to its user', async () => {
    const key = randomUUID();
    const [first, other] = [await bodyOf(201, store(key, 'x')), await bodyOf(201, store(key, 'y', admin))];
    expect(first).not.toEqual(other);
    const theirs = await given.workflowDefinition({ workspace: world.strangersWorkspace });
    const response = stranger.POST('/parameters', {
      params: { header: { 'Idempotency-Key': key } },
      body: { workflowDefinitionId: theirs.id, parameters: 'z' },
    });
    expect(await bodyOf(201, response)).toMatchObject({ parameters: 'z' });
  });

  test('is the same for all credentials of a user', async () => {
    const key = randomUUID();
    const other = actor(await given.token({ user: world.owner, homeWorkspace: workspace }));
    expect(await bodyOf(201, store(key, 'x', other))).toEqual(await bodyOf(201, store(key, 'x')));
  });

  test('is remembered for 24 hours', async () => {
    const key = randomUUID();
    const first = await bodyOf(201, store(key, { a: 1 }));
    clock.forward(24 * hours - 1);
    expect(await bodyOf(201, store(key, { a: 1 }))).toEqual(first);
    await expectRefusal(store(key, { a: 2 }), 422, 'idempotency_key_reused');
    clock.forward(1);
    const next = await bodyOf(201, store(key, { a: 2 }));
    expect(next).not.toEqual(first);
    expect(await bodyOf(201, store(key, { a: 2 }))).toEqual(next);
  });

  test('has 1 to 255 visible ASCII characters: 400 parameter_invalid', async () => {
    const file = () => formOf(new File(['x'], 'x'));
    await bodyOf(201, send('/resources', '~'.repeat(255), file()));
    for (const key of ['', 'x'.repeat(256), 'two words', 'ключ']) {
      const files = await storedFiles(dataDirectory);
      const headers = new Headers();
      headers.set('Idempotency-Key', Buffer.from(key).toString('latin1'));
      const refused = owner.fetch('/resources', { method: 'POST', headers, body: file() });
      await expectRefusal(refused, 400, 'parameter_invalid', { parameter: 'Idempotency-Key' });
      expect(await storedFiles(dataDirectory)).toEqual(files);
    }
  });

  test('can be used again if its request was refused before the handler', async () => {
    const key = randomUUID();
    await expectRefusal(store(key, undefined), 400, 'body_invalid');
    await expectRefusal(store(key, 1, platform.outsider), 403, 'permission_denied');
    await bodyOf(201, store(key, 2));
    await bodyOf(201, store(key, 2, admin));
  });

  test('can be used again if the caller lacked the permission', async () => {
    const key = randomUUID();
    const caller = await given.caller({ organization, role: 'admin', homeWorkspace: world.workspace });
    const target = await given.user({ organization, role: 'owner' });
    const reset = () =>
      actor(caller.token).POST('/organizations/users/{userId}/reset-mfa', {
        params: { path: { userId: target.id }, header: { 'Idempotency-Key': key } },
      });
    await expectRefusal(reset(), 403, 'beyond_own_permissions');
    await bodyOf(
      200,
      owner.PUT('/organizations/users/{userId}/role', {
        params: { path: { userId: caller.id } },
        body: { roleId: organization.roles.owner },
      }),
    );
    await bodyOf(202, reset());
  });

  test('is ignored by GET, PUT and DELETE', async () => {
    const headers = { 'Idempotency-Key': 'one for all', 'Content-Type': 'application/json' };
    const { id } = await given.user({ organization });
    for (const title of ['first', 'second']) {
      const body = JSON.stringify({ firstName: 'A', lastName: 'B', title });
      const response = owner.fetch(`/organizations/users/${id}/profile`, { method: 'PUT', headers, body });
      expect(await bodyOf(200, response)).toMatchObject({ profile: { title } });
    }
    await bodyOf(200, owner.fetch('/organizations/users', { headers }));
  });
});

describe('concurrent requests with one Idempotency-Key', () => {
  test('refuse the second while the first is in progress: 409 idempotency_key_in_use', async () => {
    const key = randomUUID();
    const user = await given.user({ organization });
    const refused: ReadResponse[] = [];
    const [first] = await heldUp(
      database,
      { table: 'users', id: user.id },
      () => [responseOf(terminate(key, user.id))],
      async () => {
        refused.push(await expectRefusal(terminate(key, user.id), 409, 'idempotency_key_in_use'));
        refused.push(await expectRefusal(store(key, {}), 409, 'idempotency_key_in_use'));
      },
    );
    expect(refused).toHaveLength(2);
    expect(first?.status).toBe(200);
    expect(await bodyOf(200, terminate(key, user.id))).toEqual(first?.body);
  });

  test('create one object, however many they are', async () => {
    const key = randomUUID();
    const before = await setsIn();
    const events = await eventsOf(database, async () => {
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => (await responseOf(store(key, { many: true }))).status),
      );
      expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
      expect(statuses).toContain(201);
    });
    expect(events).toHaveLength(1);
    expect(await setsIn()).toHaveLength(before.length + 1);
  });
});

describe('a change that fails in the middle', () => {
  /** Makes every write of an event fail, at the very end of a change. */
  const breakEvents = async () => {
    await sql`create function production.broken() returns trigger language plpgsql as
      $$ begin raise exception 'broken on purpose'; end $$`.execute(database);
    await sql`create trigger broken before insert on events execute function production.broken()`.execute(
      database,
    );
  };
  const mendEvents = () => sql`drop function if exists production.broken cascade`.execute(database);
  afterEach(mendEvents);

  test('20: stores nothing and does not use its Idempotency-Key', async () => {
    const key = randomUUID();
    const before = await setsIn();
    await breakEvents();
    await expectRefusal(store(key, { a: 1 }), 500, 'internal_error');
    expect(await setsIn()).toEqual(before);
    expect(
      await database.selectFrom('idempotency_keys').where('key', '=', key).selectAll().execute(),
    ).toEqual([]);
    await mendEvents();
    await bodyOf(201, store(key, { a: 2 }));
  });
});
