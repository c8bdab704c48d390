import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { removeDeletedBlobs } from '../../server/src/files/sweep.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import * as platformTables from '../../server/src/store/migrations/0001-platform.ts';
import * as workflowTables from '../../server/src/store/migrations/0002-workflows.ts';
import * as indexes from '../../server/src/store/migrations/0003-indexes.ts';
import * as retention from '../../server/src/store/migrations/0004-retention.ts';
import { deleteResourcesById } from '../../server/src/store/resources.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { storedFiles } from '../support/files.ts';
import { boundary, filePart, form } from '../support/hostile/forms.ts';
import { openClone } from '../support/postgres.ts';
import { sendRaw } from '../support/raw-requests.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';
import { heldUp } from '../support/waiting.ts';

const storageQuota = 10_000_000;
const platform = await api({ storageQuota, clock: 'running' });
const { owner, stranger, database, world, given, dataDirectory, baseUrl } = platform;
const { organization, workspace } = world;
const executions = executionsOf(owner);
const port = Number(new URL(baseUrl).port);
const path = { tableId: world.table.id, recordId: world.record.id };
const collection = '/tables/{tableId}/records/{recordId}/attachments';

const file = (size: number) => new File(['x'.repeat(size)], 'file.txt');
const upload = (size: number, headers = {}) =>
  owner.POST('/resources', { body: { file: file(size) }, headers });
const attach = (size: number, headers = {}) =>
  owner.POST(collection, { params: { path }, body: { file: file(size) }, headers });
const used = async () =>
  database
    .selectFrom('organization_storage')
    .select(['resources', 'resource_bytes', 'attachments', 'attachment_bytes'])
    .where('organization_id', '=', organization.id)
    .executeTakeFirstOrThrow();

/** Sets how many bytes the organization may still store. */
async function leave(bytes: number): Promise<void> {
  const { attachment_bytes } = await used();
  await database
    .updateTable('organization_storage')
    .set({ resource_bytes: storageQuota - bytes - attachment_bytes })
    .where('organization_id', '=', organization.id)
    .execute();
}

describe('an upload', () => {
  test.each([
    ['a resource', upload],
    ['an attachment', attach],
  ])('is accepted up to the quota; one byte more is refused and not stored: %s', async (_what, send) => {
    await leave(1_000);
    const files = await storedFiles(dataDirectory);
    await expectRefusal(send(1_001), 413, 'storage_quota_exceeded');
    expect(await storedFiles(dataDirectory)).toEqual(files);
    await bodyOf(201, send(1_000));
    await expectRefusal(send(1), 413, 'storage_quota_exceeded');
    await bodyOf(201, send(0));
  });

  test('with too large a Content-Length is refused before it is read', async () => {
    await leave(1_000);
    const response = await sendRaw(port, [head(`Content-Length: ${5_000_000}`)]);
    expect(response).toMatchObject({ status: 413, ended: true });
    expect(response.body).toContain('storage_quota_exceeded');
  });

  test('without a length is refused as soon as it has too many bytes', async () => {
    await leave(1_000);
    const response = await sendRaw(port, endless());
    expect(response).toMatchObject({ status: 413, ended: true });
    expect(response.body).toContain('storage_quota_exceeded');
  });

  test('that would exceed the quota together with a concurrent one: exactly one of the two is refused', async () => {
    await leave(1_000);
    const row = { table: 'organization_storage' as const, id: organization.id, column: 'organization_id' };
    const responses = await heldUp<{ response: Response }>(database, row, () => [upload(600), attach(600)]);
    expect(responses.map(({ response }) => response.status).sort()).toEqual([201, 413]);
    const { resource_bytes, attachment_bytes } = await used();
    expect(resource_bytes + attachment_bytes).toBe(storageQuota - 400);
  });

  test('that was refused has not used its Idempotency-Key', async () => {
    await leave(1_000);
    const keys = [randomUUID(), randomUUID()];
    const repeatable = () => keys.map((key) => upload(600, { 'Idempotency-Key': key }));
    const row = { table: 'organization_storage' as const, id: organization.id, column: 'organization_id' };
    const responses = await heldUp<{ response: Response }>(database, row, repeatable);
    expect(responses.map(({ response }) => response.status).sort()).toEqual([201, 413]);
    await leave(1_000);
    for (const again of repeatable()) await bodyOf(201, again);
    expect((await used()).resource_bytes + (await used()).attachment_bytes).toBe(storageQuota - 400);
  });

  test.each([
    ['a resource', upload],
    ['an attachment', attach],
  ])(
    'that fills the quota has the same response when it is repeated with its key: %s',
    async (_what, send) => {
      await leave(600);
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await bodyOf(201, send(600, headers));
      expect(await bodyOf(201, send(600, headers))).toEqual(first);
      await expectRefusal(send(1), 413, 'storage_quota_exceeded');
    },
  );

  test('of another organization is not affected', async () => {
    await leave(0);
    await bodyOf(201, stranger.POST('/resources', { body: { file: file(1_000) } }));
  });
});

