// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap, waitForResult } from '@wrp/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../support/waiting.ts';
import type { SampleStage } from './stage.ts';

export async function workflows({ demo, owner, given, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion
  const claim = { claimNumber: '2026-0147', deductible: 300 };
  const start = async (workflowDefinitionId: string) => {
    const execution = await unwrap(
      owner.POST('/workflows', { body: { workflowDefinitionId, parameters: claim } }),
    );
    given({ WORKFLOW_ID: execution.id });
    return execution.id;
  };
  const status = async (workflowId: string) =>
    (await unwrap(owner.GET('/workflows/{workflowId}', { params: { path: { workflowId } } }))).status;

  describe('listWorkflows', () => {
    const failed = { workflowDefinitionId: demo.definitions.fail, status: 'FAILED' };
    beforeEach(async () => {
      const id = await start(demo.definitions.fail);
      await until(async () => (await status(id)) === 'FAILED');
    });

    test('TypeScript', async () => {
      //#region listWorkflows
      const { content } = await unwrap(
        client.GET('/workflows', { params: { query: { status: 'FAILED', size: 10 } } }),
      );
      console.log(content);
      //#endregion
      expect(content[0]).toMatchObject(failed);
    });

    test(language, async () => {
      expect(await run('listWorkflows')).toMatchObject({
        content: expect.arrayContaining([expect.objectContaining(failed)]),
      });
    });
  });

  describe('startWorkflow', () => {
    test('TypeScript', async () => {
      //#region startWorkflow
      // The client adds an Idempotency-Key, so that a retry after a lost response starts nothing twice.
      const execution = await unwrap(
        client.POST('/workflows', {
          body: {
            workflowDefinitionId: process.env.DEFINITION_ID!,
            parameters: { claimNumber: '2026-0147', deductible: 300 },
          },
        }),
      );
      console.log(execution);
      //#endregion
      expect(execution).toMatchObject({ status: 'RUNNING', parameters: claim });
    });

    test(language, async () => {
      expect(await run('startWorkflow')).toMatchObject({ status: 'RUNNING', parameters: claim });
    });
  });

  describe('getWorkflow', () => {
    test('TypeScript', async () => {
      const id = await start(demo.definitions.wait);
      //#region getWorkflow
      const workflowId = process.env.WORKFLOW_ID!;

      const { status } = await unwrap(
        client.GET('/workflows/{workflowId}', { params: { path: { workflowId } } }),
      );
      console.log(status);
      //#endregion
      expect({ workflowId, status }).toEqual({ workflowId: id, status: 'RUNNING' });
    });

    test(language, async () => {
      const id = await start(demo.definitions.wait);
      expect(await run('getWorkflow')).toMatchObject({ id, status: 'RUNNING' });
    });
  });

  describe('cancelWorkflow', () => {
    const running = () => process.env['RUNNING_WORKFLOW_ID'] ?? '';

    test('TypeScript', async () => {
      expect(await status(running())).toBe('RUNNING');
      //#region cancelWorkflow
      const workflowId = process.env.RUNNING_WORKFLOW_ID!;

      await unwrap(client.POST('/workflows/{workflowId}/cancel', { params: { path: { workflowId } } }));
      //#endregion
      expect(await status(running())).toBe('CANCELLED');
    });

    test(language, async () => {
      expect(await run('cancelWorkflow')).toBe('');
      expect(await status(running())).toBe('CANCELLED');
    });
  });

  describe('getWorkflowResult', () => {
    beforeEach(async () => {
      await waitForResult(owner, await start(demo.workflowDefinitionId), { interval: 20 });
    });

    test('TypeScript', async () => {
      //#region getWorkflowResult
      const workflowId = process.env.WORKFLOW_ID!;

      // Waits until the execution has ended, and follows the redirect object of a large result.
      const result = await waitForResult(client, workflowId);
      console.log(result);
      //#endregion
      expect(result).toMatchObject({ parameters: claim });
    });

    test(language, async () => {
      expect(await run('getWorkflowResult')).toMatchObject({ parameters: claim });
    });
  });
}
