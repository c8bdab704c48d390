import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../server/src/store/database.ts';
import * as positions from '../../server/src/store/migrations/0009-user-positions.ts';
import { listUsers } from '../../server/src/store/users.ts';
import { type Clock, given as givenIn, type KnownOrganization } from '../support/given.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { blockedBy, until } from '../support/waiting.ts';

/** Pages of users and their total follow the rows of the table, however they arrived. */
const database = await emptyDatabase();
const clock: Clock = { now: () => new Date('2026-11-19T09:00:00.000Z'), forward: () => {} };
const given = await givenIn(database, clock);

/** Inserts users with one statement, created so many days after the start of the year. */
async function insert(
  transaction: Database,
  { id, roles }: KnownOrganization,
  days: number[],
): Promise<void> {
  await sql`
    insert into users (id, organization_id, email, idp_id, role_id, profile_id, first_name, last_name, title, created_at)
    select gen_random_uuid(), ${id}, gen_random_uuid(), gen_random_uuid(), ${roles.member}, gen_random_uuid(), 'A', 'B', '',
      timestamptz '2026-01-01Z' + day * interval '1 day'
    from unnest(${days}::integer[]) as day`.execute(transaction);
}

async function expectOrder({ id }: KnownOrganization): Promise<void> {
  const stored = await database
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const listed: string[] = [];
  for (let page = 0; page <= stored.length / 3; page++) {
    const { content, totalElements } = await listUsers(database, id, { page, size: 3 });
    expect(totalElements).toBe(stored.length);
    listed.push(...content.map((user) => user.id));
  }
  expect(listed).toEqual(stored.map((user) => user.id));
}

test('users that one statement inserts are ordered by creation, then by id', async () => {
  const organization = await given.organization();
  await insert(database, organization, [5, 3, 3, 9, 1, 3, 7]);
  await expectOrder(organization);
});

test('users who were created earlier than others come before them', async () => {
  const organization = await given.organization();
  for (const days of [[10, 20], [30], [15], [1, 40, 18], [20]]) await insert(database, organization, days);
  await expectOrder(organization);
});

test('one statement may insert users of several organizations', async () => {
  const [one, other] = [await given.organization(), await given.organization()];
  await insert(database, one, [4]);
  await insert(database, other, [4]);
  await sql`
    insert into users (id, organization_id, email, idp_id, role_id, profile_id, first_name, last_name, title, created_at)
    select gen_random_uuid(), organization_id, gen_random_uuid(), gen_random_uuid(), id, gen_random_uuid(), 'A', 'B', '',
      timestamptz '2026-01-01Z' + day * interval '1 day'
    from organization_roles, unnest(array[2, 6]) as day
    where name = 'member' and organization_id in (${one.id}, ${other.id})`.execute(database);
  await expectOrder(one);
  await expectOrder(other);
});

test('users whom an operator deletes leave no gap', async () => {
  const organization = await given.organization();
  await insert(database, organization, [1, 2, 3, 4, 5, 6, 7]);
  await sql`delete from users where organization_id = ${organization.id}
    and created_at in ('2026-01-03Z', '2026-01-06Z')`.execute(database);
  await expectOrder(organization);
});

test('concurrent transactions insert one after the other, and a rolled back one leaves no gap', async () => {
  const organization = await given.organization();
  await insert(database, organization, [10]);
  let later: Promise<void> | undefined;
  await database.transaction().execute(async (first) => {
    await insert(first, organization, [30, 5]);
    later = database.transaction().execute((second) => insert(second, organization, [20, 40]));
    await until(async () => (await blockedBy(first)) === 1);
  });
  await later;
  await expectOrder(organization);
  const failed = database.transaction().execute(async (transaction) => {
    await insert(transaction, organization, [1, 50]);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await insert(database, organization, [60]);
  await expectOrder(organization);
});

test('the migration gives existing users their positions', async () => {
  const organization = await given.organization();
  for (const statement of [
    'drop table user_positions',
    'drop function position_users cascade',
    'drop index users_role, users_address',
  ])
    await sql.raw(statement).execute(database);
  await insert(database, organization, [7, 3, 3, 9]);
  await positions.up(database as never);
  await insert(database, organization, [4]);
  await expectOrder(organization);
});
