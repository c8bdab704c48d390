import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type {
  Attachment,
  Resource,
  WorkflowExecution,
  WorkflowExecutionPage,
} from '../../../generated/types.ts';
import type { Definition } from '../../asl/index.ts';
import type { BlobStore, StoredFile } from '../../blobs/index.ts';
import { type ContractDocument, type OperationObject, routesOf } from '../../contract/index.ts';
import type { JsonObject } from '../../json/index.ts';
import type { EnvironmentName } from '../config.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { deriveKey, type ServerKey } from '../security/server-key.ts';
import { type AddressableObject, addressableObjects } from '../store/addressable-objects.ts';
import { createAttachment } from '../store/attachments.ts';
import type { Database } from '../store/database.ts';
import { findDocument, findStartable } from '../store/definitions.ts';
import { endExecutions, insertExecution } from '../store/executions.ts';
import { createResource } from '../store/resources.ts';
import type { HistoryEntry } from '../store/threads.ts';
import { createSigningKey } from '../webhooks/signing-keys.ts';
import { storeResult } from '../workflows/ending.ts';
import type { RunOptions } from '../workflows/simulation/index.ts';
import { type DemoFixtures, demoFile } from './demo-fixtures.ts';

export interface DemoObjects {
  /** The transaction. */
  database: Database;
  blobs: Pick<BlobStore, 'write'>;
  jobs: Pick<Jobs, 'enqueue'>;
  contract: ContractDocument;
  fixtures: DemoFixtures;
  now: Date;
}

/**
 * Creates the objects of the contract's examples that no platform file can declare, with the ids of the examples: a
 * request of the reference, sent as it is, finds what it names.
 */
export async function createDemoObjects(demo: DemoObjects): Promise<void> {
  const examples = examplesIn(demo.contract);
  const objects: [string, AddressableObject][] = Object.entries(addressableObjects);
  for (const [parameter, { table }] of objects) {
    const create = creations[parameter];
    if (create) await create(demo, examples);
    else if (table) await createRow(demo, table, examples.ofParameter(parameter));
  }
  for (const [, { row }] of objects) if (row) await completeRows(demo, row, examples.withId());
}

/** Creates the signing key of the contract's examples of webhooks: its id is the same everywhere, the key pair is new. */
export async function createDemoKey(
  { name, database }: { name: EnvironmentName; database: Database },
  { serverKey, contract, now }: { serverKey: ServerKey; contract: ContractDocument; now: Date },
): Promise<void> {
  const [id] = examplesIn(contract).ids('keyId');
  if (!id) return;
  const isNeeded = (current: { id: string }[]) => current.every((key) => key.id !== id);
  await createSigningKey(database, deriveKey(serverKey, name, 'webhook-keys'), { id, now, isNeeded });
}

type Creation = (demo: DemoObjects, examples: Examples) => Promise<void>;

/** How objects are created that are more than a row with the fields of their example. */
const creations: Record<string, Creation> = {
  async attachmentId({ database, blobs, fixtures: { ownerId: userId, ids } }, examples) {
    for (const attachment of examples.attachments()) {
      const { id, name, type, tags, createdDateTime, recordId } = attachment;
      const now = new Date(createdDateTime);
      const file = await storedFile(blobs, demoFile(attachment), {
        name,
        contentType: type,
      });
      const path = { tableId: ids.tableId, recordId };
      await createAttachment(database, path, { userId }, { file, tags, now, id, storageQuota: undefined });
    }
  },

  async resourceId({ database, blobs, fixtures: { ownerId: userId, ids }, now }, examples) {
    const { resource, contentType, content } = examples.resource();
    if (!resource || content === undefined) return;
    const { resourceId: id, resourceName: name } = resource;
    const file = await storedFile(blobs, Buffer.from(content), { name, contentType });
    const caller = { userId, homeWorkspaceId: ids.workspaceId };
    await createResource(database, caller, { file, now, id, storageQuota: undefined });
  },

  async workflowId(demo, examples) {
    const executionIds = examples.ids('workflowId');
    for (const id of executionIds) {
      const execution = examples.executions().find((one) => one.id === id);
      if (execution) await createExecution(demo, execution);
    }
    // The others of the list, such as one that fails.
    for (const listed of examples.listedExecutions())
      if (!executionIds.includes(listed.id))
        await createExecution(demo, { ...listed, parameters: {}, uiOptions: {} });
  },
};

