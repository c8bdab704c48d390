import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { historyOf } from '../../server/src/store/execution-history.ts';
import { withLargeValues } from '../../server/src/workflows/large-values.ts';
import { confirm, destination, formTokenOf, linksOf, page } from '../links/support.ts';
import { filesBelow } from '../support/files.ts';
import { bodyOf } from '../support/responses.ts';
import { until } from '../support/waiting.ts';
import { workflowWorld } from '../workflows/support.ts';

const source = join(import.meta.dirname, '../../server/src');
const platform = await workflowWorld({ s3: undefined });
const { owner, world, blobs, database, dataDirectory, log, executions, define, failureOf } = platform;
const links = linksOf(platform);

/** More than a row holds, and less than a page shows. */
const long = { Long: { Type: 'Pass', Output: { long: 'x'.repeat(100_000) }, End: true } };
const attachments = '/tables/{tableId}/records/{recordId}/attachments';
const path = { tableId: world.table.id, recordId: world.record.id };
const file = () => new File(['x'], 'x.txt');

async function givenResource(): Promise<string> {
  const body = { file: file() };
  const { resourceId } = (await bodyOf(201, owner.POST('/resources', { body }))) as { resourceId: string };
  return resourceId;
}

const resourceId = await givenResource();
const attachment = (await bodyOf(
  201,
  owner.POST(attachments, { params: { path }, body: { file: file() } }),
)) as {
  id: string;
};
const one = { params: { path: { ...path, attachmentId: attachment.id } } };
const { link } = (await bodyOf(200, owner.GET(`${attachments}/{attachmentId}`, one))) as { link: string };
const execution = await executions.start({ workflowDefinitionId: await define(long) });
await executions.ended(execution);
const document = { QueryLanguage: 'JSONata', StartAt: 'Long', States: long };
const address = await links.link({ definition: await links.definition({ document }) });
const progress = destination(address, await confirm(address, { form: formTokenOf(await page(address)) }));
await until(async () => (await links.execution(address)).status === 'COMPLETED');

const copy = {
  Copy: {
    Type: 'Task',
    Resource: 'wrp:attachment:create',
    Arguments: { recordId: world.record.id, resourceId },
    End: true,
  },
};
const statusOf = async (response: Promise<Response>) => (await response).status;

/** What reads a stored file, by the file of the source that does. */
const readers: Record<string, Record<string, () => Promise<unknown>>> = {
  'http/reply.ts': {
    'a resource': () => statusOf(owner.fetch(`/resources/${resourceId}`)),
    'a part of a resource': () =>
      statusOf(owner.fetch(`/resources/${resourceId}`, { headers: { Range: 'bytes=0-0' } })),
    'a result': () => statusOf(executions.result(execution.id)),
  },
  'http/signed-urls.ts': { 'the signed URL of an attachment': () => statusOf(fetch(link)) },
  'pages/links/progress.ts': {
    'the page of a result': () => statusOf(fetch(progress)),
    'the result of a page': () => statusOf(fetch(`${progress}/result`)),
  },
  'workflows/large-values.ts': {
    'a value of the history': async () => {
      for await (const entry of historyOf(database, execution.id)) {
        const { detail } = await withLargeValues({ database, blobs }, execution.id, entry);
        return (detail as { output?: unknown }).output;
      }
    },
  },
  'workflows/tasks/attachment-create.ts': {
    'a task': async () => {
      const started = await executions.start({ workflowDefinitionId: await define(copy) });
      await executions.ended(started, 'FAILED');
      return (await failureOf(started.id)).error;
    },
  },
};

test('every source that reads stored files has a case here', async () => {
  const reading: string[] = [];
  for (const path of await filesBelow(source)) {
    const name = relative(source, path);
    // Commands and sweeps list what is missing.
    if (
      !name.startsWith('files/') &&
      /\b(readStored|sendFile|sendStored|blobs\.read)\(/.test(await readFile(path, 'utf8'))
    )
      reading.push(name);
  }
  expect(reading).toEqual(Object.keys(readers).sort());
});

test('a read of a row whose file is missing is 503, and a task fails; the log names the file', async () => {
  const cases = Object.values(readers).flatMap((each) => Object.entries(each));
  const { blob_key } = await database
    .selectFrom('resources')
    .select('blob_key')
    .where('id', '=', resourceId)
    .executeTakeFirstOrThrow();
  await rm(join(dataDirectory, 'blobs', 'production', 'blobs'), { recursive: true });
  await expect(blobs.read(blob_key)).rejects.toThrow('is not in the store');
  const others = { 'a task': 'Wrp.ResourceNotFound', 'a value of the history': undefined };
  for (const [what, read] of cases)
    expect(await read(), what).toBe(what in others ? others[what as keyof typeof others] : 503);
  const lines = log.filter(({ err }) => (err as { blobKey?: string })?.blobKey === blob_key);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ err: { message: `The blob ${blob_key} is not in the store.` } });
  // The rows are still there, and can be deleted.
  await bodyOf(204, owner.DELETE(`${attachments}/{attachmentId}`, one));
});
