import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { layoutOf } from '../../../../server/src/console/execution/layout.ts';
import type { ConsolePage } from '../../../../server/src/console/page.ts';
import { execution as executionPage } from '../../../../server/src/console/pages/execution.ts';
import { executions as executionsPage } from '../../../../server/src/console/pages/executions.ts';
import { pages } from '../../../../server/src/console/pages/index.ts';
import { listCredentials, usersNamed } from '../../../../server/src/store/credentials.ts';
import type { Database } from '../../../../server/src/store/database.ts';
import { listExecutions } from '../../../../server/src/store/execution-list.ts';
import { listLinks } from '../../../../server/src/store/link-list.ts';
import { readWorkload } from '../../../../server/src/store/monitoring.ts';
import { listDeliveries } from '../../../../server/src/store/webhook-log.ts';
import { insertEnded } from '../executions/rows.ts';

/** What is the same at any size. */
export interface Filled {
  /** All users. */
  users: number;
  /** Members who are not the caller. */
  userIds: string[];
  /** A workspace with 100 members and a role of its own. */
  workspaceId: string;
  /** A record with 100 attachments. */
  tableId: string;
  recordId: string;
  executionId: string;
}

interface Place {
  workspaceId: string;
  recordId: string;
  definitionId: string;
}

const small = 100;
const maxRoles = 10_000;

/**
 * Adds rows until there are `count` users, memberships, attachments and executions of one organization, and as many
 * roles, but at most 10,000. Updates the planner's statistics.
 */
export async function fill(database: Database, place: Place, count: number): Promise<Filled> {
  const { workspaceId, recordId } = place;
  await addSmall(database, place);
  const { rows: found } = await sql<{ users: number; executions: number; organization_id: string }>`
    select (select count(*) from users u where u.organization_id = w.organization_id) as users,
      (select count(*) from executions) as executions, w.organization_id
    from workspaces w where w.id = ${workspaceId}`.execute(database);
  const before = found[0] as (typeof found)[number];
  const { organization_id: organizationId } = before;
  // One user for each role and so on, in workspaces with a thousand members and records with a thousand attachments.
  for (let users = before.users; users < count; users += 100_000) {
    await sql`
      with added as (
        insert into users (id, organization_id, email, idp_id, role_id, profile_id, first_name, last_name, title, created_at)
        select gen_random_uuid(), r.organization_id, 'user' || n || '@bench.example', gen_random_uuid(), r.id,
          gen_random_uuid(), 'Ada', 'Lovelace', 'Claims adjuster', now() + n * interval '1 millisecond'
        from organization_roles r, generate_series(${users}::integer + 1, ${Math.min(count, users + 100_000)}::integer) n
        where r.organization_id = ${organizationId} and r.name = 'member'
        returning id),
      numbered as (select id, row_number() over () as n from added),
      places as (
        insert into workspaces (id, organization_id, name, description, type)
        select gen_random_uuid(), ${organizationId}, 'Crowd', '', 'SANDBOX'
        from generate_series(0, (select count(*) / 1000 from added)) returning id),
      roles as (
        insert into workspace_roles (id, workspace_id, name, description, type)
        select gen_random_uuid(), id, 'viewer', '', 'WORKSPACE' from places returning id, workspace_id),
      places_in_order as (select *, row_number() over () as n from roles),
      members as (
        insert into memberships (workspace_id, user_id, role_id)
        select p.workspace_id, u.id, p.id from numbered u join places_in_order p on p.n = 1 + u.n / 1000),
      held as (
        insert into records (id, table_id, name)
        select gen_random_uuid(), r.table_id, 'Crowd' from records r, generate_series(0, (select count(*) / 1000 from added))
        where r.id = ${recordId} returning id),
      records_in_order as (select id, row_number() over () as n from held)
      insert into attachments (id, record_id, name, content_type, size, sha256, tags, blob_key, created_by)
      select gen_random_uuid(), r.id, 'photo.jpg', 'image/jpeg', 1, '', '{}', gen_random_uuid(), u.id
      from numbered u join records_in_order r on r.n = 1 + u.n / 1000`.execute(database);
  }
  await sql`
    with added as (
      insert into workspace_roles (id, workspace_id, name, description, type)
      select gen_random_uuid(), ${workspaceId}, 'Crowd ' || n, '', 'CUSTOM'
      from generate_series((select count(*) from workspace_roles where name like 'Crowd %') + 1, ${Math.min(count, maxRoles)}::integer) n
      returning id)
    insert into role_permissions (id, role_id, resource_type, relation, resource_id)
    select gen_random_uuid(), id, 'workspace', 'can_view_workspace', ${workspaceId} from added`.execute(
    database,
  );
  await insertEnded(database, place.definitionId, Math.max(0, count - before.executions), 0);
  for (const table of [
    'users',
    'user_positions',
    'memberships',
    'workspace_roles',
    'role_permissions',
  ] as const)
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(database);
  for (const table of ['attachments', 'records', 'workspaces', 'executions'] as const)
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(database);
  const { rows } = await sql<Filled>`
    select (select max(position) from user_positions where organization_id = ${organizationId}) as users,
      (select json_agg(id) from (select id from users where title = 'Claims adjuster'
        and organization_id = ${organizationId} order by email limit 16) u) as "userIds",
      (select id from workspaces where name = 'Small' limit 1) as "workspaceId",
      (select id from records where name = 'Small' limit 1) as "recordId",
      (select table_id from records where name = 'Small' limit 1) as "tableId",
      (select id from executions limit 1) as "executionId"`.execute(database);
  return rows[0] as Filled;
}

