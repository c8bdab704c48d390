import { beforeAll, describe, expect, test } from 'vitest';
import { applyPlatform } from '../../server/src/manifest/apply.ts';
import { parsePlatformFile } from '../../server/src/manifest/read.ts';
import type { Changes, Counts } from '../../server/src/manifest/rows.ts';
import type { Database } from '../../server/src/store/database.ts';
import { listUsers } from '../../server/src/store/users.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { queuedUp } from '../support/waiting.ts';
import { smallPlatform } from './small-platform.ts';

let database: Database;
beforeAll(async () => {
  database = await emptyDatabase();
});

/** Each test has an organization of its own. */
const named = (name: string, text = smallPlatform) => text.replace('Lake & Daughters', name);
const apply = (text: string, dryRun = false) =>
  applyPlatform({ database, environment: 'production', file: parsePlatformFile(text, 'p.yaml'), dryRun });
const idOf = (what: string) =>
  `7d1f0a34-9c2b-4f6e-8e15-${Buffer.from(what.slice(0, 6)).toString('hex').padEnd(12, '0')}`;
const sum = (changes: Changes, count: keyof Counts) =>
  Object.values(changes).reduce((total, counts) => total + counts[count], 0);

async function organizationNamed(name: string) {
  const row = await database
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id ?? '';
}
async function userOf(organization: string, firstName: string) {
  const { content } = await listUsers(database, await organizationNamed(organization), {
    page: 0,
    size: 100,
  });
  return content.find(({ profile }) => profile.firstName === firstName);
}

