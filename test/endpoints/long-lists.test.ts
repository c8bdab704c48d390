import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { api } from '../support/api.ts';

const { owner, database, world } = await api();
test('lists 10,000 attachments', async () => {
  await sql`insert into attachments (id, record_id, name, content_type, size, sha256, tags, blob_key, created_by)
    select gen_random_uuid(), ${world.record.id}, 'photo-' || i || '.jpg', 'image/jpeg', i, '\\x00', '{a,b}', 'k' || i, ${world.owner.id}
    from generate_series(1, 10000) i`.execute(database);
  const params = { path: { tableId: world.table.id, recordId: world.record.id } };
  for (let i = 0; i < 5; i++) {
    const t = performance.now();
    const { response, data } = await owner.GET('/tables/{tableId}/records/{recordId}/attachments', {
      params,
    });
    console.log(performance.now() - t);
    expect(response.status).toBe(200);
    expect(data).toHaveLength(10000);
  }
});
