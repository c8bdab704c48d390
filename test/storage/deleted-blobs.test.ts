import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { given } from '../support/given.ts';
import { openClone } from '../support/postgres.ts';

const { database, connectionString } = await openClone();
const { world, ...make } = await given(database, { now: () => new Date(), forward: () => {} });
beforeEach(async () => {
  await database.deleteFrom('deleted_blobs').execute();
});

const recorded = async () => {
  const rows = await database.selectFrom('deleted_blobs').select('blob_key').orderBy('blob_key').execute();
  return rows.map(({ blob_key }) => blob_key);
};
const rowOf = (blobKey: string) => ({
  id: randomUUID(),
  name: 'a.txt',
  content_type: 'text/plain',
  size: 1,
  sha256: Buffer.alloc(32),
  blob_key: blobKey,
  created_by: world.owner.id,
});
const keys = (count: number) => Array.from({ length: count }, () => randomUUID()).sort();

async function resources(blobKeys: string[]): Promise<void> {
  const rows = blobKeys.map((key) => ({ ...rowOf(key), workspace_id: world.workspace.id }));
  await database.insertInto('resources').values(rows).execute();
}
async function attachments(blobKeys: string[], recordId = world.record.id): Promise<void> {
  const rows = blobKeys.map((key) => ({ ...rowOf(key), record_id: recordId, tags: [] }));
  await database.insertInto('attachments').values(rows).execute();
}
async function execution(blobKey: string | null): Promise<string> {
  const id = randomUUID();
  const revision = await database
    .insertInto('definition_revisions')
    .values({
      id: randomUUID(),
      workflow_definition_id: world.workflowDefinition.id,
      revision: id,
      document: '{}',
      input_schema: '{}',
      ui_options: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await database
    .insertInto('executions')
    .values({
      id,
      workspace_id: world.workspace.id,
      workflow_definition_id: world.workflowDefinition.id,
      definition_revision_id: revision.id,
      name: 'a',
      revision: '1',
      locale: 'en',
      parameters: '{}',
      execution_type: 'BACKGROUND',
      origin: '{}',
      result_origin: '{}',
      status: 'COMPLETED',
      expires_at: new Date(),
      deadline_at: new Date(),
      ended_at: new Date(),
      ...(blobKey && { result_blob_key: blobKey, result_size: 1 }),
    })
    .execute();
  return id;
}

test('a deletion records the blobs of its rows, of one or of thousands at once', async () => {
  const [some, many] = [keys(3), keys(3_000)];
  await resources(some);
  await attachments(many);
  await database
    .deleteFrom('resources')
    .where('blob_key', '=', some[1] as string)
    .execute();
  expect(await recorded()).toEqual([some[1]]);
  await database.deleteFrom('attachments').where('blob_key', 'in', many).execute();
  expect(await recorded()).toEqual([some[1] as string, ...many].sort());
});

test('a deletion that is rolled back records no blob', async () => {
  const [blobKey = ''] = keys(1);
  await resources([blobKey]);
  const undone = database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('resources').where('blob_key', '=', blobKey).execute();
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await recorded()).toEqual([]);
});

test('an execution records the blob of a result that is cleared, replaced or deleted, and nothing without a result', async () => {
  const [forgotten = '', replaced = '', deleted = '', next = ''] = keys(4);
  const ids = [await execution(forgotten), await execution(replaced), await execution(deleted)];
  const without = await execution(null);
  const set = (id: string, values: object) =>
    database.updateTable('executions').set(values).where('id', '=', id).execute();
  await set(ids[0] as string, { result_blob_key: null, result_size: null });
  await set(ids[1] as string, { result_blob_key: next });
  await set(ids[2] as string, { result_blob_key: deleted, version: 2 });
  expect(await recorded()).toEqual([forgotten, replaced].sort());
  await database
    .deleteFrom('executions')
    .where('id', 'in', [...ids, without])
    .execute();
  expect(await recorded()).toEqual([forgotten, replaced, deleted, next].sort());
});

test('a row that gets another blob records the previous one', async () => {
  const [resource = '', attachment = '', ...others] = keys(4);
  await resources([resource]);
  await attachments([attachment]);
  await sql`update resources set blob_key = ${others[0]} where blob_key = ${resource}`.execute(database);
  await sql`update attachments set blob_key = ${others[1]} where blob_key = ${attachment}`.execute(database);
  expect(await recorded()).toEqual([resource, attachment].sort());
});

test('rows that are deleted by a cascade record their blobs', async () => {
  const blobKeys = keys(2);
  const record = await make.record({ table: world.table });
  await attachments(blobKeys, record.id);
  await sql`alter table attachments drop constraint attachments_record_id_fkey,
    add foreign key (record_id) references records on delete cascade`.execute(database);
  await database.deleteFrom('records').where('id', '=', record.id).execute();
  expect(await recorded()).toEqual(blobKeys);
});

test('a deletion records its blobs even in a session without the schema in its search path, such as one of psql', async () => {
  const [blobKey = ''] = keys(1);
  await resources([blobKey]);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('delete from production.resources where blob_key = $1', [blobKey]);
  await client.end();
  expect(await recorded()).toEqual([blobKey]);
});
