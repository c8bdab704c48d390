import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { ExecutionStatus, Schema } from './schema.ts';

/** The usage of an organization. */
export interface Usage {
  organization: { id: string; name: string };
  users: number;
  workspaces: number;
  /** Direct members of the largest workspace. */
  membersMax: number;
  records: number;
  attachments: { count: number; bytes: number };
  resources: { count: number; bytes: number };
  executions: Record<ExecutionStatus, number>;
  links: number;
  parameterSets: number;
  events: number;
  deliveries: number;
  /** The counts that were estimated from a sample. */
  estimated: Counted[];
}

type Counted = 'users' | 'records' | 'executions' | 'links' | 'parameterSets' | 'events' | 'deliveries';

interface Count {
  organizationId: string;
  status: ExecutionStatus | null;
  count: number;
}

/** Rows of a table that are counted. Counts of larger tables are estimated from a sample of this size. */
const maxCounted = 200_000;

const sources: Record<Counted, { table: keyof Schema; by: string; join: string }> = {
  users: { table: 'users', by: 's.organization_id', join: '' },
  records: {
    table: 'records',
    by: 'w.organization_id',
    join: 'join tables t on t.id = s.table_id join workspaces w on w.id = t.workspace_id',
  },
  executions: {
    table: 'executions',
    by: 'w.organization_id',
    join: 'join workspaces w on w.id = s.workspace_id',
  },
  links: { table: 'links', by: 'w.organization_id', join: 'join workspaces w on w.id = s.workspace_id' },
  parameterSets: {
    table: 'parameter_sets',
    by: 'w.organization_id',
    join: 'join workflow_definitions d on d.id = s.workflow_definition_id join workspaces w on w.id = d.workspace_id',
  },
  events: { table: 'events', by: 's.organization_id', join: '' },
  deliveries: {
    table: 'webhook_deliveries',
    by: 'e.organization_id',
    join: 'join webhook_endpoints e on e.id = s.endpoint_id',
  },
};

/**
 * The usage of every organization, ordered by name. Files and members come from counters; everything else is counted,
 * or estimated from a sample of a large table.
 *
 * @param max the maximum number of rows to count in a table
 */
export async function usageOf(database: Database, max = maxCounted): Promise<Usage[]> {
  const { rows: organizations } = await sql<Stored>`
    select json_build_object('id', o.id, 'name', o.name) as organization,
      json_build_object('count', s.attachments, 'bytes', s.attachment_bytes) as attachments,
      json_build_object('count', s.resources, 'bytes', s.resource_bytes) as resources,
      count(w.id) as workspaces, coalesce(max(w.member_count), 0) as "membersMax"
    from organizations o join organization_storage s on s.organization_id = o.id
      left join workspaces w on w.organization_id = o.id
    group by o.id, s.organization_id order by o.name, o.id`.execute(database);
  const counts: Partial<Record<Counted, Count[]>> = {};
  const estimated: Counted[] = [];
  for (const name of Object.keys(sources) as Counted[]) {
    const percent = await percentOf(database, sources[name].table, max);
    if (percent < 100) estimated.push(name);
    counts[name] = await count(database, name, percent);
  }
  const counted = (name: Counted, { organization }: Stored, status: ExecutionStatus | null = null) =>
    counts[name]?.find((row) => row.organizationId === organization.id && row.status === status)?.count ?? 0;
  return organizations.map((stored) => ({
    organization: stored.organization,
    users: counted('users', stored),
    workspaces: stored.workspaces,
    membersMax: stored.membersMax,
    records: counted('records', stored),
    attachments: stored.attachments,
    resources: stored.resources,
    executions: {
      RUNNING: counted('executions', stored, 'RUNNING'),
      COMPLETED: counted('executions', stored, 'COMPLETED'),
      FAILED: counted('executions', stored, 'FAILED'),
      CANCELLED: counted('executions', stored, 'CANCELLED'),
      EXPIRED: counted('executions', stored, 'EXPIRED'),
    },
    links: counted('links', stored),
    parameterSets: counted('parameterSets', stored),
    events: counted('events', stored),
    deliveries: counted('deliveries', stored),
    estimated,
  }));
}

type Stored = Pick<Usage, 'organization' | 'attachments' | 'resources' | 'workspaces' | 'membersMax'>;

/** The percentage of a table to count, based on PostgreSQL's estimate of its size. */
async function percentOf(database: Database, table: keyof Schema, max: number): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select reltuples as rows from pg_class where oid = ${table}::regclass`.execute(database);
  const size = rows[0]?.rows ?? 0;
  return size <= max ? 100 : (100 * max) / size;
}

async function count(database: Database, name: Counted, percent: number): Promise<Count[]> {
  const { table, by, join } = sources[name];
  // Repeatable: the estimate changes only if the table changes.
  const sample = percent < 100 ? sql`tablesample system (${sql.lit(percent)}) repeatable (1)` : sql``;
  const status = name === 'executions' ? sql`s.status` : sql`null::text`;
  const { rows } = await sql<Count>`
    select ${sql.raw(by)} as "organizationId", ${status} as status,
      round(count(*) * 100 / ${sql.lit(percent)}::numeric)::bigint as count
    from ${sql.table(table)} s ${sample} ${sql.raw(join)} group by 1, 2`.execute(database);
  return rows;
}
