import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { BlobStore } from '../../server/blobs/index.ts';
import { readConfig } from '../../server/src/config.ts';
import { bindBlobs } from '../../server/src/files/binding.ts';
import { workers } from '../../server/src/maintenance/workers.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { deleteOldDeliveries } from '../../server/src/store/webhook-deliveries.ts';
import { given } from '../support/given.ts';
import { emptyDatabase } from '../support/postgres.ts';

const day = 24 * 3_600_000;
const now = new Date();
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);

const database = await emptyDatabase();
const { world, apiKey } = await given(database, { now: () => now, forward: () => {} });

const log: Record<string, unknown>[] = [];
const logger = openLogger('info', { write: (line) => void log.push(JSON.parse(line)) });

let storeId: string | undefined;
const marker: BlobStore['marker'] = {
  location: 'memory',
  settings: 'none',
  read: async () => storeId,
  async create(id) {
    storeId ??= id;
    return storeId;
  },
  async replace(id) {
    storeId = id;
  },
};
await bindBlobs({ blobs: { marker }, database });

function maintain(blobs: Partial<BlobStore> = {}, maintenance = {}) {
  const store = { marker, collectUnfinished: async () => 0, ...blobs } as BlobStore;
  const { maintenance: run } = workers({
    database,
    blobs: store,
    blobQuarantineDays: 14,
    identityProviderUrl: undefined,
    retention: readConfig({}).retention,
    maintenance,
    logger,
    now: () => now,
  });
  return run?.({}, { id: randomUUID(), signal: new AbortController().signal });
}

test('a failing part does not stop the others; the job fails and names it', async () => {
  const done: string[] = [];
  const part = (name: string) => async () => void done.push(name);
  const collectUnfinished = () => Promise.reject(new Error('The disk is gone.'));
  const failing = async () => Promise.reject(new Error('The table is gone.'));
  await expect(
    maintain({ collectUnfinished }, { first: part('first'), failing, last: part('last') }),
  ).rejects.toThrow('Maintenance failed: collectUnfinished, failing.');
  expect(done).toEqual(['first', 'last']);
  expect(log).toMatchObject([
    { part: 'collectUnfinished', err: { message: 'The disk is gone.' } },
    { part: 'failing', err: { message: 'The table is gone.' } },
  ]);
});

test('a sign-in is deleted once neither of its tokens can be valid any more', async () => {
  const key = await apiKey({ user: world.owner, homeWorkspace: world.workspace });
  const { id: api_key_id } = await database
    .selectFrom('api_keys')
    .select('id')
    .where('key', '=', key.key)
    .executeTakeFirstOrThrow();
  const [over, justNot] = [ago(30 * day + 301_000), ago(30 * day + 299_000)];
  const rows = [over, justNot, now].map((at) => ({
    id: randomUUID(),
    api_key_id,
    created_at: at,
    rotated_at: at,
  }));
  await database.insertInto('token_families').values(rows).execute();
  await maintain();
  const left = await database.selectFrom('token_families').select('id').execute();
  expect(left.map(({ id }) => id).sort()).toEqual([rows[1]?.id, rows[2]?.id].sort());
});

test('a backlog of stored responses and rate windows is deleted in batches, and young ones stay', async () => {
  const keys = Array.from({ length: 2_100 }, (_, index) => `key-${index}`);
  const createdAt = (index: number) => (index < 2_050 ? ago(25 * 3_600_000) : ago(23 * 3_600_000));
  await database
    .insertInto('idempotency_keys')
    .values(
      keys.map((key, index) => ({
        user_id: world.owner.id,
        key,
        request_sha256: Buffer.alloc(32),
        status: 204,
        body: null,
        created_at: createdAt(index),
      })),
    )
    .execute();
  const response = { request_sha256: Buffer.alloc(32), status: 204, body: null, created_at: now };
  await database
    .insertInto('idempotency_keys')
    .values({ user_id: world.member.id, key: 'key-0', ...response })
    .execute();
  await database
    .insertInto('rate_leases')
    .values(keys.map((subject, index) => ({ subject, window_start: createdAt(index), used: 1 })))
    .execute();
  await database.insertInto('rate_leases').values({ subject: 'now', window_start: now, used: 1 }).execute();
  await maintain();
  // One of them has the key of a deleted one, by another user.
  expect(await count('idempotency_keys')).toBe(51);
  expect(await count('rate_leases')).toBe(1);
});

test('a backlog of deliveries is deleted with their attempts and events; open ones stay', async () => {
  const { id: organization_id } = await database
    .selectFrom('organizations')
    .select('id')
    .executeTakeFirstOrThrow();
  const endpoint_id = randomUUID();
  await database
    .insertInto('webhook_endpoints')
    .values({ id: endpoint_id, organization_id, url: 'https://a.example/' })
    .execute();
  const created_at = ago(31 * day);
  const ids = Array.from({ length: 1_100 }, () => randomUUID());
  await database
    .insertInto('events')
    .values(
      ids.map((id) => ({
        id,
        type: 'workflow.started',
        organization_id,
        data: '{}',
        created_at,
        relayed_at: created_at,
      })),
    )
    .execute();
  await database
    .insertInto('webhook_deliveries')
    .values(
      ids.map((id, index) => ({
        id,
        event_id: id,
        endpoint_id,
        attempts: 1,
        created_at,
        status: index === 0 ? ('pending' as const) : ('delivered' as const),
      })),
    )
    .execute();
  await database
    .insertInto('webhook_attempts')
    .values(
      ids.map((id) => ({ id, delivery_id: id, number: 1, at: created_at, milliseconds: 1, status: 500 })),
    )
    .execute();
  const eventsBefore = await count('events');
  await deleteOldDeliveries(database, ago(30 * day));
  expect(await count('webhook_deliveries')).toBe(1);
  expect(await count('webhook_attempts')).toBe(1);
  expect(await count('events')).toBe(eventsBefore - 1_099);
});

async function count(
  table: 'idempotency_keys' | 'rate_leases' | 'webhook_deliveries' | 'webhook_attempts' | 'events',
): Promise<number> {
  const { count } = await database
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
