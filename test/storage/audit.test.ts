import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { transact } from '../../server/postgres-client/index.ts';
import { type AuditOrigin, auditChange, changeAsOperator, withAudit } from '../../server/src/store/audit.ts';
import {
  type AuditFilter,
  type AuditPosition,
  auditPosition,
  deleteAuditEntries,
  listAuditEntries,
} from '../../server/src/store/audit-list.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';

const statements: string[] = [];
const { connectionString: connection } = await cloneDatabase();
const onStatement = (text: string) => void statements.push(text);
const database = openDatabase({ connection, schema: 'production', onStatement });
atEnd(() => database.destroy());
const now = new Date('2026-11-27T08:00:00.000Z');
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);

const origin = (more: Partial<AuditOrigin> = {}): AuditOrigin => ({
  actor: { kind: 'operator', name: 'ada' },
  action: 'link revoke',
  source: 'host-1',
  at: now,
  ...more,
});
const object = () => ({ kind: 'link', id: randomUUID() });
const entriesOf = async (filter: AuditFilter = {}) =>
  listAuditEntries(database, filter, { oldestFirst: true, size: 100 });

test('an entry is committed or rolled back with its change', async () => {
  const [kept, undone] = [object(), object()];
  await changeAsOperator(database, origin(), async (transaction) => {
    auditChange(transaction, { object: kept, details: { event: 'x' } });
  });
  const failing = changeAsOperator(database, origin(), async (transaction) => {
    auditChange(transaction, { object: undone });
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await entriesOf({ objectId: kept.id })).toMatchObject([
    {
      actor: { kind: 'operator', id: 'ada', name: null },
      action: 'link revoke',
      object: kept,
      details: { event: 'x' },
    },
  ]);
  expect(await entriesOf({ objectId: undone.id })).toEqual([]);
});

test('a change in another transaction has no entry, and neither has a change of nothing', async () => {
  const before = (await entriesOf()).length;
  await database.transaction().execute(async (transaction) => auditChange(transaction, { object: object() }));
  await changeAsOperator(database, origin(), async () => {});
  expect(await entriesOf()).toHaveLength(before);
});

test('all entries of a change share the round trip of its commit', async () => {
  statements.length = 0;
  await transact(database, (transaction) =>
    withAudit(
      transaction,
      () => origin(),
      async () => {
        await sql`select 1`.execute(transaction);
        for (let each = 0; each < 3; each++) auditChange(transaction, { object: object() });
      },
    ),
  );
  expect(statements).toHaveLength(2);
  expect(statements[1]).toMatch(/insert into audit_entries.*; commit$/s);
});

test('details are bounded, and so are names', async () => {
  const changed = object();
  const long = origin({ actor: { kind: 'operator', name: 'x'.repeat(10_000) }, source: 'y'.repeat(10_000) });
  await changeAsOperator(database, long, async (transaction) =>
    auditChange(transaction, { object: changed, details: { text: 'z'.repeat(10_000) } }),
  );
  const [entry] = await entriesOf({ objectId: changed.id });
  expect(entry?.details).toEqual({ omitted: true });
  expect([entry?.actor.id.length, entry?.source.length]).toEqual([200, 200]);
});

test.each([
  ['update', sql`update audit_entries set actor = 'someone'`],
  ['delete', sql`delete from audit_entries`],
  ['truncate', sql`truncate audit_entries`],
  [
    'on conflict',
    sql`insert into audit_entries overriding system value select * from audit_entries
    on conflict (at, id) do update set actor = 'someone'`,
  ],
])('the log refuses %s', async (_what, change) => {
  await changeAsOperator(database, origin(), async (transaction) =>
    auditChange(transaction, { object: object() }),
  );
  await expect(change.execute(database)).rejects.toThrow('append-only');
});

test('retention deletes old entries in batches, and lets nothing else delete', async () => {
  const old = later(-500);
  await sql`insert into audit_entries (at, action, actor_kind, actor, source, object_kind, object_id, details)
    select ${old}, 'apply', 'operator', 'old', 'host', 'user', n::text, '{}' from generate_series(1, 1500) n`.execute(
    database,
  );
  expect(await deleteAuditEntries(database, later(-400))).toBe(1500);
  expect(await entriesOf({ actor: 'old' })).toEqual([]);
  await expect(sql`delete from audit_entries`.execute(database)).rejects.toThrow('append-only');
});

test('pages go through all entries once, in both orders, also at one time', async () => {
  const actor = { kind: 'operator', name: 'pages' } as const;
  const ids = Array.from({ length: 7 }, () => randomUUID());
  await changeAsOperator(database, origin({ actor }), async (transaction) => {
    for (const id of ids) auditChange(transaction, { object: { kind: 'link', id } });
  });
  for (const oldestFirst of [true, false]) {
    const seen: string[] = [];
    for (let after: AuditPosition | undefined; ; ) {
      const page = await listAuditEntries(database, { actor: 'pages' }, { after, oldestFirst, size: 3 });
      seen.push(...page.map((entry) => entry.object.id));
      after = auditPosition(page.at(-1)?.cursor ?? '');
      if (page.length < 3) break;
    }
    expect(seen).toEqual(oldestFirst ? ids : ids.toReversed());
  }
});

test('filters combine, and since is inclusive, until exclusive', async () => {
  const actor = { kind: 'operator', name: 'filters' } as const;
  for (const day of [0, 1, 2])
    for (const action of ['token create', 'token revoke'])
      await changeAsOperator(database, origin({ actor, action, at: later(day) }), async (transaction) =>
        auditChange(transaction, { object: { kind: 'organization token', id: `${day}` } }),
      );
  const found = async (filter: AuditFilter) => (await entriesOf({ actor: 'filters', ...filter })).length;
  expect(await found({})).toBe(6);
  expect(await found({ action: 'token create' })).toBe(3);
  expect(await found({ action: 'token create', objectId: '1' })).toBe(1);
  expect(await found({ since: later(1) })).toBe(4);
  expect(await found({ since: later(1), until: later(2) })).toBe(2);
  expect(await found({ action: 'token' })).toBe(0);
});

const filters: Record<string, AuditFilter> = {
  nothing: {},
  'an actor': { actor: 'actor 3' },
  'an action': { action: 'action 3' },
  'an object': { objectId: 'object 3' },
  'a time': { since: later(-1), until: later(1) },
};

test.each(Object.entries(filters))('a page by %s is a range of an index', async (_what, filter) => {
  await manyEntries();
  for (const oldestFirst of [true, false])
    for (const after of [undefined, auditPosition('1790000000000-5')]) {
      statements.length = 0;
      await listAuditEntries(database, filter, { after, oldestFirst, size: 50 });
      const [text = ''] = statements;
      const { rows } = await sql<{ 'QUERY PLAN': string }>`${sql.raw(
        `explain ${text.replaceAll(/\$(\d+)/g, (_, number) => parametersOf(filter, after)[Number(number) - 1] as string)}`,
      )}`.execute(database);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan.* on audit_entries/);
      // The outer sort is of one page: the join may change its order.
      expect(plan.slice(plan.indexOf('Limit'))).not.toMatch(/Sort|Seq Scan on audit/);
    }
});

/** Each actor, action and object has entries throughout the log. */
async function manyEntries(): Promise<void> {
  const { rows } = await sql`select from audit_entries where action = 'action 3' limit 1`.execute(database);
  if (rows.length > 0) return;
  await sql`insert into audit_entries (at, action, actor_kind, actor, source, object_kind, object_id, details)
    select ${now}::timestamptz - n * interval '1 minute', 'action ' || n % 30, 'operator', 'actor ' || n % 50, 'host',
      'user', 'object ' || n % 200, '{}' from generate_series(1, 40000) n`.execute(database);
  await sql`analyze audit_entries`.execute(database);
}

/** The values of the statement's parameters, as literals in their order. */
function parametersOf(
  { actor, action, objectId, since, until }: AuditFilter,
  after: AuditPosition | undefined,
) {
  const text = (value: string) => `'${value}'`;
  const time = (value: Date) => `'${value.toISOString()}'::timestamptz`;
  return [
    ...[actor, action, objectId].flatMap((value) => (value === undefined ? [] : [text(value)])),
    ...[since, until].flatMap((value) => (value ? [time(value)] : [])),
    ...(after === undefined ? [] : [time(new Date(1_790_000_000_000)), '5']),
    '50',
  ];
}
