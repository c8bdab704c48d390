// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap, waitForResult } from '@wrp/client';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function history({ demo, owner, given, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion

  describe('listHistory', () => {
    const first = { type: 'STATE_COMPLETED' };
    beforeEach(async () => {
      const body = { workflowDefinitionId: demo.workflowDefinitionId };
      const { id } = await unwrap(owner.POST('/workflows', { body }));
      given({ WORKFLOW_ID: id });
      await waitForResult(owner, id, { interval: 20 });
    });

    test('TypeScript', async () => {
      //#region listHistory
      const params = { path: { workflowId: process.env.WORKFLOW_ID! } };

      const { content } = await unwrap(client.GET('/workflows/{workflowId}/history', { params }));
      for (const { state, failure, output } of content) console.log(state, failure, output?.value);
      //#endregion
      expect(content[0]).toMatchObject(first);
    });

    test(language, async () => {
      expect(await run('listHistory')).toMatchObject({
        content: expect.arrayContaining([expect.objectContaining(first)]),
      });
    });
  });
}
