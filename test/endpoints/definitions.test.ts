import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { testVisibleList } from '../support/lists.ts';
import { bodyOf } from '../support/responses.ts';

const api = await startApi();
const { owner, world, given, clock } = api;

describe('listWorkflowDefinitions', () => {
  testVisibleList(api, {
    path: '/workflow-definitions',
    add: async (workspace, name) => (await given.workflowDefinition({ workspace, name })).id,
  });

  const list = (name: string) =>
    bodyOf(200, owner.GET('/workflow-definitions', { params: { query: { name } } }));

  test('returns the current revision with its input schema', async () => {
    const { workspace } = world;
    const inputSchema = { type: 'object', required: ['claim'], properties: { claim: { maxLength: 3 } } };
    const { id } = await given.workflowDefinition({ workspace, name: 'revised', defaultLocale: 'de' });
    const createdDateTime = clock.now().toISOString();
    expect(await list('revised')).toMatchObject({ content: [{ revision: '1', inputSchema: {} }] });
    const definition = { QueryLanguage: 'JSONata', StartAt: 'S', States: { S: { Type: 'Succeed' } } };
    await given.definitionRevision({ id, revision: '2', definition, inputSchema });
    const { id: workspaceId } = workspace;
    const current = {
      id,
      workspaceId,
      name: 'revised',
      revision: '2',
      locale: 'de',
      inputSchema,
      createdDateTime,
    };
    expect(await list('revised')).toEqual({ content: [current] });
  });
});
