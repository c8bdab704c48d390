import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { DemoFixtures } from '../../../server/src/manifest/demo-fixtures.ts';
import type { Database } from '../../../server/src/store/database.ts';
import type { ExecutionStatus } from '../../../server/src/store/schema.ts';
import { derivedUuid, personOf } from '../people.ts';
import { mockUsers } from './mock-users.ts';

const day = 86_400_000;
/** How long an execution may run, and how far back they started. */
const [lifetime, oldestExecution] = [30 * day, 90 * day];
/** Those that run are continued when the mock starts. */
const mostRunning = 50;
/** The statuses of executions in turn, and that of those which have not had the time to expire. */
const statuses: ExecutionStatus[] = [
  ...(['COMPLETED', 'COMPLETED', 'FAILED', 'COMPLETED', 'CANCELLED'] as const),
  ...(['COMPLETED', 'RUNNING', 'EXPIRED', 'COMPLETED', 'COMPLETED'] as const),
];
/** As in the contract. */
const longestName = 200;
const subjects = [
  ...['Windscreen, A8 near Ulm', 'Wasserschaden', '衝突事故', 'Vol de vélo', 'زجاج مكسور', 'Hail', 'Ф-1'],
  'Multiple vehicle collision with personal injury, disputed liability, two counterclaims and a pending expert report on the state of the brakes of the second vehicle, Ljubljana ring road, northbound carriageway',
];

/** The objects that the generated ones belong to. */
interface Owners {
  tables: { id: string }[];
  roles: { id: string; workspace_id: string }[];
  starters: { id: string; first_name: string; last_name: string; email: string; token: string }[];
  definitions: {
    id: string;
    name: string;
    revision: string;
    workspace_id: string;
    revision_id: string;
    locale: string;
  }[];
}

/**
 * Adds users with memberships, records, and ended and running executions, `count` of each. Identifiers and names depend on
 * their number only; times are relative to `now`.
 */
export async function seedDatabase(
  database: Database,
  { fixtures, count, now }: { fixtures: DemoFixtures; count: number; now: Date },
): Promise<void> {
  const owners = await ownersIn(database, fixtures);
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const organization = await database
    .selectFrom('organizations')
    .select('created_at')
    .where('id', '=', fixtures.organizationId)
    .executeTakeFirstOrThrow();
  const roleId = await memberRole(database, fixtures);
  const since = organization.created_at.getTime();
  const users = numbers.map((number) => {
    const { firstName, lastName, title, account } = personOf(number);
    return {
      id: derivedUuid(`user ${number}`),
      organization_id: fixtures.organizationId,
      email: `${account}@alderfinch.example`,
      idp_id: derivedUuid(`idp ${number}`),
      role_id: roleId,
      profile_id: derivedUuid(`profile ${number}`),
      first_name: firstName,
      last_name: lastName,
      title,
      status: number % 9 === 0 ? 'TERMINATED' : 'ACTIVE',
      last_signed_in_at: number % 4 === 0 ? null : new Date(now.getTime() - (number % 400) * 3_600_000),
      created_at: spread(number, count, since, now),
    };
  });
  await insert(database, 'users', users);
  // Every second user, so that a workspace has users who are no members.
  const memberships = numbers.flatMap((number) => {
    const role = owners.roles[(number >> 1) % owners.roles.length];
    if (number % 2 === 1 || number % 9 === 0 || !role) return [];
    return [
      {
        workspace_id: role.workspace_id,
        user_id: derivedUuid(`user ${number}`),
        role_id: role.id,
        created_at: spread(number, count, since, now),
      },
    ];
  });
  await insert(database, 'memberships', memberships);
  const [first] = owners.tables;
  const records = numbers.map((number) => ({
    id: derivedUuid(`record ${number}`),
    // Every second one in the first table, whose list is long.
    table_id: (number % 2 === 0 ? first : owners.tables[(number >> 1) % owners.tables.length])?.id,
    name: `Claim S-${String(number).padStart(5, '0')}: ${subjects[number % subjects.length]}`.slice(
      0,
      longestName,
    ),
    created_at: spread(number, count, since, now),
  }));
  await insert(database, 'records', records);
  const executions = numbers.map((number) => executionOf(number, owners, { fixtures, count, now }));
  await insert(database, 'executions', executions);
  await insertHistory(database);
  // As an execution begins: no other runs yet.
  await sql`insert into threads (id, execution_id, scope, frame, status)
    select gen_random_uuid(), id, '[]', 'null', 'ready' from executions where status = 'RUNNING'`.execute(
    database,
  );
}

/** Adds one entry to each ended execution, about the first state of its definition: where it completed, failed or waited. */
async function insertHistory(database: Database): Promise<void> {
  const text = (time: RawBuilder<unknown>) =>
    sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  // As `executionInput` builds it.
  const fields = sql`'parameters', e.parameters, 'workflowId', e.id, 'createdDate', ${text(sql`e.created_at`)},
    'origin', e.result_origin, 'locale', e.locale`;
  const input = sql`case when e.record_id is null then json_build_object(${fields})
    else json_build_object(${fields}, 'recordId', e.record_id) end`;
  await sql`
    insert into execution_history (execution_id, thread_id, at, kind, state, detail)
    select e.id, gen_random_uuid(), case when e.status in ('CANCELLED', 'EXPIRED') then e.created_at else e.ended_at end,
      case e.status when 'COMPLETED' then 'state' when 'FAILED' then 'failed' else 'waiting' end, r.document->>'StartAt',
      case e.status
        when 'COMPLETED' then json_build_object('type', r.document->'States'->(r.document->>'StartAt')->>'Type',
          'enteredAt', ${text(sql`e.created_at`)}, 'input', ${input}, 'output', convert_from(e.result_bytes, 'UTF8')::json)
        when 'FAILED' then json_build_object('error', e.error, 'cause', e.cause, 'attempt', 1, 'input', ${input})
        else json_build_object('until', ${text(sql`e.created_at + interval '1 hour'`)}) end
    from executions e join definition_revisions r on r.id = e.definition_revision_id
    where e.ended_at is not null order by e.created_at`.execute(database);
}

