// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { readFile } from 'node:fs/promises';
import { createClient, downloadResource, fromPath, saveTo, unwrap, uploadResource } from '@wrp/client';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function resources({ owner, given, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion

  describe('uploadResource', () => {
    test('TypeScript', async () => {
      //#region uploadResource
      const terms = await fromPath('policy-terms.pdf', { type: 'application/pdf' });

      const { resourceId } = await uploadResource(client, terms);
      console.log(resourceId);
      //#endregion
      const params = { path: { resourceId } };
      const { response } = await owner.GET('/resources/{resourceId}', { params, parseAs: 'text' });
      expect(response.headers.get('Content-Type')).toBe('application/pdf');
    });

    test(language, async () => {
      expect(await run('uploadResource')).toMatchObject({ resourceName: 'policy-terms.pdf' });
    });
  });

  describe('downloadResource', () => {
    beforeEach(async () => {
      const body = { file: new File(['the terms'], 'policy-terms.pdf') };
      given({ RESOURCE_ID: (await unwrap(owner.POST('/resources', { body }))).resourceId });
    });

    test('TypeScript', async () => {
      //#region downloadResource
      const resourceId = process.env.RESOURCE_ID!;

      const download = await downloadResource(client, resourceId);
      await saveTo('downloaded-terms.pdf', download);
      //#endregion
      expect(download.name).toBe('policy-terms.pdf');
      expect(await readFile('downloaded-terms.pdf', 'utf8')).toBe('the terms');
    });

    test(language, async () => {
      await run('downloadResource');
      expect(await readFile('terms.pdf', 'utf8')).toBe('the terms');
    });
  });
}
