import { anySignal, deadlineAfter, sleep } from './abort.ts';
import type { Client } from './client-types.ts';
import type { ResultRedirect, WorkflowExecution, WorkflowResult } from './contract.ts';
import { unwrap } from './unwrap.ts';

const redirectType = 'application/vnd.wrp.result-redirect+json';
const initialInterval = 500;
const maxInterval = 10_000;
/** A result may be many megabytes. */
const resultTimeout = 300_000;

/** The execution ended without a result: it failed, was cancelled or expired. */
export class ExecutionEndedError extends Error {
  override readonly name = 'ExecutionEndedError';
  declare readonly status: Exclude<WorkflowExecution['status'], 'RUNNING' | 'COMPLETED'>;
  /** The execution in its final state. */
  declare readonly execution: WorkflowExecution;
  /** The error and its cause if the status is `FAILED`. */
  declare readonly failure: WorkflowExecution['failure'];

  constructor(execution: WorkflowExecution, status: ExecutionEndedError['status']) {
    const { id, failure } = execution;
    const reason = failure && [failure.error, failure.cause].filter(Boolean).join(': ');
    super(`The execution ${id} ended as ${status}.${reason ? ` ${reason.slice(0, 1000)}` : ''}`);
    this.status = status;
    this.execution = execution;
    this.failure = failure;
  }
}

export interface WaitOptions {
  signal?: AbortSignal;
  /** Maximum wait in milliseconds. Default: none; an execution can run for 30 days. */
  timeout?: number;
  /** Milliseconds between polls. Default: starts at 500 and grows to 10,000. */
  interval?: number;
}

/**
 * Waits until an execution ends and returns its result. Follows the redirect of a large result.
 *
 * @throws {ExecutionEndedError} if it ends without a result
 * @throws {TimeoutError} after `timeout`, with the last status in its message; the signal's reason on abort. The execution
 *   continues in both cases.
 * @throws {ApiError} {ConnectionError} if a poll fails after its retries
 */
export async function waitForResult<Output extends object = WorkflowResult>(
  client: Client,
  executionId: string,
  { signal: callerSignal, timeout, interval }: WaitOptions = {},
): Promise<Output> {
  let status: WorkflowExecution['status'] | 'unread' = 'unread';
  const deadline = deadlineAfter(timeout, 'call', () => `waitForResult of ${executionId} (${status})`);
  const signal = anySignal(callerSignal, deadline.signal);
  const call = { params: { path: { workflowId: executionId } }, signal };
  try {
    for (let delay = initialInterval; ; delay = Math.min(delay * 1.5, maxInterval)) {
      const execution = await unwrap(client.GET('/workflows/{workflowId}', call));
      status = execution.status;
      if (status === 'COMPLETED') break;
      if (status !== 'RUNNING') throw new ExecutionEndedError(execution, status);
      await sleep(interval ?? delay, signal);
    }
    const options = { signal, attemptTimeout: resultTimeout };
    const result = await client.GET('/workflows/{workflowId}/result', { ...call, ...options });
    const data = await unwrap(result);
    if (!result.response.headers.get('Content-Type')?.startsWith(redirectType)) return data as Output;
    return (await unwrap(client.follow((data as ResultRedirect).redirectUrl, options))) as Output;
  } finally {
    deadline.clear();
  }
}
