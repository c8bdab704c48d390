import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { applyPlatform } from '../../server/src/manifest/apply.ts';
import { checkContent } from '../../server/src/manifest/check.ts';
import type { PlatformFile, PlatformFileError } from '../../server/src/manifest/platform-file.ts';
import schema from '../../server/src/manifest/platform-schema.json' with { type: 'json' };
import { checkShape, parsePlatformFile } from '../../server/src/manifest/read.ts';
import type { Changes } from '../../server/src/manifest/rows.ts';
import type { Database } from '../../server/src/store/database.ts';
import { emptyDatabase } from '../support/postgres.ts';

const idOf = (number: number) => `7d1f0a34-9c2b-4f6e-8e15-${String(number).padStart(12, '0')}`;
const createdDateTime = '2025-03-01T09:00:00Z';

/** Mentions every optional field at least once, with another value than its default. */
const everything = {
  organization: {
    id: idOf(1),
    name: 'Harbour',
    createdDateTime,
    roleIds: { owner: idOf(2), admin: idOf(3), member: idOf(4) },
  },
  users: [
    { email: 'ada@lake.example', firstName: 'Ada', lastName: 'Lake', role: 'owner' },
    {
      id: idOf(5),
      email: 'ben@lake.example',
      idpId: idOf(6),
      profileId: idOf(7),
      firstName: 'Ben',
      lastName: 'Ngo',
      title: 'Clerk',
      role: 'member',
      status: 'TERMINATED',
      lastSignedInAt: createdDateTime,
      createdDateTime,
      mfaFactors: ['totp'],
    },
  ],
  webhooks: [
    { id: idOf(8), url: 'https://lake.example/hook', events: ['workflow.started'], createdDateTime },
  ],
  workspaces: [
    {
      id: idOf(9),
      name: 'Boats',
      description: 'All boats',
      type: 'LIVE',
      createdDateTime,
      builtInRoles: {
        Viewer: {
          id: idOf(10),
          createdDateTime,
          permissionIds: { can_view_workspace: idOf(11), can_read_attachments: idOf(12) },
        },
        Editor: { id: idOf(13) },
        Manager: { id: idOf(14) },
      },
      roles: [
        {
          id: idOf(15),
          name: 'Inspector',
          description: 'Inspects hulls',
          createdDateTime,
          permissions: [
            { id: idOf(16), relation: 'can_view_workspace' },
            { id: idOf(17), relation: 'can_edit_attachments', table: 'Hulls' },
            { id: idOf(18), relation: 'can_manage_users', on: 'organization' },
          ],
        },
      ],
      members: [{ user: 'ben@lake.example', role: 'Inspector' }],
      tables: [
        {
          id: idOf(19),
          name: 'Hulls',
          createdDateTime,
          records: [{ id: idOf(20), name: 'Hull 1', createdDateTime }, { name: 'Hull 2' }],
        },
      ],
      cases: [
        {
          id: idOf(21),
          name: 'Leak',
          createdDateTime,
          record: 'Hull 1',
          contact: { name: 'Cy', email: 'cy@lake.example' },
        },
      ],
      workflowDefinitions: [
        {
          id: idOf(22),
          name: 'repair',
          revision: '1',
          defaultLocale: 'fr',
          uiOptions: { title: 'Repair' },
          inputSchema: { type: 'object' },
          definition: { QueryLanguage: 'JSONata', StartAt: 'Done', States: { Done: { Type: 'Succeed' } } },
          createdDateTime,
        },
      ],
      schedules: [
        {
          id: idOf(23),
          name: 'nightly',
          definition: 'repair',
          user: 'ada@lake.example',
          cron: '30 2 * * 1-5',
          timeZone: 'Europe/Berlin',
          overlap: 'queue',
          catchUp: 'all',
          jitterSeconds: 90,
          expiresAfterSeconds: 7200,
          parameters: { boat: 'Hull 1' },
          createdDateTime,
        },
      ],
    },
  ],
};
type Declared = typeof everything;
type Path = (string | number)[];

/** What a permission grants is on one line: without these fields it is another grant. */
const partOfAnItem = ['permission.on', 'permission.table'];

interface SchemaNode {
  $ref?: string;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: SchemaNode | boolean;
  items?: SchemaNode;
}
interface Field {
  /** `workspace.description` */
  field: string;
  path: Path;
}

