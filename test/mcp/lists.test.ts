import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { type ContractDocument, routesOf } from '../../server/contract/index.ts';
import { fieldProblems, pick, select } from '../../server/src/mcp/fields.ts';
import { cutList } from '../../server/src/mcp/lists.ts';
import { api } from '../support/api.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { agentOf } from './support.ts';

// A build takes longer than the client waits.
await freshPortal();
const { baseUrl, owner, given, world } = await api({ mcpCalls: ['production'] });
const agent = await agentOf(baseUrl, owner.token);

describe('fields', () => {
  test('select parts of objects, and of each item of lists', () => {
    const page = { content: [{ id: 1, profile: { name: 'a', title: 'b' } }, { id: 2 }], total: 2 };
    expect(pick(page, ['content.profile.name', 'content.id', 'total'])).toEqual({
      content: [{ id: 1, profile: { name: 'a' } }, { id: 2 }],
      total: 2,
    });
    expect(pick(page.content, ['profile'])).toEqual([{ profile: page.content[0]?.profile }, {}]);
    expect(pick(page, ['nothing', 'content.id.more'])).toEqual({ content: [{ id: 1 }, { id: 2 }] });
  });

  test('of a call reduce the response', async () => {
    const given = { operationId: 'listUsers', fields: ['content.email', 'totalElements'] };
    const result = await agent.client.callTool({ name: 'call', arguments: given });
    const [{ text = '' } = {}] = result.content as { text?: string }[];
    const { content, ...rest } = JSON.parse(text);
    expect(rest).toMatchObject({ number: 0, size: 20, totalElements: content.length, totalPages: 1 });
    for (const user of content) expect(Object.keys(user)).toEqual(['email']);
    const error = await agent.client.callTool({
      name: 'call',
      arguments: { ...given, operationId: 'getUser', parameters: { userId: 'x' } },
    });
    expect(JSON.stringify(error)).toContain('parameter_invalid');
  });
});

describe('fields of a page', () => {
  test.each([
    [
      'a cursor',
      { content: [{ id: 1, name: 'a' }], nextCursor: 'x' },
      { content: [{ id: 1 }], nextCursor: 'x' },
    ],
    [
      'numbers',
      { content: [{ id: 1, name: 'a' }], number: 0, size: 1, totalElements: 2, totalPages: 2 },
      { content: [{ id: 1 }], number: 0, size: 1, totalElements: 2, totalPages: 2 },
    ],
    ['neither, as it is the last', { content: [{ id: 1, name: 'a' }] }, { content: [{ id: 1 }] }],
    ['neither, as it is no page', { content: [{ id: 1 }], id: 2, name: 'a' }, { content: [{ id: 1 }] }],
  ])('keep %s', (_what, response, selected) => {
    expect(select(response, ['content.id'])).toEqual(selected);
  });

  test('of a call keep nextCursor', async () => {
    const { workspace } = world;
    for (const name of ['first', 'second']) await given.workflowDefinition({ workspace, name });
    const sent = { operationId: 'listWorkflowDefinitions', parameters: { size: 1 }, fields: ['content.id'] };
    const result = await agent.client.callTool({ name: 'call', arguments: sent });
    const page = JSON.parse((result.content as { text: string }[])[0]?.text ?? '');
    const { data } = await owner.GET('/workflow-definitions', { params: { query: { size: 1 } } });
    expect(data?.nextCursor).toBeDefined();
    expect(page).toEqual({ content: [{ id: data?.content[0]?.id }], nextCursor: data?.nextCursor });
  });
});

