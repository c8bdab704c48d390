import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { type Credential, decideAccess, type TargetObject } from '../../server/src/store/access.ts';
import { addressableObjects, type ObjectName } from '../../server/src/store/addressable-objects.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { cloneDatabase } from '../support/postgres.ts';

const clone = await cloneDatabase();

const credentials: Credential[] = [
  { scheme: 'organizationToken', sha256: Buffer.alloc(32) },
  { scheme: 'accessToken', family: randomUUID() },
];
const unnamed: TargetObject[] = [{ name: 'none' }, { name: 'organization' }, { name: 'home_workspace' }];
const named = Object.entries(addressableObjects).flatMap(([name, object]): TargetObject[] => {
  if (!('select' in object)) return [];
  const part = 'part' in object ? randomUUID() : undefined;
  return [false, true].map((withRow) => ({ name: name as ObjectName, id: randomUUID(), part, withRow }));
});

test.each(['can_manage_users', null])(
  'PostgreSQL keeps the plans of the statements that check %s, and plans none of them again',
  async (permission) => {
    const database = openDatabase({ connection: clone.connectionString, schema: 'production', poolSize: 1 });
    onTestFinished(() => database.destroy());
    // After five executions, PostgreSQL decides whether to keep a plan.
    for (let time = 0; time < 8; time++)
      for (const credential of credentials)
        for (const object of [...unnamed, ...named])
          await decideAccess(database, credential, object, permission);
    const { rows } = await sql<{ custom: number; kept: number; statement: string }>`
    select custom_plans as custom, generic_plans as kept, statement
    from pg_prepared_statements where statement like '%with caller as%'`.execute(database);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter(({ custom, kept }) => custom > 5 || kept === 0)).toEqual([]);
  },
);
