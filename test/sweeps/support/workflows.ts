import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Schema } from '../../../server/src/store/schema.ts';
import type { Api } from '../../support/api.ts';

/** Describes as much of the contract's example of parameters as a mismatch needs. */
const inputSchema = { type: 'object', properties: { claimNumber: { type: 'string' } } };

const document = {
  QueryLanguage: 'JSONata',
  StartAt: 'Wait',
  States: { Wait: { Type: 'Wait', Seconds: 1_000_000, End: true } },
};

/** State of workflows as rows, which no worker touches: a sweep compares what is stored before and after. */
export function workflowsOf({ database, blobs, clock, given, world }: Api) {
  const insert = async <Table extends keyof Schema>(table: Table, values: object): Promise<string> => {
    const id = randomUUID();
    const row = { id, created_at: clock.now(), ...values };
    await database
      .insertInto(table)
      .values(row as never)
      .execute();
    return id;
  };

  const definition = lazy(async () => {
    const { id } = await given.workflowDefinition({ workspace: world.workspace });
    const revision = {
      workflow_definition_id: id,
      revision: '1',
      document: JSON.stringify(document),
      input_schema: JSON.stringify(inputSchema),
    };
    const values = { id: randomUUID(), created_at: clock.now(), ui_options: '{}', ...revision };
    await database
      .insertInto('definition_revisions')
      .values(values as never)
      .onConflict((conflict) =>
        conflict.columns(['workflow_definition_id', 'revision']).doUpdateSet(revision as never),
      )
      .execute();
    const row = await database
      .selectFrom('definition_revisions')
      .select('id')
      .where('workflow_definition_id', '=', id)
      .executeTakeFirstOrThrow();
    return { id, revisionId: row.id };
  });

  const execution = async (state: object) => {
    const { id, revisionId } = await definition();
    const origin = JSON.stringify({ workspaceId: world.workspace.id, type: 'API' });
    const expiresAt = new Date(clock.now().getTime() + 86_400_000);
    return insert('executions', {
      workspace_id: world.workspace.id,
      workflow_definition_id: id,
      definition_revision_id: revisionId,
      name: 'waiting',
      revision: '1',
      locale: 'en',
      parameters: '{}',
      execution_type: 'BACKGROUND',
      origin,
      result_origin: '{}',
      started_by: world.owner.id,
      record_id: world.record.id,
      expires_at: expiresAt,
      deadline_at: expiresAt,
      ...state,
    });
  };

  return {
    /** A definition that waits for days. @returns its identifier */
    definitionId: async () => (await definition()).id,

    runningExecution: () => execution({}),

    executionWithResult: lazy(async () => {
      const result = {
        workflowId: randomUUID(),
        createdDate: clock.now().toISOString(),
        parameters: {},
        origin: {},
      };
      const { blobKey, size, sha256 } = await blobs.write(
        Readable.from([Buffer.from(JSON.stringify(result))]),
      );
      const stored = { result_blob_key: blobKey, result_size: size, result_sha256: sha256 };
      return execution({ status: 'COMPLETED', ended_at: clock.now(), ...stored });
    }),

    /** Each with a contact of its own, to whom no mail has gone yet. */
    caseWithContact: () =>
      insert('cases', {
        workspace_id: world.workspace.id,
        record_id: world.record.id,
        name: 'Claim 2026-0147',
        contact_name: 'Noor Haddad',
        contact_email: `noor.${randomUUID()}@example.com`,
      }),

    caseWithoutContact: lazy(() =>
      insert('cases', { workspace_id: world.workspace.id, name: 'Claim 2026-0148' }),
    ),

    caseElsewhere: lazy(() =>
      insert('cases', { workspace_id: world.otherWorkspace.id, name: 'Claim 2026-0149' }),
    ),

    /** A definition, and parameters that its form can neither send nor correct. */
    unusableForm: lazy(async () => {
      const { id: workflowDefinitionId } = await given.workflowDefinition({
        workspace: world.workspace,
        definition: document,
        inputSchema: { properties: { claimNumber: { type: 'string', readOnly: true } } },
      });
      const parameters = '{"claimNumber":12345}';
      const set = { workflow_definition_id: workflowDefinitionId, parameters, created_by: world.owner.id };
      return { workflowDefinitionId, parametersId: await insert('parameter_sets', set) };
    }),

    webhookKey: lazy(() => {
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const der = publicKey.export({ type: 'spki', format: 'der' });
      return insert('webhook_keys', { public_key_der: der, private_key_encrypted: Buffer.alloc(1) });
    }),
  };
}

function lazy<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