/** The threads of the running executions, which need jobs. Call it before any other execution is started. */
export async function runningThreads(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('threads').select('id').execute();
  return rows.map(({ id }) => id);
}

/** A time between two others: the later, the higher the number. */
const spread = (number: number, count: number, from: number, to: Date) =>
  new Date(from + ((to.getTime() - from) * number) / (count + 1));

function executionOf(
  number: number,
  { definitions, starters }: Owners,
  { fixtures, count, now }: { fixtures: DemoFixtures; count: number; now: Date },
) {
  const createdAt = spread(number, count, now.getTime() - oldestExecution, now);
  const expiresAt = new Date(createdAt.getTime() + lifetime);
  const wanted = statuses[number % statuses.length] ?? 'COMPLETED';
  const isPossible = {
    RUNNING: expiresAt > now && count - number < mostRunning * statuses.length,
    EXPIRED: expiresAt < now,
  };
  const status: ExecutionStatus =
    (wanted === 'RUNNING' || wanted === 'EXPIRED') && !isPossible[wanted] ? 'COMPLETED' : wanted;
  const { wait, fail } = fixtures.ids.definitions;
  const only = { RUNNING: wait, CANCELLED: wait, EXPIRED: wait, FAILED: fail }[status as string];
  const definition = definitions.find(({ id }) => id === only) ?? definitions[number % definitions.length];
  // Mostly by the owner, who is the caller with any token.
  const starter = starters[number % 3 === 0 ? (number / 3) % starters.length : 0];
  if (!definition || !starter) throw new Error('The demo has no definitions or users to start executions.');
  const ended = new Date(Math.min(createdAt.getTime() + (number % 500) * 60_000, now.getTime()));
  const result = Buffer.from(JSON.stringify({ claim: subjects[number % subjects.length], number }));
  return {
    id: derivedUuid(`execution ${number}`),
    workspace_id: definition.workspace_id,
    workflow_definition_id: definition.id,
    definition_revision_id: definition.revision_id,
    name: definition.name,
    revision: definition.revision,
    status,
    locale: definition.locale,
    parameters: { claim: subjects[number % subjects.length] },
    execution_type: 'BACKGROUND',
    version: status === 'RUNNING' ? 1 : 2,
    origin: { workspaceId: fixtures.ids.workspaceId, type: 'API' },
    result_origin: {
      ...{ type: 'USER', userId: starter.id, email: starter.email },
      ...{ firstName: starter.first_name, lastName: starter.last_name },
    },
    started_by: starter.id,
    expires_at: expiresAt,
    deadline_at: expiresAt,
    created_at: createdAt,
    ...(status !== 'RUNNING' && { ended_at: status === 'EXPIRED' ? expiresAt : ended }),
    ...(status === 'FAILED' && { error: 'Demo.Refused', cause: 'This definition always fails.' }),
    ...(status === 'COMPLETED' && {
      result_bytes: `\\x${result.toString('hex')}`,
      result_size: result.length,
      result_sha256: `\\x${createHash('sha256').update(result).digest('hex')}`,
    }),
    kept: true,
  };
}

async function ownersIn(database: Database, { organizationId, ids }: DemoFixtures): Promise<Owners> {
  const workspaces = database
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId);
  const tokens = Object.values(mockUsers);
  const [tables, roles, definitions, users] = await Promise.all([
    database
      .selectFrom('tables')
      .select('id')
      .where('workspace_id', 'in', workspaces)
      .orderBy('id')
      .execute(),
    database
      .selectFrom('workspace_roles')
      .select(['id', 'workspace_id'])
      .where('workspace_id', 'in', workspaces)
      .orderBy('id')
      .execute(),
    database
      .selectFrom('workflow_definitions as d')
      .innerJoin('definition_revisions as r', (join) =>
        join.onRef('r.workflow_definition_id', '=', 'd.id').onRef('r.revision', '=', 'd.revision'),
      )
      .select([
        'd.id',
        'd.name',
        'd.revision',
        'd.workspace_id',
        'r.id as revision_id',
        'd.default_locale as locale',
      ])
      .where('d.workspace_id', 'in', workspaces)
      .orderBy('d.id')
      .execute(),
    database
      .selectFrom('users')
      .select(['id', 'first_name', 'last_name', 'email'])
      .where('organization_id', '=', organizationId)
      .execute(),
  ]);
  const starters = tokens.flatMap(({ name, token }) => {
    const user = users.find(({ first_name, last_name }) => `${first_name} ${last_name}` === name);
    return user ? [{ ...user, token }] : [];
  });
  const isFirst = ({ id }: { id: string }) => id === ids.tableId;
  return {
    tables: [...tables.filter(isFirst), ...tables.filter((one) => !isFirst(one))],
    roles,
    definitions,
    starters,
  };
}

async function memberRole(database: Database, { memberId }: DemoFixtures): Promise<string> {
  const { role_id } = await database
    .selectFrom('users')
    .select('role_id')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow();
  return role_id;
}

/** Inserts rows in one statement. A column that a row lacks is null, one that all lack has its default. */
async function insert(database: Database, table: string, rows: object[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const names = sql.join(columns.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${names})
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(
    database,
  );
}