describe('the fields of a response', () => {
  const document = contract as unknown as ContractDocument;
  const routes = routesOf(document);
  /** Every path of a value. */
  const pathsIn = (value: unknown, parent = ''): string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, parent));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, inner]) => [
      `${parent}${name}`,
      ...pathsIn(inner, `${parent}${name}.`),
    ]);
  };
  const examples = routes.flatMap(({ operation }) =>
    Object.entries(operation.responses)
      .filter(([status]) => status < '400')
      .flatMap(([, { content = {} }]) => Object.values(content))
      .flatMap(({ examples: named = {} }) => Object.values(named))
      .map(({ value }) => ({ id: operation.operationId, operation, paths: [...new Set(pathsIn(value))] }))
      .filter(({ paths }) => paths.length > 0),
  );

  test.each(examples)('of $id are all known', ({ operation, paths }) => {
    expect(fieldProblems(document, operation, paths)).toEqual([]);
    const isOpen = fieldProblems(document, operation, ['nothing']).length === 0;
    expect(isOpen).toBe(operation.operationId === 'getWorkflowResult');
  });

  test.each([
    ['listUsers', 'content.name', /^content\.name is not a field of the response, which has content\.id, /],
    ['listUsers', 'items.id', /^items\.id is not a field of the response, which has content, /],
    ['listUsers', 'content.emial', /Did you mean `content\.email`\?$/],
    ['listUsers', 'content.profile.firstname', /Did you mean `content\.profile\.firstName`\?$/],
    ['listUsers', 'content.id.x', /^content\.id\.x is not a field of the response$/],
    ['listOrganizationRoles', 'roles', /^roles is not a field of the response, which has id, /],
    ['getWorkflow', 'state', /^state is not a field of the response, which has .*\bstatus\b/],
  ])('of %s do not include %s, and nothing is sent', async (operationId, field, message) => {
    const given = {
      operationId,
      fields: [field],
      parameters: operationId === 'getWorkflow' ? { workflowId: 'x' } : {},
    };
    const { isError, content } = await agent.client.callTool({ name: 'call', arguments: given });
    expect(isError).toBe(true);
    const { errors } = JSON.parse((content as { text: string }[])[0]?.text ?? '');
    const expected = {
      code: 'parameter_invalid',
      parameter: 'fields',
      message: expect.stringMatching(message),
    };
    expect(errors).toEqual([expected]);
  });
});

describe('a long list', () => {
  const items = Array.from({ length: 1_000 }, (_, index) => ({ index, text: 'ä'.repeat(40) }));

  test('is cut to whole items, and skip continues it to the end', () => {
    const seen: unknown[] = [];
    for (let skip = 0; skip < items.length; ) {
      const { body, note } = cutList({ total: 1_000, content: items }, skip) ?? { body: {}, note: '' };
      const { content, total } = body as { content: unknown[]; total: number };
      expect(total).toBe(1_000);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(40 * 1024);
      seen.push(...content);
      skip += content.length;
      const rest = ` For the rest, repeat the call with skip: ${skip}. With fields, more fit.`;
      expect(note).toBe(`Items ${skip - content.length + 1} to ${skip} of 1000.${skip < 1_000 ? rest : ''}`);
    }
    expect(seen).toEqual(items);
    expect(cutList(items, 1_000)).toEqual({ body: [], note: 'No items of 1000.' });
    expect(cutList(items, 5_000)).toEqual({ body: [], note: 'No items of 1000.' });
  });

  test('is not cut if one item is too large, or there is none', () => {
    expect(cutList([{ text: 'x'.repeat(45_000) }], 0)).toBeUndefined();
    expect(cutList({ text: 'x'.repeat(45_000) }, 0)).toBeUndefined();
    expect(cutList('x', 0)).toBeUndefined();
  });

  test('in a response of almost a megabyte is read by calls with skip', async () => {
    const long = Array.from({ length: 4_500 }, (_, index) => ({ index, text: '"'.repeat(100) }));
    const file = new File([JSON.stringify(long)], 'list.json', { type: 'application/json' });
    const { data } = await owner.POST('/resources', { body: { file } });
    const call = async (given: object) => {
      const parameters = { resourceId: data?.resourceId };
      const named = { operationId: 'downloadResource', parameters, ...given };
      const { content } = await agent.client.callTool({ name: 'call', arguments: named });
      return (content as { text?: string }[]).map(({ text = '' }) => text);
    };
    const [first = '', note] = await call({});
    expect(JSON.parse(first)).toEqual(long.slice(0, JSON.parse(first).length));
    expect(note).toContain(`of 4500. For the rest, repeat the call with skip: ${JSON.parse(first).length}`);
    const [last = '', end] = await call({ skip: 4_490 });
    expect([JSON.parse(last), end]).toEqual([long.slice(4_490), 'Items 4491 to 4500 of 4500.']);
    const [some = ''] = await call({ fields: ['index'] });
    expect(JSON.parse(some).length).toBeGreaterThan(1_500);
    await expectShortStretches(() => call({ fields: ['index', 'text'] }));
  });
});