describe('apply', () => {
  test('creates everything, and changes nothing the second time', async () => {
    const first = await apply(named('Twice'));
    expect(first.users).toEqual({ created: 2, updated: 0, removed: 0, unchanged: 0 });
    expect(first['workspace roles'].created).toBe(4);
    const second = await apply(named('Twice'));
    expect(sum(second, 'created') + sum(second, 'updated') + sum(second, 'removed')).toBe(0);
    expect(second.records.unchanged).toBe(2);
  });

  test('creates everything once if two run concurrently', async () => {
    const both = await Promise.all([apply(named('Race')), apply(named('Race'))]);
    expect(both.map(({ users }) => users.created).toSorted()).toEqual([0, 2]);
  });

  test('waits for changes of authority in the organization, which wait for it', async () => {
    await apply(named('Queue'));
    const [again] = await queuedUp(database, await organizationNamed('Queue'), () => apply(named('Queue')));
    expect(again?.['workspace roles'].unchanged).toBe(4);
  });

  test('lists objects in the order of the file', async () => {
    await apply(named('Order'));
    const organizationId = await organizationNamed('Order');
    const { content } = await listUsers(database, organizationId, { page: 0, size: 10 });
    expect(content.map(({ profile }) => profile.firstName)).toEqual(['Ada', 'Ben']);
    const moments = content.map(({ createdDateTime }) => Date.parse(createdDateTime));
    expect(moments[0]).toBeLessThan(moments[1] as number);
    expect(moments[1]).toBeLessThanOrEqual(Date.now());
  });

  test('stores every time that RFC 3339 allows, including those that PostgreSQL cannot read', async () => {
    const text = named('Times')
      .replace('role: owner', 'role: owner, createdDateTime: 2025-12-31T18:59:60-05:00')
      .replace(
        'title: Clerk',
        'title: Clerk, createdDateTime: 2026-01-01t12:00:00.5+23:59, lastSignedInAt: 2026-01-02T23:59:60Z',
      );
    await apply(text);
    expect(await userOf('Times', 'Ada')).toMatchObject({ createdDateTime: '2026-01-01T00:00:00.000Z' });
    expect(await userOf('Times', 'Ben')).toMatchObject({ createdDateTime: '2025-12-31T12:01:00.500Z' });
    const signedIn = await database
      .selectFrom('users')
      .select('last_signed_in_at')
      .where('organization_id', '=', await organizationNamed('Times'))
      .where('last_signed_in_at', 'is not', null)
      .execute();
    expect(signedIn).toEqual([{ last_signed_in_at: new Date('2026-01-03T00:00:00Z') }]);
    await expect(async () => apply(text.replace('18:59:60', '17:59:60'))).rejects.toThrow(/RFC 3339/);
  });

  test('adds to an organization and its workspace without repeating their users and types', async () => {
    await apply(named('Brief'));
    const text = `environments:
  production:
    organization: { name: Brief }
    workspaces:
      - name: Boats
        members: [{ user: ADA@lake.example, role: Viewer }]
        workflowDefinitions:
          - { name: second, revision: '1', definition: { QueryLanguage: JSONata, StartAt: A, States: { A: { Type: Succeed } } } }
`;
    const changes = await apply(text);
    expect(changes['workflow definitions'].created).toBe(1);
    expect(changes.memberships.created).toBe(1);
    expect([changes.users, changes.workspaces]).toEqual([
      { created: 0, updated: 0, removed: 0, unchanged: 0 },
      { created: 0, updated: 0, removed: 0, unchanged: 1 },
    ]);
    expect(sum(changes, 'updated') + sum(changes, 'removed')).toBe(0);
  });

  test.each([
    ['production', 'LIVE'],
    ['sandbox', 'SANDBOX'],
  ] as const)('a new workspace of %s is %s by default', async (environment, type) => {
    const name = `Default ${environment}`;
    const text = named(name).replace('        type: LIVE\n', '').replace('production:', `${environment}:`);
    await applyPlatform({ database, environment, file: parsePlatformFile(text, 'p.yaml') });
    const organizationId = await organizationNamed(name);
    const workspaces = await database
      .selectFrom('workspaces')
      .select('type')
      .where('organization_id', '=', organizationId)
      .execute();
    expect(workspaces).toEqual([{ type }]);
  });

  test.each([
    [
      'an unknown member',
      ['user: ben@', 'user: bob@'],
      'p.yaml:17:21 environments.production.workspaces[0].members[0].user is not a user of the organization: bob@lake.example',
    ],
    [
      'an unknown role',
      ['role: Inspector', 'role: Captain'],
      'p.yaml:17:45 environments.production.workspaces[0].members[0].role is not a role of the workspace: Captain',
    ],
    [
      'an unknown table',
      ['table: Hulls', 'table: Masts'],
      'p.yaml:14:58 environments.production.workspaces[0].roles[0].permissions[1].table is not a table of the workspace: Masts',
    ],
    [
      'an unknown record',
      ['record: Hull 1', 'record: Hull 9'],
      'p.yaml:22:35 environments.production.workspaces[0].cases[0].record is not a record of the workspace: Hull 9',
    ],
    [
      'a new organization without an owner',
      ['role: owner', 'role: admin'],
      'p.yaml:4:5 environments.production.users must include an active owner of Refused',
    ],
    [
      'a new organization without users',
      [/ {4}users:\n.*\n.*\n/, ''],
      'p.yaml:3:5 environments.production.users must include an active owner of Refused',
    ],
  ] as [string, [string | RegExp, string], string][])('refuses %s', async (_what, [from, to], line) => {
    const text = named('Refused').replace(from, to);
    await expect(apply(text)).rejects.toThrow(line);
    expect(await organizationNamed('Refused')).toBe('');
  });

  test('a dry run reports changes and makes none', async () => {
    const changes = await apply(named('Dry'), true);
    expect(changes.users.created).toBe(2);
    expect(await organizationNamed('Dry')).toBe('');
  });

  test('updates the fields that the file decides', async () => {
    await apply(named('Update'));
    const text = named('Update').replace("revision: '1'", "revision: '2'").replace('name: Cy', 'name: Cyd');
    const changes = await apply(text);
    expect(changes['workflow definitions'].updated).toBe(1);
    expect(changes.cases.updated).toBe(1);
    expect(changes['definition revisions'].created).toBe(1);
    expect(sum(changes, 'created')).toBe(1);
  });

  test('keeps what the API decides: profile, role, status, factors, the role of a member', async () => {
    await apply(named('Api'));
    const ben = await userOf('Api', 'Ben');
    await database
      .updateTable('users')
      .set({ title: 'Captain', status: 'TERMINATED' })
      .where('id', '=', ben?.id ?? '')
      .execute();
    await database
      .deleteFrom('mfa_factors')
      .where('user_id', '=', ben?.id ?? '')
      .execute();
    const changes = await apply(named('Api', smallPlatform.replace('role: Inspector }', 'role: Viewer }')));
    expect(sum(changes, 'created') + sum(changes, 'updated')).toBe(0);
    expect((await userOf('Api', 'Ben'))?.profile).toMatchObject({ title: 'Captain', status: 'TERMINATED' });
  });

  test('never deletes objects that the file no longer names', async () => {
    await apply(named('Less'));
    const changes = await apply(named('Less', smallPlatform.replace(', { name: Hull 2 }', '')));
    expect(changes.records).toEqual({ created: 0, updated: 0, removed: 0, unchanged: 1 });
    const { count } = await database
      .selectFrom('records')
      .innerJoin('tables', 'tables.id', 'records.table_id')
      .innerJoin('workspaces', 'workspaces.id', 'tables.workspace_id')
      .where('organization_id', '=', await organizationNamed('Less'))
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(count).toBe(2);
  });

  test('adds a member of one workspace to another', async () => {
    await apply(named('Members'));
    const changes = await apply(named('Members').replace('name: Boats', 'name: Yards'));
    expect(changes.memberships).toMatchObject({ created: 1, unchanged: 0 });
  });

  test('removes a permission that the file removes from a role, and none of other roles', async () => {
    await apply(named('Permissions'));
    await apply(named('Other permissions'));
    const text = smallPlatform.replace(
      '              - { relation: can_manage_users, on: organization }\n',
      '',
    );
    expect((await apply(named('Permissions', text))).permissions).toMatchObject({ created: 0, removed: 1 });
  });

  test('keeps an object whose identifier the file adds later', async () => {
    await apply(named('Later'));
    const id = (await userOf('Later', 'Ada'))?.id;
    const withId = named('Later').replace('email: ada@', `id: ${id}, email: ada@`);
    expect((await apply(withId)).users.unchanged).toBe(2);
    const moved = await apply(withId.replaceAll('ada@lake.example', 'ada.lake@lake.example'));
    expect(moved.users).toMatchObject({ created: 0, updated: 1 });
    expect((await userOf('Later', 'Ada'))?.email).toBe('ada.lake@lake.example');
  });

  test('refuses another identifier for an existing object, and changes nothing', async () => {
    await apply(named('Refuse'));
    const id = (await userOf('Refuse', 'Ada'))?.id;
    const other = '7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e77';
    const text = named('Refuse').replace('email: ada@', `id: ${other}, email: ada@`).replace("'1'", "'2'");
    await expect(apply(text)).rejects.toThrow(
      `p.yaml:5:15 environments.production.users[0].id does not match: ada@lake.example already exists with id ${id}`,
    );
    expect((await apply(named('Refuse')))['workflow definitions'].unchanged).toBe(1);
  });

  test('gives the former name of an object with an identifier to a new object', async () => {
    await apply(named('Names'));
    const organizationId = await organizationNamed('Names');
    const tableIds = async () => {
      const rows = await database
        .selectFrom('tables')
        .innerJoin('workspaces', 'workspaces.id', 'tables.workspace_id')
        .where('organization_id', '=', organizationId)
        .select(['tables.id', 'tables.name'])
        .execute();
      return Object.fromEntries(rows.map(({ id, name }) => [name, id]));
    };
    const { Hulls: id } = await tableIds();
    const renamed = named('Names').replace('- name: Hulls', `- name: Bodies\n            id: ${id}`);
    const both = renamed
      .replaceAll('table: Hulls', 'table: Bodies')
      .replace('        cases:', '          - name: Hulls\n        cases:');
    expect((await apply(both)).tables).toMatchObject({ created: 1, updated: 1 });
    const { Bodies, Hulls } = await tableIds();
    expect([Bodies, Hulls === id]).toEqual([id, false]);
    expect((await apply(both)).tables).toEqual({ created: 0, updated: 0, removed: 0, unchanged: 2 });
    // Without the identifier, the names decide.
    const byName = both.replace(`            id: ${id}\n`, '');
    expect((await apply(byName)).tables).toMatchObject({ created: 0, updated: 0 });
    expect(await tableIds()).toEqual({ Bodies, Hulls });
  });

  test('refuses another identifier for a permission that the role has, and keeps it without one', async () => {
    const id = '7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e78';
    const grant = (text: string) =>
      named('Grants').replace('- relation: can_view_workspace', `- { ${text}relation: can_view_workspace }`);
    await apply(grant(`id: ${id}, `));
    expect((await apply(grant(''))).permissions).toMatchObject({ created: 0, removed: 0 });
    await expect(apply(grant(`id: ${id.replace('78', '79')}, `))).rejects.toThrow(
      /roles\[0\]\.permissions\[0\]\.id does not match: the role already has this permission with id .*9e78$/,
    );
  });

  test('moves the identifier of a permission to another permission, as the file says', async () => {
    const id = '7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e80';
    const first = named('Moves').replace(
      '- relation: can_view',
      `- id: ${id}\n                relation: can_view`,
    );
    const second = named('Moves').replace(
      '- { relation: can_manage',
      `- { id: ${id}, relation: can_edit_data }\n              - { relation: can_manage`,
    );
    await apply(first);
    expect((await apply(second)).permissions).toMatchObject({ created: 2, removed: 1 });
    expect((await apply(second)).permissions).toMatchObject({ created: 0, removed: 0 });
  });

  test.each<[what: string, change: [from: string, to: string], path: string]>([
    ['workspace', ['- name: Boats', '- name: Boats\n        ID'], 'workspaces[0].id'],
    ['table', ['- name: Hulls', '- name: Hulls\n            ID'], 'workspaces[0].tables[0].id'],
    ['role', ['- name: Inspector', '- name: Inspector\n            ID'], 'workspaces[0].roles[0].id'],
    [
      'definition',
      ['- name: echo', '- name: echo\n            ID'],
      'workspaces[0].workflowDefinitions[0].id',
    ],
  ])('refuses another identifier for a %s, whose name is unique', async (what, [from, to], path) => {
    const organization = `Unique ${what}`;
    await apply(named(organization));
    const text = named(organization, smallPlatform.replace(from, to.replace('ID', `id: ${idOf(what)}`)));
    await expect(apply(text)).rejects.toThrow(`environments.production.${path} does not match: `);
  });

  test('refuses to give an object the name of another one that the file does not mention', async () => {
    await apply(named('Taken'));
    const ben = (await userOf('Taken', 'Ben'))?.id;
    const text = named('Taken')
      .replace(/ *- \{ email: ada@.*\n/, '')
      .replace('email: ben@', `id: ${ben}, email: ada@`)
      .replace('role: member', 'role: owner')
      .replace('user: ben@', 'user: ada@');
    await expect(apply(text)).rejects.toThrow(
      /users\[0\]\.id does not match: ada@lake\.example already exists with id/,
    );
  });

  test('refuses an identifier of another organization', async () => {
    await apply(named('Mine'));
    const id = (await userOf('Mine', 'Ben'))?.id;
    const text = named('Theirs').replace('email: ben@', `id: ${id}, email: ben@`);
    await expect(apply(text)).rejects.toThrow(
      'p.yaml:6:15 environments.production.users[1].id is already used by another object',
    );
    expect(await organizationNamed('Theirs')).toBe('');
  });
});