/** Adds what stays small: a workspace with members, and a record with attachments. */
async function addSmall(database: Database, { workspaceId, recordId }: Place): Promise<void> {
  await sql`
    with place as (
      insert into workspaces (id, organization_id, name, description, type)
      select gen_random_uuid(), organization_id, 'Small', '', 'SANDBOX' from workspaces
      where id = ${workspaceId} and not exists (select from workspaces where name = 'Small')
      returning id, organization_id),
    role as (
      insert into workspace_roles (id, workspace_id, name, description, type)
      select gen_random_uuid(), id, 'viewer', '', 'WORKSPACE' from place returning id, workspace_id),
    people as (
      insert into users (id, organization_id, email, idp_id, role_id, profile_id, first_name, last_name, title)
      select gen_random_uuid(), p.organization_id, 'small' || n || '@bench.example', gen_random_uuid(), r.id,
        gen_random_uuid(), 'Ada', 'Lovelace', 'Claims adjuster'
      from place p join organization_roles r on r.organization_id = p.organization_id and r.name = 'member',
        generate_series(1, ${small}::integer) n
      returning id),
    members as (
      insert into memberships (workspace_id, user_id, role_id)
      select r.workspace_id, u.id, r.id from role r, people u),
    held as (
      insert into records (id, table_id, name)
      select gen_random_uuid(), table_id, 'Small' from records where id = ${recordId} and exists (select from place)
      returning id)
    insert into attachments (id, record_id, name, content_type, size, sha256, tags, blob_key, created_by)
    select gen_random_uuid(), h.id, 'photo.jpg', 'image/jpeg', 1, '', '{}', gen_random_uuid(), u.id
    from held h, people u`.execute(database);
}

const shownOf = ({ show }: ConsolePage, { query: text = '', id = '' } = {}) => {
  const query = new URLSearchParams(text);
  return (database: Database) =>
    show({
      ...{ database, environment: 'production', id, query, now: new Date(), form: undefined },
      layouts: layoutOf,
    });
};

/** Statements of commands, and pages of the console. */
const operatorLists: Record<string, (database: Database) => Promise<unknown>> = {
  'wrp executions list': (database: Database) => listExecutions(database, {}, { size: 50 }),
  'wrp executions list --status FAILED': (database: Database) =>
    listExecutions(database, { status: 'FAILED' }, { size: 50 }),
  // None of them has ten steps.
  'wrp executions list --definition NAME': (database: Database) =>
    listExecutions(database, { definition: 'Bench, 10 steps' }, { size: 50 }),
  'wrp executions list --error NAME': (database: Database) =>
    listExecutions(database, { error: 'Bench.None' }, { size: 50 }),
  'wrp executions list --record ID': (database: Database) =>
    listExecutions(database, { recordId: randomUUID() }, { size: 50 }),
  'wrp executions list --ended-since 1h': (database: Database) =>
    listExecutions(database, { endedSince: new Date(Date.now() - 3_600_000) }, { size: 50 }),
  'wrp webhook deliveries': (database: Database) => listDeliveries(database, {}, { size: 50 }),
  'wrp link list': (database: Database) => listLinks(database, { all: false }, { size: 50 }, new Date()),
  'wrp queue': (database: Database) => readWorkload(database, new Date()),
  'wrp token create --user ADDRESS': (database: Database) => usersNamed(database, 'small7@bench.example'),
  'wrp token list': (database: Database) => listCredentials(database, 'organization_tokens'),
  ...Object.fromEntries(
    pages.flatMap((page) => (page.path.includes(':id') ? [] : [[`console ${page.path}`, shownOf(page)]])),
  ),
  // Of the executions that are searched, none matches.
  'console /executions?text=none': shownOf(executionsPage, { query: 'text=none' }),
  'console /executions/ID': async (database: Database) => {
    const { id } = await database.selectFrom('executions').select('id').limit(1).executeTakeFirstOrThrow();
    return shownOf(executionPage, { id })(database);
  },
};

export const operatorListNames = Object.keys(operatorLists);

export async function listOfOperator(database: Database, list: string): Promise<void> {
  const show = operatorLists[list];
  if (!show) throw new Error(`There is no list ${list}.`);
  await show(database);
}
