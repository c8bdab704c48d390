// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function definitions({ demo, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion

  describe('listWorkflowDefinitions', () => {
    const steps = [expect.objectContaining({ id: demo.definitions.steps, name: 'steps' })];

    test('TypeScript', async () => {
      //#region listWorkflowDefinitions
      const { content } = await unwrap(
        client.GET('/workflow-definitions', { params: { query: { name: 'steps' } } }),
      );
      console.log(content);
      //#endregion
      expect(content).toEqual(steps);
    });

    test(language, async () => {
      expect(await run('listWorkflowDefinitions')).toEqual({ content: steps });
    });
  });
}
