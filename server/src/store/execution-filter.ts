import { type RawBuilder, sql } from 'kysely';
import type { Position } from '../domain/cursors.ts';
import { comparable } from './clock.ts';
import type { Database } from './database.ts';
import { boundOf, equals, type Page, type PageQuery } from './pages.ts';
import { type ExecutionStatus, executionStatuses } from './schema.ts';

/** Conditions on executions. All that are given must hold; times from `…Since` on and before `…Until`. */
export interface ExecutionFilter {
  status?: ExecutionStatus | undefined;
  /** The definition's current name, or its identifier. */
  definition?: string | undefined;
  revision?: string | undefined;
  /** The workspace's name, or its identifier. */
  workspace?: string | undefined;
  recordId?: string | undefined;
  createdSince?: Date | undefined;
  createdUntil?: Date | undefined;
  endedSince?: Date | undefined;
  endedUntil?: Date | undefined;
  /** The error name of a failed execution, as the API shows it. */
  error?: string | undefined;
  /** A part of the parameters as JSON, in any case. */
  text?: string | undefined;
}

/** The conditions that `newest` looks up in indexes. */
export type IndexedFilter = Pick<ExecutionFilter, 'status' | 'error' | 'createdSince' | 'createdUntil'>;

/** The statement that orders and limits `e`: the newest first. */
const newestFirst = (size: number) => sql`order by e.created_at desc, e.id desc limit ${size}`;

/** The error name that `reportedFailure` shows: an expression of the index `executions_failed`. */
const errorName = sql`left(coalesce(nullif(e.error, ''), 'Fail'), 200)`;

/** The statuses that the filter leaves. */
function statusesOf({ status, error }: IndexedFilter): ExecutionStatus[] {
  if (error === undefined) return status ? [status] : [...executionStatuses];
  return status === undefined || status === 'FAILED' ? ['FAILED'] : [];
}

const within = (column: string, since: Date | undefined, until: Date | undefined) => sql`
  ${since ? sql`${sql.ref(column)} >= ${comparable(since)}` : sql`true`} and
  ${until ? sql`${sql.ref(column)} < ${comparable(until)}` : sql`true`}`;

/** The range of an index: the executions after those of the previous page. */
const nextOf = ({ createdSince, createdUntil }: IndexedFilter, page: PageQuery) => sql`
  (e.created_at, e.id) < ${boundOf(page, 'descending')} and ${within('e.created_at', createdSince, createdUntil)}`;

/** The condition of a partial index is repeated as it is, because PostgreSQL compares no parameters with it. */
const failedWith = (error: string | undefined) =>
  error === undefined ? sql`true` : sql`e.status = 'FAILED' and ${errorName} = ${error}`;

/**
 * The newest executions of each definition `d` as `e`: a range of an index for each status, however many executions there
 * are of other definitions, with other statuses, and with other errors.
 */
export function newest(filter: IndexedFilter, page: PageQuery): RawBuilder<unknown> {
  const lookup = filter.error === undefined ? sql`e.status = s.status` : failedWith(filter.error);
  return sql`unnest(${statusesOf(filter)}::text[]) s (status) cross join lateral (
    select * from executions e where e.workflow_definition_id = d.id and ${lookup} and ${nextOf(filter, page)}
    ${newestFirst(page.size + 1)}) e`;
}

/** The executions of a record as `e`, in no order; a record has few. */
export function ofRecord(
  recordId: string,
  { status, error, ...times }: IndexedFilter,
  page: PageQuery,
): RawBuilder<unknown> {
  return sql`(select * from executions e
    where e.record_id = ${recordId} and ${equals('e.status', status)} and ${failedWith(error)} and ${nextOf(times, page)}) e`;
}

/** The number of executions that are read, whether they match or not. */
export interface SearchLimits {
  /** By one statement. */
  window: number;
  /** For one page. */
  page: number;
}

const searchLimits: SearchLimits = { window: 5_000, page: 100_000 };
/** Of more definitions, the executions of all definitions are searched instead. */
const maxDefinitions = 10;

/** What the place of an execution in the list depends on. */
interface Placed {
  id: string;
  createdAt: Date;
  endedAt: Date | null;
}

/** What a search has read, in each row of its result. */
interface Window {
  matches: true | null;
  placedAt: Date | null;
  /** Its last execution, where the next window begins. */
  lastId: string;
  lastAt: Date;
  searched: number;
}

const isByEnd = ({ endedSince, endedUntil }: ExecutionFilter) =>
  endedSince !== undefined || endedUntil !== undefined;

/**
 * The executions of all organizations that match: those that started last first or, with `endedSince` or `endedUntil`,
 * those that ended last.
 *
 * A revision, a record, an end or a text is searched for: among the executions of the record, else those that ended then,
 * else those of the definition, else all. A page ends when 100,000 were searched, so it may have fewer entries than its
 * size although there is a next page.
 *
 * @param columns of `e`, the execution, and `w`, its workspace
 */
