import { availableParallelism } from 'node:os';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { openPool, type Pool, PoolBusyError, TaskFailedError, TaskStoppedError } from '../isolation/index.ts';
import { type Json, messageAtPlace, messageOf, placeOf, startOf } from '../json/index.ts';
import { cached, compileInputSchema, maxPointerLength, reportedErrors } from './compile.ts';
import { type Estimate, estimate, isCheap } from './estimate.ts';
import type { SchemaTask, SchemaTaskResult } from './tasks.ts';

export interface InputProblem {
  /** JSON Pointer into the parameters; empty for the whole. */
  pointer: string;
  message: string;
}

/** `stopped`: the check exceeded its time or memory limit. `unusable`: the schema cannot be compiled. */
export type SchemaVerdict =
  | { kind: 'checked'; errors: ErrorObject[] }
  | { kind: 'stopped' }
  | { kind: 'unusable' };

/** Checks parameters against input schemas without blocking the event loop. */
export interface InputSchemas {
  /**
   * @param revisionId identifies the schema, which never changes within a revision
   * @param signal withdraws a check that waits for a process
   * @throws PoolBusyError if too many checks wait, or if one of a slow schema is running; the reason of the signal
   */
  check(revisionId: string, schema: Json, parameters: unknown, signal?: AbortSignal): Promise<SchemaVerdict>;
  /** The same checks for a caller who decides when one that may take seconds runs, for instance outside a transaction. */
  deferring(defer: Defer): Pick<InputSchemas, 'check'>;
}

/**
 * Runs work now or later.
 *
 * @param key identifies the work: the same schema and parameters
 */
type Defer = <Result>(key: string, work: (signal: AbortSignal | undefined) => Promise<Result>) => Result;

/** Where refused and stopped checks are reported. */
interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const maxCached = 500;

/** Processes that compile and check slow schemas. All environments share them. */
export function openSchemaPool(): Pool {
  return openPool({
    module: new URL('./tasks.ts', import.meta.url),
    processes: Math.max(2, Math.min(4, availableParallelism())),
    memoryMiB: 256,
    maxWaiting: 100,
  });
}

type Prepared =
  | { kind: 'inline'; bound: Estimate; validate: ValidateFunction }
  | { kind: 'isolated' }
  | { kind: 'unusable' };

/**
 * Small schemas are compiled on the event loop, which also runs every check that is certain to take less than 10 ms:
 * see `estimate.ts`. That covers nearly every start. Everything else goes to the pool, which has hard time and
 * memory limits and adds about a millisecond.
 *
 * @param cpuMs limit of one check in the pool. The largest schema compiles in 1 second, once in each process
 */
export function inputSchemas(
  pool: Pool,
  logger: Log,
  { cpuMs = 3_000 }: { cpuMs?: number } = {},
): InputSchemas {
  const preparedSchemas = cached<Prepared>(maxCached);

  const unusable = (revisionId: string, err: unknown): { kind: 'unusable' } => {
    logger.error({ revisionId, err }, 'input schema cannot be compiled');
    return { kind: 'unusable' };
  };

  const prepare = (revisionId: string, schema: Json): Prepared => {
    const bound = estimate(schema);
    if (!bound) return { kind: 'isolated' };
    try {
      return { kind: 'inline', bound, validate: compileInputSchema(schema) };
    } catch (error) {
      // The schema was stored by a release with looser checks.
      return unusable(revisionId, error);
    }
  };

  /** Revisions with a check that was stopped, and whether one is running: others need the processes, too. */
  const slow = new Map<string, boolean>();

  const checkInPool = async (
    revisionId: string,
    task: SchemaTask,
    signal: AbortSignal | undefined,
  ): Promise<SchemaVerdict> => {
    if (slow.get(revisionId)) throw new PoolBusyError('A check of this slow schema is already running.');
    if (slow.has(revisionId)) slow.set(revisionId, true);
    try {
      const result = await pool.run<SchemaTaskResult>('checkParameters', task, { cpuMs, signal });
      return 'failure' in result ? unusable(revisionId, result.failure) : { kind: 'checked', ...result };
    } catch (error) {
      if (!(error instanceof TaskStoppedError || error instanceof TaskFailedError)) throw error;
      logger.warn({ revisionId, err: error }, 'input schema check stopped');
      slow.set(revisionId, false);
      return { kind: 'stopped' };
    } finally {
      if (slow.has(revisionId)) slow.set(revisionId, false);
    }
  };

  const check = async (
    revisionId: string,
    schema: Json,
    parameters: unknown,
    { signal, defer }: { signal?: AbortSignal | undefined; defer?: Defer },
  ) => {
    const prepared = preparedSchemas(revisionId, () => prepare(revisionId, schema));
    if (prepared.kind === 'unusable') return prepared;
    if (prepared.kind === 'inline' && isCheap(prepared.bound, parameters)) {
      return { kind: 'checked' as const, errors: reportedErrors(prepared.validate, parameters) };
    }
    const task = { schema: JSON.stringify(schema), parameters: JSON.stringify(parameters) };
    const run = (withdrawn: AbortSignal | undefined) => checkInPool(revisionId, task, withdrawn);
    return defer ? defer(`${revisionId} ${task.parameters}`, run) : run(signal);
  };

  return {
    check: (revisionId, schema, parameters, signal) => check(revisionId, schema, parameters, { signal }),
    deferring: (defer) => ({
      check: (revisionId, schema, parameters) => check(revisionId, schema, parameters, { defer }),
    }),
  };
}

/** The problems of parameters, one sentence each; empty if they are valid. */
export function problemsOf(verdict: SchemaVerdict): InputProblem[] {
  switch (verdict.kind) {
    case 'checked':
      // The errors before them say more.
      return verdict.errors.filter(({ keyword }) => !summaries.includes(keyword)).map(toProblem);
    case 'stopped':
      return [{ pointer: '', message: stopped }];
    case 'unusable':
      return [{ pointer: '', message: 'must wait for another revision: the input schema cannot be used' }];
  }
}

const summaries = ['propertyNames', 'if'];

const stopped =
  'must be smaller or simpler: checking them against the input schema exceeded its limit of time or memory';

function toProblem(error: ErrorObject): InputProblem {
  const place = placeOf(error);
  // Names come from the caller.
  const [pointer, message] =
    place.length <= maxPointerLength
      ? [place, messageAtPlace(error)]
      : [error.instancePath, messageOf(error)];
  return { pointer, message: startOf(message, 500) };
}
