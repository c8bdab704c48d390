import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { beginQueued, countEnd, failFork, joinFork, lockFork } from '../store/forks.ts';
import { endThread, type Position, type ThreadEnd } from '../store/threads.ts';
import { maximumPayloadBytes } from './machine/size.ts';
import { assertCurrent } from './stale-checkpoint.ts';

/**
 * Ends a thread below a fork. The fork is locked, so of the ends of its threads each sees those before: one
 * that frees a place begins the next, the last one joins, one failure too many stops the others.
 *
 * @throws StaleCheckpointError where the fork or the thread is past this
 */
export async function endBelowFork(
  { database, jobs }: { database: Database; jobs: Jobs },
  thread: Position & { parentId: string },
  end: ThreadEnd,
): Promise<void> {
  const { parentId } = thread;
  const fork = await lockFork(database, parentId);
  assertCurrent(fork !== undefined && (await endThread(database, thread, end)));
  if (!fork) return;
  const open = fork.open - 1;
  const failed = fork.failed + (end.kind === 'failed' ? 1 : 0);
  if (end.kind === 'failed' && failed > fork.tolerated) {
    const turn = await failFork(database, parentId, end.failure);
    return jobs.enqueue(database, 'execution-step', { threadId: parentId, turn });
  }
  if (open === 0) {
    const turn = await joinFork(database, { threadId: parentId, maxResultBytes: maximumPayloadBytes });
    return jobs.enqueue(database, 'execution-step', { threadId: parentId, turn });
  }
  const begun = await beginQueued(database, parentId, fork.next);
  await countEnd(database, { threadId: parentId, open, failed, next: fork.next + (begun ? 1 : 0) });
  if (begun) await jobs.enqueue(database, 'execution-step', { threadId: begun.id, turn: begun.turn });
}