test('a deletion frees storage', async () => {
  await leave(1_000);
  const { id } = (await bodyOf(201, attach(1_000))) as { id: string };
  await expectRefusal(attach(1), 413, 'storage_quota_exceeded');
  const params = { path: { ...path, attachmentId: id } };
  await bodyOf(204, owner.DELETE(`${collection}/{attachmentId}`, { params }));
  await bodyOf(201, attach(1_000));
});

describe('a task of a workflow', () => {
  const run = async (resource: string, given_: JsonObject) => {
    const catching = [
      { ErrorEquals: ['Wrp.StorageQuotaExceeded', 'Wrp.TooManyAttachments'], Next: 'Caught' },
    ];
    const states: JsonObject = {
      Create: { Type: 'Task', Resource: resource, Arguments: given_, Catch: catching, End: true },
      Caught: { Type: 'Pass', Output: { caught: '{% $states.input.Error %}' }, End: true },
    };
    const { id } = await given.workflowDefinition({ workspace, definition: definitionOf(states) });
    return executions.run({ workflowDefinitionId: id, recordId: world.record.id });
  };
  const tasks = ['wrp:resource:create', 'wrp:attachment:create'];

  test.each(tasks)('fails with Wrp.StorageQuotaExceeded, and stores nothing: %s', async (task) => {
    await leave(10);
    const files = await storedFiles(dataDirectory);
    const before = await used();
    const given_ = { name: 'a.txt', text: 'eleven byte' };
    expect(await run(task, given_)).toEqual({ caught: 'Wrp.StorageQuotaExceeded' });
    expect(await storedFiles(dataDirectory)).toEqual(files);
    expect(await used()).toEqual(before);
    expect(await run(task, { name: 'a.txt', text: 'ten bytes!' })).not.toHaveProperty('caught');
    await expectRefusal(attach(1), 413, 'storage_quota_exceeded');
  });

  test.each(tasks)('fails if others use the rest while it stores its file: %s', async (task) => {
    await leave(10);
    const row = { table: 'organization_storage' as const, id: organization.id, column: 'organization_id' };
    const given_ = { name: 'a.txt', text: 'ten bytes!' };
    const [first, second] = await heldUp(database, row, () => [run(task, given_), run(task, given_)]);
    expect([first, second]).toContainEqual({ caught: 'Wrp.StorageQuotaExceeded' });
    expect([first, second]).toContainEqual(expect.not.objectContaining({ caught: expect.anything() }));
  });

  test('cannot copy a resource beyond the quota', async () => {
    await leave(10);
    const { resourceId } = (await bodyOf(201, upload(6))) as { resourceId: string };
    const caught = { caught: 'Wrp.StorageQuotaExceeded' };
    expect(await run('wrp:attachment:create', { resourceId })).toEqual(caught);
  });

  test('gives an attachment bytes of its own: it stays when its resource is deleted', async () => {
    await leave(1_000);
    const { resourceId } = (await bodyOf(201, upload(6))) as { resourceId: string };
    const { id } = (await run('wrp:attachment:create', { resourceId })) as { id: string };
    await deleteResourcesById(database, [resourceId]);
    await removeDeletedBlobs({ blobs: platform.blobs, database, logger: openLogger('silent') });
    await bodyOf(404, owner.fetch(`/resources/${resourceId}`));
    const params = { path: { ...path, attachmentId: id } };
    const { link } = (await bodyOf(200, owner.GET(`${collection}/{attachmentId}`, { params }))) as {
      link: string;
    };
    expect(await bodyOf(200, fetch(link))).toBe('xxxxxx');
  });

  test('fails with Wrp.TooManyAttachments if the record is full', async () => {
    await leave(1_000);
    const set = (attachment_count: number) =>
      database.updateTable('records').set({ attachment_count }).where('id', '=', path.recordId).execute();
    const { attachment_count } = await database
      .selectFrom('records')
      .select('attachment_count')
      .where('id', '=', path.recordId)
      .executeTakeFirstOrThrow();
    await set(10_000);
    const given_ = { name: 'a.txt', text: 'x' };
    expect(await run('wrp:attachment:create', given_)).toEqual({ caught: 'Wrp.TooManyAttachments' });
    await set(attachment_count);
  });
});

