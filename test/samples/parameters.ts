// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function parameters({ demo, owner, given, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion
  const { workflowDefinitionId } = demo;
  const claim = { claimNumber: '2026-0147', deductible: 300 };
  const { parametersId: id } = await unwrap(
    owner.POST('/parameters', { body: { workflowDefinitionId, parameters: claim } }),
  );
  given({ PARAMETERS_ID: id });

  describe('createParameterSet', () => {
    test('TypeScript', async () => {
      //#region createParameterSet
      const { parametersId } = await unwrap(
        client.POST('/parameters', {
          body: {
            workflowDefinitionId: process.env.DEFINITION_ID!,
            parameters: { claimNumber: '2026-0147', deductible: 300 },
          },
        }),
      );
      console.log(parametersId);
      //#endregion
      const params = { path: { parametersId } };
      const stored = await unwrap(owner.GET('/parameters/{parametersId}', { params }));
      expect(stored.parameters).toEqual(claim);
    });

    test(language, async () => {
      expect(await run('createParameterSet')).toMatchObject({ workflowDefinitionId, parameters: claim });
    });
  });

  describe('getParameterSet', () => {
    test('TypeScript', async () => {
      //#region getParameterSet
      const parametersId = process.env.PARAMETERS_ID!;

      const { parameters } = await unwrap(
        client.GET('/parameters/{parametersId}', { params: { path: { parametersId } } }),
      );
      console.log(parameters);
      //#endregion
      expect(parameters).toEqual(claim);
    });

    test(language, async () => {
      expect(await run('getParameterSet')).toMatchObject({ parametersId: id, parameters: claim });
    });
  });
}
