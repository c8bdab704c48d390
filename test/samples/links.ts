// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function links({ demo, given, language, run }: SampleStage): Promise<void> {
  given({ FORM_DEFINITION_ID: process.env.DEFINITION_ID! });
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion
  const opens = async (link: string) => (await fetch(link)).status === 200;

  describe('createLink', () => {
    test('TypeScript', async () => {
      //#region createLink
      const { link } = await unwrap(
        client.POST('/link', {
          body: { caseId: process.env.CASE_ID!, workflowDefinitionId: process.env.FORM_DEFINITION_ID! },
        }),
      );
      console.log(link);
      //#endregion
      expect(await opens(link)).toBe(true);
    });

    test(language, async () => {
      const { link } = (await run('createLink')) as { link: string };
      expect(await opens(link)).toBe(true);
    });
  });

  describe('sendLink', () => {
    test('TypeScript', async () => {
      //#region sendLink
      const { link } = await unwrap(
        client.POST('/link/send', {
          body: { caseId: process.env.CASE_ID!, workflowDefinitionId: process.env.FORM_DEFINITION_ID! },
        }),
      );
      console.log(link);
      //#endregion
      expect(await opens(link)).toBe(true);
    });

    test(language, async () => {
      const { link } = (await run('sendLink')) as { link: string };
      expect(await opens(link)).toBe(true);
    });
  });

  describe('listCases', () => {
    const missing = expect.objectContaining({ id: demo.caseId, hasContact: true });

    test('TypeScript', async () => {
      //#region listCases
      const { content } = await unwrap(client.GET('/cases'));
      console.log(content);
      //#endregion
      expect(content).toContainEqual(missing);
    });

    test(language, async () => {
      expect(await run('listCases')).toMatchObject({ content: expect.arrayContaining([missing]) });
    });
  });
}
