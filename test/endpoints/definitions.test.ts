import { randomUUID } from 'node:crypto';
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
      title: 'revised',
      revision: '2',
      locale: 'de',
      inputSchema,
      createdDateTime,
    };
    expect(await list('revised')).toEqual({ content: [current] });
  });

  test.each([
    [{ title: { en: 'Damage', de: 'Schaden' }, description: { en: 'Two steps.' } }, 'Schaden', 'Two steps.'],
    [{ title: 'Damage', description: 'Two steps.' }, 'Damage', 'Two steps.'],
    [{ title: ' ', description: '' }, undefined, undefined],
    [{ title: 5, description: { de: null } }, undefined, undefined],
  ])("returns the texts of %j in the definition's locale", async (uiOptions, title, description) => {
    const name = randomUUID();
    await given.workflowDefinition({ workspace: world.workspace, name, defaultLocale: 'de', uiOptions });
    const described = description === undefined ? {} : { description };
    expect(await list(name)).toEqual({
      content: [expect.objectContaining({ title: title ?? name, ...described })],
    });
    if (!description) expect(await list(name)).not.toHaveProperty('content.0.description');
  });
});
