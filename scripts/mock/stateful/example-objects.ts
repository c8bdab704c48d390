import { Readable } from 'node:stream';
import { routesOf } from '../../../server/src/contract/routes.ts';
import type { EnvironmentDependencies } from '../../../server/src/dependencies.ts';
import type { DemoFixtures } from '../../../server/src/manifest/demo-fixtures.ts';
import { createAttachment } from '../../../server/src/store/attachments.ts';
import { createResource } from '../../../server/src/store/resources.ts';
import type { Contract } from '../../contract/source.ts';
import { exampleFile } from '../examples/example-files.ts';

type Attachment = {
  id: string;
  recordId: string;
  name: string;
  type: string;
  size: number;
  tags: string[];
  createdDateTime: string;
};
type Resource = { resourceId: string; resourceName: string };
type ParameterSet = { parametersId: string; workflowDefinitionId: string; parameters: object };

/**
 * Creates the objects of the contract's examples that the demo lacks: attachments, a file resource and a parameter set,
 * with the ids of the examples, so that requests that work against the mock without state work here as well.
 */
export async function makeExampleObjects(
  environment: EnvironmentDependencies,
  { contract, fixtures }: { contract: Contract; fixtures: DemoFixtures },
): Promise<void> {
  const example = exampleIn(contract);
  await makeAttachments(environment, fixtures, (example('listAttachments', '200') ?? []) as Attachment[]);
  await makeResource(environment, fixtures, {
    resource: example('uploadResource', '201') as Resource | undefined,
    content: example('downloadResource', '200') as string | undefined,
  });
  await makeParameterSet(
    environment,
    fixtures,
    example('createParameterSet', '201') as ParameterSet | undefined,
  );
}

async function makeAttachments(
  { database, blobs }: EnvironmentDependencies,
  { ownerId: userId, ids: { tableId } }: DemoFixtures,
  attachments: Attachment[],
): Promise<void> {
  for (const { id, recordId, name, type, size, tags, createdDateTime } of attachments) {
    const now = new Date(createdDateTime);
    const written = await blobs.write(Readable.from([exampleFile(type, size, name)]));
    const file = { ...written, name, contentType: type, storedAt: now };
    await createAttachment(
      database,
      { tableId, recordId },
      { userId },
      { file, tags, now, id, storageQuota: undefined },
    );
  }
}

async function makeResource(
  { database, blobs }: EnvironmentDependencies,
  { ownerId: userId, ids: { workspaceId: homeWorkspaceId } }: DemoFixtures,
  { resource, content }: { resource: Resource | undefined; content: string | undefined },
): Promise<void> {
  if (!resource || content === undefined) return;
  const now = new Date();
  const written = await blobs.write(Readable.from([Buffer.from(content)]));
  const file = { ...written, name: resource.resourceName, contentType: 'application/pdf', storedAt: now };
  const options = { file, now, id: resource.resourceId, storageQuota: undefined };
  await createResource(database, { homeWorkspaceId, userId }, options);
}

async function makeParameterSet(
  { database }: EnvironmentDependencies,
  { ownerId }: DemoFixtures,
  set: ParameterSet | undefined,
): Promise<void> {
  if (!set) return;
  const { parametersId, workflowDefinitionId, parameters } = set;
  await database
    .insertInto('parameter_sets')
    .values({
      id: parametersId,
      workflow_definition_id: workflowDefinitionId,
      created_by: ownerId,
      parameters: JSON.stringify(parameters),
      created_at: new Date(),
    })
    .execute();
}

/** The first example of a response; undefined if the contract has none. */
function exampleIn(contract: Contract): (operationId: string, status: string) => unknown {
  const routes = routesOf(contract);
  return (operationId, status) => {
    const route = routes.find(({ operation }) => operation.operationId === operationId);
    const [media] = Object.values(route?.operation.responses[status]?.content ?? {});
    return Object.values(media?.examples ?? {})[0]?.value;
  };
}