export async function matchingExecutions<Row extends Placed>(
  database: Database,
  filter: ExecutionFilter,
  page: PageQuery,
  columns: RawBuilder<unknown>,
  limits: SearchLimits = searchLimits,
): Promise<Page<Row>> {
  const definitions = await definitionsOf(database, filter);
  const isIn = definitions ? sql`= any(${definitions}::uuid[])` : sql`is not null`;
  const positionOf = ({ id, createdAt, endedAt }: Row): Position => ({
    id,
    createdAt: isByEnd(filter) ? (endedAt ?? createdAt) : createdAt,
  });
  const { revision, recordId, text } = filter;
  if (!isByEnd(filter) && [revision, recordId, text].every((condition) => condition === undefined)) {
    const { rows } = await sql<Row>`
      select ${columns} from workflow_definitions d cross join ${newest(filter, page)}
        join workspaces w on w.id = e.workspace_id
      where d.id ${isIn} and ${isNamed('w', filter.workspace)} ${newestFirst(page.size + 1)}`.execute(
      database,
    );
    const last = rows.length > page.size ? rows[page.size - 1] : undefined;
    return { content: rows.slice(0, page.size), next: last && positionOf(last) };
  }
  const content: Row[] = [];
  let { after } = page;
  for (let searched = 0; searched < limits.page && content.length < page.size; searched += limits.window) {
    const window = windowOf(filter, definitions, { after, size: limits.window });
    const open = page.size - content.length;
    // One row without a match if none matches; none if the window is empty.
    const { rows } = await sql<Row & Window>`
      with s as materialized (${window})
      select m.*, l.id as "lastId", l.at as "lastAt", l.searched
      from (select id, at, count(*) over () as searched from s order by at, id limit 1) l left join (
        select ${columns}, true as matches, s.at as "placedAt" from s join executions e on e.id = s.id
          join workspaces w on w.id = e.workspace_id
        where e.workflow_definition_id ${isIn} and ${isNamed('w', filter.workspace)} and ${matches(filter)}
        order by s.at desc, s.id desc limit ${open + 1}) m on true
      order by m."placedAt" desc, m.id desc`.execute(database);
    const matching = rows.flatMap(({ lastId, lastAt, searched, matches, placedAt, ...row }) =>
      matches ? [row as unknown as Row] : [],
    );
    content.push(...matching.slice(0, open));
    if (matching.length > open) return { content, next: positionOf(matching[open - 1] as Row) };
    const [end] = rows;
    if (end?.searched !== limits.window) return { content, next: undefined };
    after = { id: end.lastId, createdAt: end.lastAt };
  }
  return { content, next: after };
}

/** The next executions, as `id` and `at`, among which those that match are searched. */
function windowOf(
  filter: ExecutionFilter,
  definitions: string[] | undefined,
  page: PageQuery,
): RawBuilder<unknown> {
  const { recordId, endedSince, endedUntil } = filter;
  if (isByEnd(filter)) {
    const ended = (kept: RawBuilder<unknown>) => sql`(
      select e.id, e.ended_at as at from executions e
      where ${kept} and (e.ended_at, e.id) < ${boundOf(page, 'descending')} and ${within('e.ended_at', endedSince, endedUntil)}
        and ${equals('e.record_id', recordId)}
      order by e.ended_at desc, e.id desc limit ${page.size})`;
    // An index of those whose results are kept, and one of the others.
    return sql`${ended(sql`e.kept`)} union all ${ended(sql`not e.kept`)} order by at desc, id desc limit ${page.size}`;
  }
  const started = sql`select e.id, e.created_at as at`;
  if (recordId !== undefined) {
    return sql`${started} from executions e where e.record_id = ${recordId} and ${nextOf(filter, page)}
      ${newestFirst(page.size)}`;
  }
  if (definitions && definitions.length <= maxDefinitions) {
    return sql`${started} from unnest(${definitions}::uuid[]) d (id) cross join ${newest(filter, page)}
      ${newestFirst(page.size)}`;
  }
  return sql`${started} from executions e where ${nextOf(filter, page)} ${newestFirst(page.size)}`;
}

/** All conditions except those on the definition and the workspace. */
function matches(filter: ExecutionFilter): RawBuilder<boolean> {
  const { createdSince, createdUntil, endedSince, endedUntil, text } = filter;
  // As it is in the JSON of the parameters.
  const part = text === undefined ? undefined : JSON.stringify(text).slice(1, -1);
  return sql`${equals('e.status', filter.status)} and ${failedWith(filter.error)}
    and ${equals('e.revision', filter.revision)} and ${equals('e.record_id', filter.recordId)}
    and ${within('e.created_at', createdSince, createdUntil)} and ${within('e.ended_at', endedSince, endedUntil)}
    and ${part === undefined ? sql`true` : sql`strpos(lower(e.parameters::text), lower(${part})) > 0`}`;
}

/** @returns the definitions that the filter leaves; undefined if it names neither a definition nor a workspace */
async function definitionsOf(
  database: Database,
  { definition, workspace }: ExecutionFilter,
): Promise<string[] | undefined> {
  if (definition === undefined && workspace === undefined) return undefined;
  const { rows } = await sql<{ id: string }>`
    select d.id from workflow_definitions d join workspaces w on w.id = d.workspace_id
    where ${isNamed('d', definition)} and ${isNamed('w', workspace)}`.execute(database);
  return rows.map(({ id }) => id);
}

const isNamed = (table: string, reference: string | undefined): RawBuilder<boolean> =>
  reference === undefined
    ? sql`true`
    : sql`(${sql.ref(`${table}.name`)} = ${reference} or ${sql.ref(`${table}.id`)}::text = ${reference.toLowerCase()})`;

/** @returns whether a definition or a workspace has this name or identifier, and the definition this revision */
export async function existsNamed(
  database: Database,
  table: 'workflow_definitions' | 'workspaces',
  reference: string,
  revision?: string,
): Promise<boolean> {
  const hasRevision =
    revision === undefined
      ? sql`true`
      : sql`exists (select from definition_revisions r where r.workflow_definition_id = t.id and r.revision = ${revision})`;
  const { rows } = await sql`
    select from ${sql.table(table)} t where ${isNamed('t', reference)} and ${hasRevision} limit 1`.execute(
    database,
  );
  return rows.length > 0;
}
