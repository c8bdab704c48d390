// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, eachItem, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function tables({ demo, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion

  describe('listTables', () => {
    const table = expect.objectContaining({ id: demo.tableId, name: 'Claims' });

    test('TypeScript', async () => {
      //#region listTables
      const { content } = await unwrap(client.GET('/tables'));
      console.log(content);
      //#endregion
      expect(content).toContainEqual(table);
    });

    test(language, async () => {
      expect(await run('listTables')).toMatchObject({ content: expect.arrayContaining([table]) });
    });
  });

  describe('listRecords', () => {
    const first = { id: demo.recordId, tableId: demo.tableId, name: 'Claim 2026-0147' };

    test('TypeScript', async () => {
      //#region listRecords
      const tableId = process.env.TABLE_ID!;

      // All of them, one page after the other:
      const records = [];
      const params = { path: { tableId }, query: { size: 2 } };
      for await (const record of eachItem(client, '/tables/{tableId}/records', { params }))
        records.push(record);
      console.log(records);
      //#endregion
      expect(records[0]).toMatchObject(first);
      expect(records).toHaveLength(5);
    });

    test(language, async () => {
      expect(await run('listRecords')).toMatchObject({
        content: [first, { name: 'Claim 2026-0148' }],
        nextCursor: expect.any(String),
      });
    });
  });
}
