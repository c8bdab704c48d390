import { describe, expect, onTestFinished, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { applyOverlay, operationTarget } from '../../scripts/contract/overlay.ts';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import type { Contract } from '../../scripts/contract/source.ts';
import { contractPages, type RouteHistory } from '../../scripts/portal/contract/contract-pages.ts';
import { permissionsOverlay } from '../../scripts/portal/contract/permissions.ts';
import { releaseHistory, withHistory } from '../../scripts/portal/contract/release-history.ts';
import { changelogFeed } from '../../scripts/portal/files/changelog-feed.ts';
import { postmanCollection } from '../../scripts/portal/files/postman.ts';
import { changelog, changelogEntries } from '../../scripts/portal/pages/changelog.ts';
import { compareVersions, lastRelease, releaseDates } from '../../scripts/spec/breaking/releases.ts';
import { changesIn } from '../../scripts/spec/diff/changes.ts';
import { nextVersion } from '../../scripts/spec/release/plan.ts';
import { portalLinks, routesOf } from '../../server/contract/index.ts';
import {
  createIndex,
  type Entry,
  excerptOf,
  highlight,
  loadIndex,
  search,
} from '../../server/src/pages/search-index.js';

const document = contract as unknown as Contract;
const links = portalLinks(contract);
describe('an overlay', () => {
  const update = (target: string, value: unknown) =>
    applyOverlay(document, { overlay: '1.0.0', actions: [{ target, update: value }] });

  test('merges into the target operation, in a copy', () => {
    const changed = update("$.paths['/organizations/users'].get", { 'x-codeSamples': [1] });
    expect(changed.paths['/organizations/users']?.['get']).toMatchObject({
      operationId: 'listUsers',
      'x-codeSamples': [1],
    });
    expect(document.paths['/organizations/users']?.['get']).not.toHaveProperty('x-codeSamples');
  });

  test('whose target does not exist changes nothing', () => {
    expect(update("$.paths['/gone'].get", { summary: 'x' })).toEqual(document);
  });

  test('whose target is a query throws', () => {
    expect(() => update('$.paths.*.get', {})).toThrow('not a path of plain names');
  });
});

test('each operation shows its permission, from security', () => {
  const overlay = permissionsOverlay(document);
  const said = (path: string, method: string) =>
    overlay.actions.find(({ target }) => target === operationTarget(path, method))?.update;
  expect(overlay.actions).toHaveLength(routesOf(document).length);
  expect(said('/organizations/users', 'get')).toMatchObject({
    description: expect.stringMatching(/^\*\*Permission:\*\* `can_manage_users` /),
  });
  expect(said('/auth/authorize', 'post')).toMatchObject({
    description: expect.stringContaining('No token needed'),
  });
});

test('the Postman collection has every operation, with its token, its example and a fresh idempotency key', async () => {
  const { item, auth, variable } = postmanCollection(document);
  const requests = item.flatMap(({ item: inner = [] }) => inner);
  expect(requests).toHaveLength(routesOf(document).length);
  expect(JSON.stringify(auth)).toContain('{{organizationToken}}');
  expect(variable?.slice(0, 2).map(({ key }) => key)).toEqual(['baseUrl', 'organizationToken']);
  const userId = contract.components.parameters.UserId.example;
  expect(variable).toContainEqual(expect.objectContaining({ key: 'userId', value: userId }));
  const workflowId = contract.components.parameters.WorkflowId.example;
  expect(variable).toContainEqual(expect.objectContaining({ key: 'workflowId', value: workflowId }));
  const open = requests.filter(({ request }) => request?.auth !== undefined);
  expect(open.map(({ name, request }) => [name, request?.auth])).toEqual(
    ['Exchange an API key for tokens', 'Refresh the tokens', 'Get a webhook public key'].map((name) => [
      name,
      { type: 'noauth' },
    ]),
  );
  for (const { name, request, response } of requests) {
    expect(response?.length, name).toBeGreaterThan(0);
    const key = request?.header?.find((header) => header.key === 'Idempotency-Key');
    expect(key?.value ?? '{{$guid}}', name).toBe('{{$guid}}');
    expect(key?.disabled, name).not.toBe(true);
    const running = contract.components.parameters.RunningWorkflowId.example;
    for (const { key: id, value } of request?.url?.variable ?? [])
      expect(value, name).toBe(name.startsWith('Cancel') ? running : `{{${id}}}`);
  }
  const named = (wanted: string) => requests.find(({ name }) => name === wanted)?.request;
  const started = JSON.parse(String(named('Start a workflow')?.body?.raw));
  expect(started).toHaveProperty('workflowDefinitionId');
  const asked = named('Download a file')?.header?.filter(({ disabled }) => !disabled);
  expect(asked?.map(({ key }) => key)).toEqual(['Accept']);
  const form = named('Attach a file to a record')?.body?.formdata?.map(({ key, value }) => [key, value]);
  expect(form).toEqual([
    ['file', undefined],
    ['tags', 'photo'],
    ['tags', 'front'],
  ]);
  // Texts are Markdown with links to the portal.
  expect(JSON.stringify(item).match(/"type":"text\/plain"|\]\(#\//)).toBeNull();
});

describe('the search', () => {
  const entry = (title: string, keys = '', text = '') => ({ title, where: '', href: title, keys, text });
  const results = (query: string, entries: Entry[]) =>
    search(loadIndex(JSON.stringify(createIndex(entries))), query);
  const found = (query: string, entries: Entry[]) => results(query, entries).map(({ title }) => title);

  test('requires every word, and ranks titles before keys before text', () => {
    const entries = [
      entry('Other', '', 'terminate a user'),
      entry('Read', 'terminate user'),
      entry('Terminate a user'),
      entry('Users', '', 'list'),
    ];
    expect(found('Terminate USER', entries)).toEqual(['Terminate a user', 'Read', 'Other']);
  });

  test('finds an operation by its path and id, a code and a field by their parts', () => {
    const entries = [
      entry('Upload a file', 'POST /resources uploadResource fileName'),
      entry('user_not_found'),
    ];
    for (const query of ['/resources', 'uploadresource', 'fileName', 'name', 'file.fileName'])
      expect(found(query, entries), query).toEqual(['Upload a file']);
    expect(found('not_found', entries)).toEqual(['user_not_found']);
  });

  test.each([
    ['authenticate', 'Authentication'],
    ['retries', 'Retry'],
    ['verification', 'Verify it'],
    ['idempotancy', 'Idempotency'],
    ['webohok', 'Webhooks'],
    ['pagination', 'A page of users'],
    ['login', 'Authentication'],
    ['callback', 'Webhooks'],
    ['how to retry', 'Retry'],
  ])('finds inflections, synonyms and misspellings: %s', (query, title) => {
    const titles = ['Authentication', 'Authorize', 'Retry', 'Verify it', 'Idempotency', 'Webhooks'];
    const entries = [...titles, 'A page of users', 'Files'].map((one) => entry(one));
    expect(found(query, entries)[0]).toBe(title);
    expect(found(query, entries)).not.toContain('Files');
  });

  test('tolerates a misspelling only if nothing matches exactly', () => {
    expect(found('workflow', [entry('Workflow'), entry('Workflaw')])).toEqual(['Workflow']);
    expect(found('xyzzy', [entry('Workflow')])).toEqual([]);
    expect(found('', [entry('Workflow')])).toEqual([]);
  });

  test('ranks guides before events that are only similar', () => {
    const event = { ...entry('user.terminated: Gone', 'Webhook-Signature'), where: 'Event' };
    const guide = { ...entry('Verify', '', 'the signature of a webhook'), where: 'Receiving webhooks' };
    expect(found('webhook signature', [event, guide])).toEqual(['Verify', event.title]);
    expect(found('user.terminated', [event, entry('Text', '', 'user.terminated')])).toEqual([
      event.title,
      'Text',
    ]);
  });

  test('shows the text around the first match, or the name that matches', () => {
    const long = entry('Long', '', `${'word '.repeat(40)}needles ${'word '.repeat(40)}`);
    const named = entry('Named', 'first pem', 'A public key.');
    const [needle, pem] = [...results('needle', [long]), ...results('pem', [named])];
    expect(needle && excerptOf(needle)).toMatch(/^… .{10,30}needles word/);
    expect(pem && excerptOf(pem)).toBe('pem · A public key.');
    expect(highlight('two needles.', needle?.terms ?? [])).toEqual(['two ', 'needles', '.']);
  });
});

test('an entry of the feed has no links within a page', () => {
  const entry = { name: '3.0.0', date: '2026-11-21', text: '### Added\n\n- [Roles](#/roles)\n' };
  const { body } = changelogFeed('API', [entry, { name: 'Since 3.0.0', text: 'More.' }], links);
  expect(body).not.toContain('More.');
  expect(body).toContain('&gt;Added&lt;/h3&gt;');
  expect(body).not.toMatch(/href=&quot;[/#]/);
});

describe('the history of an operation', () => {
  const before = structuredClone(document);
  const after = structuredClone(document);
  // biome-ignore lint/suspicious/noExplicitAny: the bundle is changed in ways that its types would not allow.
  const [{ paths: old }, { paths, components }] = [before, after] as any[];
  delete old['/organizations/roles'];
  const { get } = paths['/organizations/users/{userId}'];
  get.parameters.push({
    name: 'view',
    in: 'query',
    description: 'Short. Or not.',
    schema: { type: 'string' },
  });
  get.responses['418'] = { description: 'A teapot.' };
  components.schemas.User.properties.nickname = { type: 'string' };
  components.schemas.UserPage.properties.number.maximum = 9;
  const changes = changesIn(before, after).filter(({ kind }) => kind !== 'documentation');
  const releases = [
    { name: '3.0.0', contract: before, notes: '' },
    { name: '3.1.0', contract: after, changes, notes: '' },
  ];
  const routes = withHistory(contractPages(after), releases).groups.flatMap((group) => group.routes);
  const textOf = (history: RouteHistory | undefined) =>
    [history?.added, history?.changed?.text].filter(Boolean).join(' ');
  const historyOf = (id: string) =>
    textOf(routes.find(({ operation }) => operation.operationId === id)?.history);
  const second = '[3.1.0](/docs/changelog#3-1-0)';

  test('says in which release it was added, if not in the first', () => {
    expect(historyOf('listOrganizationRoles')).toBe(`Added in ${second}.`);
    expect(historyOf('listWorkspaces')).toBe('');
  });

  test('says what changed last, in the schemas that it uses too, without the rules of values', () => {
    expect(historyOf('getUser')).toBe(
      `Changed in ${second}: added the query parameter \`view\` (string, optional); can respond with 418; added \`nickname\` (string, optional) in \`User\`.`,
    );
    expect(historyOf('listUsers')).toBe(
      `Changed in ${second}: added \`nickname\` (string, optional) in \`User\`.`,
    );
  });

  test('gives what changed since the last release no version', () => {
    const [released, next] = releases as [(typeof releases)[0], (typeof releases)[0]];
    const pages = withHistory(contractPages(after), [released, { ...next, name: 'Since 3.0.0' }]);
    const roles = pages.groups
      .flatMap((group) => group.routes)
      .find(({ path }) => path === '/organizations/roles');
    expect(textOf(roles?.history)).toBe('Added since [3.0.0](/docs/changelog#since-3-0-0).');
  });
});

test('the changelog lists the released contracts, newest first', async () => {
  // Starting it for each changelog would take most of the time.
  const redocly = openRedocly(new URL('../../', import.meta.url));
  onTestFinished(() => redocly.close());
  const last = await lastRelease();
  if (!last) throw new Error('There is no release.');
  // biome-ignore lint/suspicious/noExplicitAny: the bundle is changed in ways that its types would not allow.
  const released = last.contract as any;
  const textOf = async (contract: Contract) =>
    changelog(changelogEntries(await releaseHistory(contract, redocly), contract));
  const headings = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
  const listed = headings(await textOf(released));
  expect(listed).toEqual(listed.toSorted(compareVersions).reverse());
  expect(Object.keys(await releaseDates())).toEqual(expect.arrayContaining(listed));
  expect(listed.at(-1)).toBe('3.0.0');
  const { get } = released.paths['/organizations/roles'];
  const next = {
    ...released,
    info: { ...released.info, version: nextVersion(last.version, 'minor') },
    paths: {
      ...released.paths,
      '/new': { get: { ...get, operationId: 'listNew', summary: 'List what is new' } },
    },
  };
  const text = await textOf(next);
  expect(text).toContain('## 3.0.0\n\nReleased on 21 November 2026.\n');
  expect(headings(text)).toEqual([next.info.version, ...listed]);
  expect(text).toContain('`GET /new`');
  // Reworded descriptions do not appear.
  const { description } = get;
  const reworded = structuredClone(released);
  reworded.paths['/organizations/roles'].get.description = `${description} More.`;
  const unchanged = await textOf(reworded);
  expect(headings(unchanged)).toEqual(listed);
  expect(unchanged).not.toContain('### Documentation');
  // What is served is live, so it is not called unreleased.
  const served = structuredClone(next);
  served.info.version = last.version;
  expect(headings(await textOf(served))).toEqual([`Since ${last.version}`, ...listed]);
});
