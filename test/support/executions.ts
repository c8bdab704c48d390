import { expect } from 'vitest';
import type { WorkflowExecution } from '../../generated/types.ts';
import type { Actor } from './actors.ts';
import { bodyOf } from './responses.ts';
import { scaledTimeout } from './timeout.ts';
import { until } from './waiting.ts';

export type Start = { workflowDefinitionId: string } & Record<string, unknown>;

/** Starts, reads and awaits executions as one caller. */
export function executionsOf(caller: Actor) {
  const start = async (body: Start) =>
    (await bodyOf(200, caller.POST('/workflows', { body: body as never }))) as WorkflowExecution;
  const read = async (id: string) =>
    (await bodyOf(
      200,
      caller.GET('/workflows/{workflowId}', { params: { path: { workflowId: id } } }),
    )) as WorkflowExecution;

  return {
    start,
    read,
    cancel: (id: string) =>
      caller.POST('/workflows/{workflowId}/cancel', { params: { path: { workflowId: id } } }),
    result: (id: string) => caller.fetch(`/workflows/${id}/result`),

    /** Waits until an execution ends, which must be with this status. */
    async ended(
      { id }: { id: string },
      status: WorkflowExecution['status'] = 'COMPLETED',
      timeout = scaledTimeout(30_000),
    ): Promise<WorkflowExecution> {
      const execution = await until(
        async () => {
          const read_ = await read(id);
          return read_.status === 'RUNNING' ? undefined : read_;
        },
        { timeout, interval: 20 },
      );
      expect(execution).toMatchObject({ status });
      return execution;
    },

    /** Starts an execution, waits for its end, and returns the result. */
    async run(body: Start, timeout?: number): Promise<unknown> {
      const execution = await start(body);
      await this.ended(execution, 'COMPLETED', timeout);
      const response = await this.result(execution.id);
      expect(response.status).toBe(200);
      return response.json();
    },
  };
}