describe('the counters', async () => {
  const { database: old } = await openClone({ schema: 'old' });

  test('include what an older release has stored', async () => {
    await sql`create schema old`.execute(old);
    for (const { up } of [platformTables, workflowTables, indexes]) await up(old as never);
    await seed(100);
    await retention.up(old as never);
    expect(await counted()).toEqual([
      { bytes: 300, resources: 100, attachment_bytes: 500, attachments: 100, members: 1 },
    ]);
  });

  test('stay correct with many rows added and deleted at once, and by other programs', async () => {
    await sql`delete from resources where size = 3 and id in (select id from resources limit 40)`.execute(
      old,
    );
    await sql`delete from attachments where id in (select id from attachments limit 99)`.execute(old);
    await sql`delete from memberships`.execute(old);
    expect(await counted()).toEqual([
      { bytes: 180, resources: 60, attachment_bytes: 5, attachments: 1, members: 0 },
    ]);
    const { rows } = await sql<{ attachment_count: number }>`
      select attachment_count from records`.execute(old);
    expect(rows).toEqual([{ attachment_count: 1 }]);
  });

  test('are created with the organization', async () => {
    const id = randomUUID();
    await sql`insert into organizations (id, name) values (${id}, 'New')`.execute(old);
    const { rows } =
      await sql`select resources from organization_storage where organization_id = ${id}`.execute(old);
    expect(rows).toEqual([{ resources: 0 }]);
  });

  async function counted() {
    const { rows } = await sql`
      select s.resource_bytes as bytes, s.resources, s.attachment_bytes, s.attachments, w.member_count as members
      from organization_storage s join workspaces w on w.organization_id = s.organization_id`.execute(old);
    return rows;
  }

  /** One of each, with so many resources of 3 bytes and attachments of 5. */
  async function seed(count: number): Promise<void> {
    const id = randomUUID();
    for (const statement of [
      sql`insert into organizations (id, name) values (${id}, 'O')`,
      sql`insert into organization_roles (id, organization_id, name) values (${id}, ${id}, 'owner')`,
      sql`insert into users (id, organization_id, email, idp_id, role_id, profile_id, first_name, last_name, title)
        values (${id}, ${id}, 'a@example.com', ${id}, ${id}, ${id}, 'A', 'B', '')`,
      sql`insert into workspaces (id, organization_id, name, description, type) values (${id}, ${id}, 'W', '', 'LIVE')`,
      sql`insert into workspace_roles (id, workspace_id, name, description, type)
        values (${id}, ${id}, 'Viewer', '', 'WORKSPACE')`,
      sql`insert into memberships (workspace_id, user_id, role_id) values (${id}, ${id}, ${id})`,
      sql`insert into tables (id, workspace_id, name) values (${id}, ${id}, 'T')`,
      sql`insert into records (id, table_id, name) values (${id}, ${id}, 'R')`,
      sql`insert into resources (id, workspace_id, name, content_type, size, sha256, blob_key, created_by)
        select gen_random_uuid(), ${id}, 'r', 'a/b', 3, '', i, ${id} from generate_series(1, ${count}::integer) i`,
      sql`insert into attachments (id, record_id, name, content_type, size, sha256, tags, blob_key, created_by)
        select gen_random_uuid(), ${id}, 'a', 'a/b', 5, '', '{}', i, ${id} from generate_series(1, ${count}::integer) i`,
    ]) {
      await statement.execute(old);
    }
  }
});

function head(length: string): string {
  const lines = [
    'POST /resources HTTP/1.1',
    'Host: test',
    `Authorization: ${world.owner.token}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    length,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** An endless file. */
function* endless(): Generator<string> {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  yield head('Transfer-Encoding: chunked');
  yield chunk(form(filePart('x')).split('x\r\n--')[0] as string);
  for (;;) yield chunk('x'.repeat(10_000));
}
