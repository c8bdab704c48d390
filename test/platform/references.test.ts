import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { applyPlatform } from '../../server/src/manifest/apply.ts';
import { parsePlatformFile } from '../../server/src/manifest/read.ts';
import type { Database } from '../../server/src/store/database.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { smallPlatform } from './small-platform.ts';

let database: Database;
const apply = (text: string, dryRun = false) =>
  applyPlatform({ database, environment: 'production', file: parsePlatformFile(text, 'p.yaml'), dryRun });
/** A file with this part of the workspace only. */
const only = (part: string, workspace = 'Boats') => `environments:
  production:
    organization: { name: Lake & Daughters }
    workspaces:
      - name: ${workspace}
        ${part}
`;

beforeAll(async () => {
  database = await emptyDatabase();
  const twins = smallPlatform.replace(
    '{ name: Hull 2 }',
    '{ name: Hull 2 }, { name: Twin, id: 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01 }, { name: Twin, id: 7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e02 }',
  );
  const schema = 'inputSchema: { type: object, properties: { day: { type: integer } } }';
  await apply(twins.replace("revision: '1'", `revision: '1'\n            ${schema}`));
  await apply(only('tables: [{ name: Decks, records: [{ name: Deck 1 }] }]', 'Other'));
});

const schedule = (definition: string, more = '') =>
  `schedules: [{ name: s, definition: ${definition}, user: ada@lake.example, cron: '0 9 * * 1'${more} }]`;
const member = (role: string) => `members: [{ user: ada@lake.example, role: ${role} }]`;
const grants = (...tables: string[]) =>
  `roles: [{ name: R, permissions: [${tables.map((table) => `{ relation: can_edit_attachments, table: ${table} }`)}] }]`;
const ofRecord = (record: string) => `cases: [{ name: C, record: ${record} }]`;

type Target = 'workflow_definitions' | 'workspace_roles' | 'tables' | 'records';
const kinds: [target: Target, name: string, part: (reference: string) => string, message: string][] = [
  ['workflow_definitions', 'echo', schedule, 'schedules[0].definition is not a workflow definition'],
  ['workspace_roles', 'Inspector', member, 'members[0].role is not a role'],
  ['tables', 'Hulls', grants, 'roles[0].permissions[0].table is not a table'],
  ['records', 'Hull 1', ofRecord, 'cases[0].record is not a record'],
];

describe('a reference of a platform file to what only the database has', () => {
  test.each(kinds)('of %s resolves by name and by id', async (target, name, part) => {
    const { id } = await database
      .selectFrom(target)
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    for (const reference of [name, id]) {
      const changes = await apply(only(part(reference)), true);
      expect(Object.values(changes).reduce((sum, { created }) => sum + created, 0)).toBeGreaterThan(0);
    }
  });

  test.each(kinds)('of %s is reported if the workspace has none', async (_target, name, part, message) => {
    const place = `environments.production.workspaces[0].${message} of the workspace: `;
    const unknownId = '00000000-0000-4000-8000-000000000000';
    for (const reference of ['none', unknownId])
      await expect(apply(only(part(reference)))).rejects.toThrow(`${place}${reference}`);
    await expect(apply(only(part(name), 'Other'))).rejects.toThrow(`${place}${name}`);
  });

  test.each(['name', 'id'])('stores the ids of the objects, given by %s', async (by) => {
    const references = kinds.map(async ([target, name]) => {
      const row = database.selectFrom(target).select(['id', 'name']).where('name', '=', name);
      return (await row.executeTakeFirstOrThrow())[by as 'id'];
    });
    const [definition, role, table, record] = (await Promise.all(references)) as [
      string,
      string,
      string,
      string,
    ];
    const parts = [schedule(definition), member(role), ofRecord(record), grants(table)];
    await apply(only(parts.join('\n        ')));
    const stored = await database
      .selectFrom('schedules as s')
      .innerJoin('workflow_definitions as d', 'd.id', 's.workflow_definition_id')
      .select('d.name')
      .where('s.name', '=', 's')
      .execute();
    const cases = await database
      .selectFrom('cases as c')
      .innerJoin('records as r', 'r.id', 'c.record_id')
      .select('r.name')
      .where('c.name', '=', 'C')
      .execute();
    const permissions = await database
      .selectFrom('role_permissions as p')
      .innerJoin('workspace_roles as r', 'r.id', 'p.role_id')
      .innerJoin('tables as t', 't.id', 'p.resource_id')
      .select('t.name')
      .where('r.name', '=', 'R')
      .execute();
    const members = await database
      .selectFrom('memberships as m')
      .innerJoin('workspace_roles as r', 'r.id', 'm.role_id')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select('r.name')
      .where('u.email', '=', 'ada@lake.example')
      .execute();
    expect([stored, members, cases, permissions]).toEqual([
      [{ name: 'echo' }],
      [{ name: 'Inspector' }],
      [{ name: 'Hull 1' }],
      [{ name: 'Hulls' }],
    ]);
  });

  test('is reported if several have the name', async () => {
    await expect(apply(only(ofRecord('Twin')))).rejects.toThrow(
      'cases[0].record matches several stored records: use an id',
    );
  });

  test('is a duplicate permission if it names a table by name and by id', async () => {
    const { id } = await database
      .selectFrom('tables')
      .select('id')
      .where('name', '=', 'Hulls')
      .executeTakeFirstOrThrow();
    await expect(apply(only(grants('Hulls', id)))).rejects.toThrow(
      'roles[0].permissions[1] is a duplicate permission',
    );
  });

  test('checks the parameters of a schedule with the stored input schema', async () => {
    await expect(apply(only(schedule('echo', ', parameters: { day: one }')))).rejects.toThrow(
      /p\.yaml:6:\d+ .*schedules\[0\]\.parameters\.day must be a whole number/,
    );
  });

  test('is reported if the definition is archived, unless the file restores it', async () => {
    const archive = (at: Date | null) =>
      database
        .updateTable('workflow_definitions')
        .set({ archived_at: at })
        .where('name', '=', 'echo')
        .execute();
    onTestFinished(async () => void (await archive(null)));
    await archive(new Date());
    await expect(apply(only(schedule('echo')))).rejects.toThrow(
      'schedules[0].definition is archived: echo. Restore it with `wrp definition restore`, or declare it in this file',
    );
    const both = `${only(schedule('echo'))}        workflowDefinitions:${smallPlatform.split('workflowDefinitions:')[1]}`;
    await expect(apply(both, true)).resolves.toMatchObject({ 'workflow definitions': { updated: 1 } });
  });
});