function resolved(node: SchemaNode, name: string): [SchemaNode, string] {
  const [, inner] = node.$ref?.match(/^#\/\$defs\/(.+)$/) ?? [];
  return inner ? [(schema.$defs as Record<string, SchemaNode>)[inner] as SchemaNode, inner] : [node, name];
}

/** The names of the optional fields in the schema. */
function optionalNames(reference: SchemaNode, outer: string, seen = new Set<string>()): Set<string> {
  const [node, name] = resolved(reference, outer);
  const more = typeof node.additionalProperties === 'object' ? { '*': node.additionalProperties } : {};
  for (const [key, child] of Object.entries({ ...node.properties, ...more })) {
    const field = `${name}.${key}`;
    if (!node.required?.includes(key)) seen.add(field);
    optionalNames(child, field, seen);
  }
  if (node.items) optionalNames(node.items, name, seen);
  return seen;
}

/** The optional fields that a value mentions. */
function optionalFields(value: unknown, reference: SchemaNode, outer: string, path: Path = []): Field[] {
  const [node, name] = resolved(reference, outer);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => optionalFields(item, node.items ?? {}, name, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]): Field[] => {
    const known = node.properties?.[key];
    const child = known ?? node.additionalProperties;
    if (typeof child !== 'object') return [];
    const field = `${name}.${known ? key : '*'}`;
    const inner = optionalFields(member, child, field, [...path, key]);
    return node.required?.includes(key) ? inner : [{ field, path: [...path, key] }, ...inner];
  });
}

const environment: SchemaNode = { $ref: '#/$defs/environment' };
const fields = optionalFields(everything, environment, '').filter(
  ({ field }) => !partOfAnItem.includes(field),
);

/** Without the fields, and without the objects that then refer to nothing. */
function without(declared: Declared, removed: Path[]): Declared {
  const file = { environments: { production: structuredClone(declared) } };
  for (const path of removed) remove(file.environments.production, path);
  for (;;) {
    // Checking the shape fills in defaults.
    const filled = structuredClone(file);
    expect(checkShape(filled)).toEqual([]);
    const [problem] = checkContent(filled as unknown as PlatformFile);
    if (!problem) return file.environments.production;
    removeItem(file, problem.path);
  }
}

/** Removes the innermost item of a list that a path leads into, or its role if that is a permission. */
function removeItem(value: unknown, path: readonly (string | number)[]): void {
  const item = path.findLastIndex((part, at) => typeof part === 'number' && path[at - 1] !== 'permissions');
  remove(value, path.slice(0, item + 1));
}

function remove(value: unknown, path: readonly (string | number)[]): void {
  const owner = path
    .slice(0, -1)
    .reduce<unknown>((inner, key) => (inner as Declared | undefined)?.[key as never], value);
  const last = path.at(-1) as string | number;
  if (Array.isArray(owner)) owner.splice(Number(last), 1);
  else if (owner) delete (owner as Record<string, unknown>)[last];
}

let database: Database;
beforeAll(async () => {
  database = await emptyDatabase();
});

const apply = (production: object) =>
  applyPlatform({
    database,
    environment: 'production',
    file: parsePlatformFile(stringify({ environments: { production } }), 'p.yaml'),
  });

/** Applies a file for a new organization without the objects that refer to nothing. @returns what was applied */
async function applyNew(declared: Declared): Promise<Declared> {
  for (const file = structuredClone(declared); ; ) {
    try {
      await apply(file);
      return file;
    } catch (error) {
      const [line = ''] = (error as PlatformFileError).lines ?? [];
      const [, text, reference] =
        /^\S+ environments\.production\.(\S+) is not a (?:role|table|record|workflow)[^:]*: (.+)$/.exec(
          line,
        ) ?? [];
      if (text === undefined) throw error;
      const before = JSON.stringify(file);
      expect(before, 'what the file declares is found').not.toContain(`"name":${JSON.stringify(reference)}`);
      removeItem(
        file,
        text.split(/[.[\]]+/).map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
      );
      expect(JSON.stringify(file).length).toBeLessThan(before.length);
    }
  }
}

const numberOf = (changes: Changes, counts: ('created' | 'updated' | 'removed')[]) =>
  Object.values(changes).reduce((sum, each) => sum + counts.reduce((part, key) => part + each[key], 0), 0);
const changesNothing = (changes: Changes) => numberOf(changes, ['created', 'updated', 'removed']) === 0;