async function storedFile(
  blobs: Pick<BlobStore, 'write'>,
  bytes: Buffer,
  described: { name: string; contentType: string },
): Promise<StoredFile> {
  return { ...(await blobs.write(Readable.from([bytes]))), ...described };
}

/** Completes an execution whose example is completed: it ran as long ago. Any other runs from now on. */
async function createExecution(
  { database, blobs, jobs, fixtures: { ownerId }, now }: DemoObjects,
  { id, workflowDefinitionId: definitionId, recordId, ...execution }: WorkflowExecution,
): Promise<void> {
  const found = await findStartable(database, { definitionId, recordId, userId: ownerId });
  if (!found?.startedBy) throw new Error(`The demo's platform file lacks the definition ${definitionId}.`);
  const { definition, startedBy } = found;
  const { status, createdDateTime, endedDateTime = createdDateTime, locale } = execution;
  const isCompleted = status === 'COMPLETED';
  const took = isCompleted ? Date.parse(endedDateTime) - Date.parse(createdDateTime) : 0;
  const createdAt = new Date(now.getTime() - took);
  const threadId = randomUUID();
  const expiresAt = new Date(now.getTime() + 30 * 86_400_000);
  const parameters = execution.parameters as JsonObject;
  const resultOrigin = { ...startedBy, type: 'USER' as const };
  await insertExecution(database, {
    id,
    definition,
    recordId,
    rootThreadId: threadId,
    createdAt,
    expiresAt,
    deadlineAt: expiresAt,
    locale,
    executionType: execution.executionType,
    origin: execution.origin,
    parameters,
    startedBy: ownerId,
    resultOrigin,
  });
  if (!isCompleted) {
    await jobs.enqueue(database, 'execution-step', { threadId, turn: 0 });
    return;
  }
  const document = await findDocument(database, definition.revisionId);
  const { output, waited, entries } = await simulatedRun(document as Definition, {
    input: parameters,
    context: {
      ...{ workflowId: id, createdDate: createdAt.toISOString(), origin: resultOrigin, locale },
      ...{ workflowDefinitionId: definitionId, name: definition.name, ...(recordId && { recordId }) },
    },
  });
  await insertHistory(database, id, threadId, entries);
  const result = await storeResult(blobs, JSON.stringify(output ?? {}));
  const endedAt = new Date(createdAt.getTime() + waited * 1_000);
  await endExecutions(database, [{ executionId: id, status: 'COMPLETED', now: endedAt, result }]);
}

/** Runs a definition without tasks in virtual time, with the entries of its history. */
async function simulatedRun(definition: Definition, options: RunOptions) {
  // Loaded only here: most starts find their demo.
  const [{ runWith }, { stepsOf }] = await Promise.all([
    import('../workflows/simulation/run-definition.ts'),
    import('../workflows/simulation/steps.ts'),
  ]);
  const entries: HistoryEntry[] = [];
  const take = stepsOf(definition);
  const run = await runWith(
    definition,
    async (request, number) => {
      const step = await take(request, number);
      entries.push({ ...step.entry, at: request.now });
      return step;
    },
    options,
  );
  return { ...run, entries };
}

/** @param rootThreadId of the entries outside of branches; each branch has a thread of its own */
async function insertHistory(
  database: Database,
  executionId: string,
  rootThreadId: string,
  entries: HistoryEntry[],
): Promise<void> {
  const threadIds = new Map([['', rootThreadId]]);
  const rows = entries.map(({ at, kind, state, detail }) => {
    const { branch = '' } = detail as { branch?: string };
    const threadId = threadIds.get(branch) ?? randomUUID();
    threadIds.set(branch, threadId);
    return {
      execution_id: executionId,
      thread_id: threadId,
      at,
      kind,
      state,
      detail: JSON.stringify(detail),
    };
  });
  await database.insertInto('execution_history').values(rows).execute();
}

