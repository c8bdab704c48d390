import { sql } from 'kysely';
import type { WorkflowHistoryEntry } from '../../../generated/types.ts';
import { reportedFailure } from '../../asl/index.ts';
import type { StoredFile } from '../../blobs/index.ts';
import type { Json } from '../../json/index.ts';
import { redactValue } from '../domain/redaction.ts';
import type { Database } from './database.ts';
import type { Page, PageQuery } from './pages.ts';
import type { HistoryEntry } from './threads.ts';

export interface ThreadHistoryEntry extends HistoryEntry {
  threadId: string;
  /** Grows with every entry of the execution. */
  sequence: number;
}

/** Entries read by one statement: each has up to 256 KiB of values. */
const readSize = 100;

/** The history of an execution so far, in order. Reads a batch at a time: all of it can be gigabytes. */
export async function* historyOf(
  database: Database,
  executionId: string,
): AsyncGenerator<ThreadHistoryEntry, void> {
  for (let after = 0; ; ) {
    const entries = await historyAfter(database, executionId, { after, size: readSize });
    yield* entries;
    after = entries.at(-1)?.sequence ?? after;
    if (entries.length < readSize) return;
  }
}

/** The oldest history entries of an execution after one. @param after its sequence; 0: from the beginning */
async function historyAfter(
  database: Database,
  executionId: string,
  { after, size, maxBytes }: { after: number; size: number; maxBytes?: number },
): Promise<ThreadHistoryEntry[]> {
  const { rows } = await sql<ThreadHistoryEntry>`
    select sequence, thread_id as "threadId", at, kind, state, detail from (
      select *, sum(octet_length(detail::text)) over (order by sequence) - octet_length(detail::text) as before from (
        select * from execution_history where execution_id = ${executionId} and sequence > ${after}
        order by sequence limit ${size}) entries) entries
    where before <= ${maxBytes ?? Number.MAX_SAFE_INTEGER} order by sequence`.execute(database);
  // Entries of earlier versions may have secrets.
  return rows.map((row) => ({
    ...row,
    detail: redactValue(row.detail as Json, JSON.stringify(row.detail)) as object,
  }));
}

/** Bytes after which a page ends. */
const maxPageBytes = 4 << 20;

/** A page of the history as the API shows it. The position of an entry has its sequence as milliseconds. */
export async function listHistory(
  database: Database,
  executionId: string,
  { after, size }: PageQuery,
): Promise<Page<WorkflowHistoryEntry>> {
  const start = { after: after?.createdAt.getTime() ?? 0, size: size + 1, maxBytes: maxPageBytes };
  const found = await historyAfter(database, executionId, start);
  // A page that ends at its bytes is not known to be the last one.
  const last = found[Math.min(found.length, size) - 1];
  const isLast = found.length <= size && !(await hasHistoryAfter(database, executionId, last?.sequence));
  return {
    content: found.slice(0, size).map((entry) => toEntry(executionId, entry)),
    next: isLast || !last ? undefined : { createdAt: new Date(last.sequence), id: executionId },
  };
}

async function hasHistoryAfter(
  database: Database,
  executionId: string,
  sequence: number | undefined,
): Promise<boolean> {
  if (sequence === undefined) return false;
  const { rows } = await sql`
    select from execution_history where execution_id = ${executionId} and sequence > ${sequence} limit 1`.execute(
    database,
  );
  return rows.length > 0;
}

const entryTypes = {
  state: 'STATE_COMPLETED',
  failed: 'STATE_FAILED',
  retry: 'RETRY_SCHEDULED',
  task: 'TASK_STARTED',
  waiting: 'WAIT_STARTED',
  forked: 'BRANCHES_STARTED',
  retried: 'EXECUTION_RETRIED',
} as const satisfies Record<HistoryEntry['kind'], WorkflowHistoryEntry['type']>;

const valueNames = ['input', 'arguments', 'result', 'assigned', 'output'] as const;

interface Detail {
  branch?: string;
  type?: string;
  enteredAt?: string;
  via?: string;
  attempt?: number;
  resource?: string;
  until?: string;
  at?: string;
  threads?: number;
  error?: string;
  cause?: string;
  failure?: { error: string; cause: string };
}

function toEntry(
  executionId: string,
  { sequence, at, kind, state, detail }: ThreadHistoryEntry,
): WorkflowHistoryEntry {
  const { branch, type, enteredAt, via, attempt, resource, threads, ...others } = detail as Detail;
  const until = others.until ?? others.at;
  // That of a retry is the error with which the execution had failed.
  const failure = kind === 'retried' || others.error === undefined ? others.failure : others;
  const values = valueNames.flatMap((name) => {
    const value = historyValue(detail as Record<string, Json>, name);
    return value ? [[name, value]] : [];
  });
  return {
    // A UUID, because the sequence is unique among all executions.
    id: executionId.slice(0, -12) + sequence.toString(16).padStart(12, '0'),
    type: entryTypes[kind],
    createdDateTime: at.toISOString(),
    state,
    ...(branch !== undefined && { branch }),
    ...(type !== undefined && { stateType: type }),
    ...(enteredAt !== undefined && { enteredDateTime: enteredAt }),
    ...(via !== undefined && { via }),
    ...(attempt !== undefined && { attempt }),
    ...(resource !== undefined && { resource }),
    ...(until !== undefined && { until }),
    ...(threads !== undefined && { branches: threads }),
    ...(failure && { failure: reportedFailure(failure.error, failure.cause) }),
    ...Object.fromEntries(values),
  };
}

function historyValue(
  detail: Record<string, Json>,
  name: string,
): { size: number; value?: Json } | undefined {
  const value = detail[name];
  if (value !== undefined) return { size: Buffer.byteLength(JSON.stringify(value)), value };
  const size = detail[`${name}Size`];
  return typeof size === 'number' ? { size } : undefined;
}

/** A value of the history that is not in its row. */
type LargeValue = Pick<StoredFile, 'blobKey' | 'size' | 'sha256'>;

/** The values of an execution's history, and how many bytes they have together. */
export async function largeValuesOf(
  database: Database,
  executionId: string,
): Promise<{ digests: Set<string>; bytes: number }> {
  const { rows } = await sql<{ sha256: Buffer; size: number }>`
    select sha256, size::float8 as size from history_values where execution_id = ${executionId}`.execute(
    database,
  );
  return {
    digests: new Set(rows.map(({ sha256 }) => sha256.toString('hex'))),
    bytes: rows.reduce((sum, { size }) => sum + size, 0),
  };
}

/** @returns false if the execution has the value already, or does not exist any more */
export async function insertLargeValue(
  database: Database,
  executionId: string,
  { blobKey, size, sha256 }: LargeValue,
): Promise<boolean> {
  const { rows } = await sql`
    insert into history_values (execution_id, sha256, blob_key, size)
    select id, ${sha256}, ${blobKey}, ${size} from executions where id = ${executionId}
    on conflict do nothing returning 1`.execute(database);
  return rows.length > 0;
}

export async function findLargeValue(
  database: Database,
  executionId: string,
  sha256: string,
): Promise<LargeValue | undefined> {
  const { rows } = await sql<LargeValue>`
    select blob_key as "blobKey", size::float8 as size, sha256 from history_values
    where execution_id = ${executionId} and sha256 = ${Buffer.from(sha256, 'hex')}`.execute(database);
  return rows[0];
}