/** Every row that a platform file can declare. */
async function rowsOf(): Promise<Record<string, string[]>> {
  const tables =
    `organizations organization_roles users mfa_factors workspaces workspace_roles role_permissions
    memberships tables records cases workflow_definitions definition_revisions webhook_endpoints schedules`.split(
      /\s+/,
    );
  const rows: Record<string, string[]> = {};
  for (const table of tables) {
    const { rows: found } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t order by 1`.execute(database);
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}

/** The ids in the rows: of a membership, those of its workspace and its user. */
async function idsOf(): Promise<string[]> {
  const rows = Object.values(await rowsOf()).flat();
  return rows.map((row) => {
    const { id, workspace_id, user_id } = JSON.parse(row) as Record<string, string>;
    return id ?? `${workspace_id} ${user_id}`;
  });
}

/** A choice of about a quarter of the fields, another one for each run. */
const isChosen = (run: number, index: number) =>
  (createHash('sha1').update(`${run} ${index}`).digest()[0] as number) < 64;

describe('decision 48: a field that the platform file does not mention', () => {
  test('is tested for every optional field of the schema', () => {
    const mentioned = optionalFields(everything, environment, '').map(({ field }) => field);
    expect([...new Set(mentioned)].toSorted()).toEqual([...optionalNames(environment, '')].toSorted());
  });

  test('keeps its stored value, and every id stays, for each field alone', async () => {
    await apply(everything);
    const stored = await rowsOf();
    expect(changesNothing(await apply(everything))).toBe(true);
    for (const { field, path } of fields) {
      const changes = await apply(without(everything, [path]));
      expect([field, changesNothing(changes), await rowsOf()]).toEqual([field, true, stored]);
    }
  });

  test('keeps its stored value for any fields together', async () => {
    await apply(everything);
    const stored = await rowsOf();
    for (let run = 1; run <= 25; run += 1) {
      const removed = fields.filter((_, index) => isChosen(run, index)).map(({ path }) => path);
      const changes = await apply(without(everything, removed));
      expect([run, changesNothing(changes), await rowsOf()]).toEqual([run, true, stored]);
    }
  });

  test('is added when a later file mentions it, under the same ids', async () => {
    const isId = ({ path }: Field) => /(^id|Ids?|^can_.*|^owner|^admin|^member)$/.test(String(path.at(-1)));
    // Those of a new organization must include an owner.
    const isUsers = ({ path }: Field) => path.length === 1 && path[0] === 'users';
    const ids = fields.filter(isId).map(({ path }) => path);
    for (let run = 1; run <= 10; run += 1) {
      const named = { ...everything, organization: { ...everything.organization, name: `Harbour ${run}` } };
      const full = without(named, ids);
      // A stored revision never changes.
      for (const definition of full.workspaces[0]?.workflowDefinitions ?? []) definition.revision = '2';
      const chosen = fields.filter((field, index) => !isId(field) && isChosen(run, index) && !isUsers(field));
      const part = await applyNew(without(named, [...ids, ...chosen.map(({ path }) => path)]));
      const first = await idsOf();
      expect(changesNothing(await apply(part))).toBe(true);
      expect(numberOf(await apply(full), ['removed'])).toBe(0);
      expect(await idsOf()).toEqual(expect.arrayContaining(first));
      expect(changesNothing(await apply(full))).toBe(true);
    }
  });
});

describe('an empty field of the platform file', () => {
  const [workspace] = everything.workspaces as [Declared['workspaces'][0]];
  const cases: [field: string, change: object, table: string, columns: object][] = [
    ['description of a workspace', { description: '' }, 'workspaces', { description: '' }],
    [
      'description of a role',
      { roles: workspace.roles.map((role) => ({ ...role, description: '' })) },
      'workspace_roles',
      { name: 'Inspector', description: '' },
    ],
    [
      'record of a case',
      { cases: workspace.cases.map((each) => ({ ...each, record: null })) },
      'cases',
      { record_id: null, contact_name: 'Cy' },
    ],
    [
      'contact of a case',
      { cases: workspace.cases.map((each) => ({ ...each, contact: null })) },
      'cases',
      { contact_name: null, contact_email: null },
    ],
    [
      'input schema and hints of a definition, in a new revision',
      {
        workflowDefinitions: workspace.workflowDefinitions.map((each) => ({
          ...each,
          revision: '2',
          inputSchema: {},
          uiOptions: {},
        })),
      },
      'definition_revisions',
      { revision: '2', input_schema: {}, ui_options: {} },
    ],
    [
      'parameters, jitter and expiry of a schedule',
      {
        schedules: workspace.schedules.map((each) => ({
          ...each,
          parameters: {},
          jitterSeconds: 0,
          expiresAfterSeconds: null,
        })),
      },
      'schedules',
      { parameters: {}, jitter_seconds: 0, expires_after_seconds: null, time_zone: 'Europe/Berlin' },
    ],
  ];

  test.each(cases)('empties the stored one: %s', async (_field, change, table, columns) => {
    const mentioned = { ...everything, workspaces: [{ ...workspace, ...change }] };
    await apply(everything);
    expect(changesNothing(await apply(mentioned))).toBe(false);
    const rows = ((await rowsOf())[table] ?? []).map((row) => JSON.parse(row));
    expect(rows).toContainEqual(expect.objectContaining(columns));
    expect(changesNothing(await apply(mentioned))).toBe(true);
  });
});