/** Adds the example of an object as a row, unless the platform file has declared it. */
async function createRow(
  { database, fixtures: { ownerId }, now }: DemoObjects,
  table: NonNullable<AddressableObject['table']>,
  example: { id: string; fields: JsonObject } | undefined,
): Promise<void> {
  if (!example) return;
  const { id, fields } = example;
  const existing = await database.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  if (existing) return;
  const known = { id, created_by: ownerId, created_at: fields['createdDateTime'] ?? now.toISOString() };
  const values = await columnValues(database, table, fields, known);
  await database.insertInto(table).values(values).execute();
}

/** Adds what a platform file cannot declare to rows that it has declared: fields that only the examples have. */
async function completeRows(
  { database }: DemoObjects,
  table: NonNullable<AddressableObject['row']>,
  examples: { id: string; fields: JsonObject }[],
): Promise<void> {
  for (const { id, fields } of examples) {
    const row = await database.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) continue;
    const values = Object.entries(await columnValues(database, table, fields));
    const missing = values.filter(([name]) => (row as Record<string, unknown>)[name] === null);
    if (missing.length === 0) continue;
    await database.updateTable(table).set(Object.fromEntries(missing)).where('id', '=', id).execute();
  }
}

/** The columns that the fields of an object have, with their values. */
async function columnValues(
  database: Database,
  table: string,
  fields: JsonObject,
  known: JsonObject = {},
): Promise<JsonObject> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = current_schema() and table_name = ${table}`.execute(database);
  const values = columns.flatMap(({ name, type }) => {
    const value = known[name] ?? fields[camelCase(name)];
    if (value === undefined) return [];
    return [[name, type.startsWith('json') ? JSON.stringify(value) : value]];
  });
  return Object.fromEntries(values);
}

/** `workspace_id` → `workspaceId`. */
const camelCase = (column: string) =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

type Examples = ReturnType<typeof examplesIn>;

function examplesIn(contract: ContractDocument) {
  const operations = routesOf(contract).map(({ operation }) => operation);
  const values = operations.flatMap((operation) => successes(operation).flatMap(({ examples }) => examples));
  const objects = values.flatMap(objectsIn);
  const of = (id: string) => successes(operations.find(({ operationId }) => operationId === id));
  const ids = (parameter: string) => [
    ...new Set(
      operations.flatMap(({ parameters }) =>
        parameters.flatMap(({ name, in: place, example }) =>
          place === 'path' && name === parameter && example !== undefined ? [String(example)] : [],
        ),
      ),
    ),
  ];
  return {
    /** The identifiers of the objects that paths name with this parameter. */
    ids,
    /** The first object that a path names with this parameter, as a response shows it. */
    ofParameter(parameter: string) {
      const [id] = ids(parameter);
      const fields = objects.find((one) => id !== undefined && (one['id'] ?? one[parameter]) === id);
      return id !== undefined && fields ? { id, fields } : undefined;
    },
    /** Every object with an id, as responses show it. */
    withId: () =>
      objects.flatMap((fields) => (typeof fields['id'] === 'string' ? { id: fields['id'], fields } : [])),
    attachments: () => (of('listAttachments')[0]?.examples[0] ?? []) as Attachment[],
    resource() {
      const [download] = of('downloadResource');
      const resource = of('uploadResource')[0]?.examples[0] as Resource | undefined;
      return {
        resource,
        contentType: download?.type ?? '',
        content: download?.examples[0] as string | undefined,
      };
    },
    executions: () => (of('getWorkflow')[0]?.examples ?? []) as WorkflowExecution[],
    listedExecutions: () =>
      ((of('listWorkflows')[0]?.examples[0] ?? { content: [] }) as WorkflowExecutionPage).content,
  };
}

/** The media types of the responses that are no errors, with their examples. */
function successes(operation: OperationObject | undefined): { type: string; examples: unknown[] }[] {
  return Object.entries(operation?.responses ?? {})
    .filter(([status]) => Number(status) < 300)
    .flatMap(([, { content = {} }]) => Object.entries(content))
    .map(([type, { examples = {} }]) => ({
      type,
      examples: Object.values(examples).map(({ value }) => value),
    }));
}

function objectsIn(value: unknown): JsonObject[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as JsonObject, ...inside];
}
