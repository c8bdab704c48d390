import type { Client } from './client.ts';
import type { components } from './contract.ts';
import { alarm, anyOf, pause } from './interruption.ts';
import { unwrap } from './unwrap.ts';

type Execution = components['schemas']['WorkflowExecution'];
type Result = components['schemas']['WorkflowResult'];

const redirectType = 'application/vnd.wrp.result-redirect+json';
const firstInterval = 500;
const longestInterval = 10_000;
/** Megabytes may have to come through a narrow network. */
const resultTimeout = 300_000;

/** An execution ended without a result: it failed, was cancelled, or expired. */
export class ExecutionEndedError extends Error {
  override readonly name = 'ExecutionEndedError';
  readonly status: Exclude<Execution['status'], 'RUNNING' | 'COMPLETED'>;
  /** The execution as it ended. */
  readonly execution: Execution;

  constructor(execution: Execution, status: ExecutionEndedError['status']) {
    super(`The execution ${execution.id} ended as ${status}.`);
    this.status = status;
    this.execution = execution;
  }
}

export interface WaitOptions {
  signal?: AbortSignal;
  /** Milliseconds to wait at most; no end unless told. An execution can run for 30 days. */
  timeout?: number;
  /** Milliseconds between two looks: at first 500, growing to 10,000, unless a number is given. */
  interval?: number;
}

/**
 * Waits until an execution has ended, and fetches its result, a large one from where the platform redirects to.
 *
 * @throws {ExecutionEndedError} where it ends without a result
 * @throws {TimeoutError} when `timeout` has passed; the signal's reason when it is aborted. The execution goes on.
 * @throws {ApiError} {ConnectionError} where a look fails for good
 */
export async function waitForResult<Given extends object = Result>(
  client: Client,
  executionId: string,
  { signal: given, timeout, interval }: WaitOptions = {},
): Promise<Given> {
  const limit = alarm('call', timeout);
  const signal = anyOf(given, limit.signal);
  const params = { path: { workflowId: executionId } };
  try {
    for (let wait = interval ?? firstInterval; ; wait = interval ?? Math.min(wait * 1.5, longestInterval)) {
      const execution = await unwrap(client.GET('/workflows/{workflowId}', { params, signal }));
      const { status } = execution;
      if (status === 'COMPLETED') return (await resultOf(client, params, signal)) as Given;
      if (status !== 'RUNNING') throw new ExecutionEndedError(execution, status);
      await pause(wait, signal);
    }
  } finally {
    limit.off();
  }
}

async function resultOf(
  client: Client,
  params: { path: { workflowId: string } },
  signal: AbortSignal,
): Promise<unknown> {
  const options = { signal, attemptTimeout: resultTimeout };
  const answer = await client.GET('/workflows/{workflowId}/result', { params, ...options });
  const data = await unwrap(answer);
  if (!answer.response.headers.get('Content-Type')?.startsWith(redirectType)) return data;
  const { redirectUrl } = data as components['schemas']['ResultRedirect'];
  return unwrap(client.follow(redirectUrl, options));
}
