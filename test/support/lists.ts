import { expect, test } from 'vitest';
import type { Actor } from './actors.ts';
import type { Api } from './api.ts';
import type { KnownWorkspace } from './given.ts';

interface Entry {
  id: string;
  workspaceId: string;
}
interface Page {
  content: Entry[];
  nextCursor?: string;
}

export interface VisibleList {
  /** The path of the list. */
  path: string;
  /** Adds an entry, created now. @returns its id */
  add(workspace: KnownWorkspace, name: string): Promise<string>;
  order?: 'oldest first' | 'newest first';
  /** Whether the list has a filter by name. */
  named?: boolean;
}

/** Reads a page as it is. */
async function read(caller: Actor, path: string, query: Record<string, string | number> = {}): Promise<Page> {
  const response = await caller.fetch(`${path}?${new URLSearchParams(query as Record<string, string>)}`);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}

/** Reads all pages. */
async function readAll(caller: Actor, path: string, query: Record<string, string | number>): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(caller, path, { ...query, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = page.nextCursor;
    if (!cursor) return pages;
  }
}

const idsOf = (...pages: Page[]) => pages.flatMap(({ content }) => content.map(({ id }) => id));

/** Tests what holds for every list with a cursor that shows only what its caller may view. */
export function testVisibleList(
  { given, actor, clock, stranger }: Api,
  { path, add, order = 'oldest first', named = true }: VisibleList,
): void {
  const inOrder = (ids: string[]) => (order === 'oldest first' ? ids : ids.toReversed());

  /** An organization with two workspaces: three entries in the first, two in the second, two with the same time. */
  async function organization() {
    const own = await given.organization();
    const [first, second] = [
      await given.workspace({ organization: own }),
      await given.workspace({ organization: own }),
    ];
    const ids: string[] = [];
    for (const [workspace, name] of [
      [first, 'one'],
      [second, 'two'],
      [first, 'three'],
    ] as const) {
      clock.forward(1000);
      ids.push(await add(workspace, name));
    }
    clock.forward(1000);
    const sameTime = [await add(first, 'four'), await add(second, 'five')];
    const all = inOrder([...ids, ...sameTime.toSorted()]);
    const inFirst = all.filter((id) => [ids[0], ids[2], sameTime[0]].includes(id));
    const caller = async (role: 'owner' | 'admin' | 'member') => {
      const user = await given.caller({ organization: own, role, homeWorkspace: first });
      return { user, actor: actor(user.token) };
    };
    return { own, first, second, all, inFirst, ids, caller };
  }

  test.each([1, 2, 4, 5, 6])(`returns all entries once in pages of %i, ${order}`, async (size) => {
    const { all, caller } = await organization();
    const pages = await readAll((await caller('admin')).actor, path, { size });
    expect(idsOf(...pages)).toEqual(all);
    expect(pages.map(({ content }) => content.length)).toEqual(
      Array.from({ length: Math.ceil(5 / size) }, (_, index) => Math.min(size, 5 - index * size)),
    );
  });

  test('continues after the last entry of a page, whatever was added meanwhile', async () => {
    const { all, first, caller } = await organization();
    const owner = (await caller('owner')).actor;
    const page = await read(owner, path, { size: 2 });
    clock.forward(1000);
    const later = await add(first, 'six');
    const rest = await readAll(owner, path, { size: 2, cursor: page.nextCursor ?? '' });
    const expected = all.slice(2);
    expect(idsOf(...rest)).toEqual(order === 'oldest first' ? [...expected, later] : expected);
  });

  test('returns to a member the entries of the workspaces that it can view, and none without one', async () => {
    const { first, second, inFirst, caller } = await organization();
    const { user, actor } = await caller('member');
    expect(await read(actor, path)).toEqual({ content: [] });
    const blind = await given.workspaceRole({
      workspace: second,
      name: 'Blind',
      relations: ['can_edit_data'],
    });
    await given.membership({ workspace: second, user, role: { id: blind } });
    expect(await read(actor, path)).toEqual({ content: [] });
    await given.membership({ workspace: first, user, role: 'viewer' });
    expect(idsOf(await read(actor, path))).toEqual(inFirst);
    expect(idsOf(...(await readAll(actor, path, { size: 1 })))).toEqual(inFirst);
  });

  test('returns everything to a member with can_view_workspace on the organization', async () => {
    const { own, second, all, caller } = await organization();
    const { user, actor } = await caller('member');
    const auditor = await given.workspaceRole({
      workspace: second,
      name: 'Auditor',
      relations: ['can_view_workspace'],
      on: { resourceType: 'organization', resourceId: own.id },
    });
    await given.membership({ workspace: second, user, role: { id: auditor } });
    expect(idsOf(await read(actor, path))).toEqual(all);
  });

  test('filters by workspace, and never shows an entry of one that the caller cannot view', async () => {
    const { first, second, inFirst, caller } = await organization();
    const { user, actor } = await caller('member');
    await given.membership({ workspace: first, user, role: 'viewer' });
    expect(idsOf(await read(actor, path, { workspaceId: first.id.toUpperCase() }))).toEqual(inFirst);
    expect(await read(actor, path, { workspaceId: second.id })).toEqual({ content: [] });
    expect(await read(stranger, path, { workspaceId: first.id })).toEqual({ content: [] });
  });

  if (named)
    test('filters by the exact name', async () => {
      const { ids, caller } = await organization();
      const owner = (await caller('owner')).actor;
      expect(idsOf(await read(owner, path, { name: 'three' }))).toEqual([ids[2]]);
      expect(await read(owner, path, { name: 'Three' })).toEqual({ content: [] });
    });

  if (named)
    test.each(['a b', 'a+b', '(a), b', "a'b!*", 'ä&b=c', '100 %', '陈伟'])(
      'finds the name %s, however a program encodes it',
      async (name) => {
        const { first, caller } = await organization();
        const id = await add(first, name);
        const owner = (await caller('owner')).actor;
        expect(idsOf(await read(owner, path, { name }))).toEqual([id]);
        const response = await owner.fetch(`${path}?name=${encodeURIComponent(name)}`);
        expect(idsOf((await response.json()) as Page)).toEqual([id]);
      },
    );

  test('refuses a cursor of other filters, of another list, and any that no page returned: 400', async () => {
    const { first, caller } = await organization();
    const owner = (await caller('owner')).actor;
    const { nextCursor = '' } = await read(owner, path, { size: 1 });
    const other = nextCursor.replace(/^../, (start) => (start === 'AA' ? 'AB' : 'AA'));
    const invalid = ['x', 'A'.repeat(40), '_'.repeat(40), `${nextCursor}A`, nextCursor.slice(1), other];
    const lists = ['/tables', '/cases', '/workflow-definitions', '/workflows'];
    for (const target of [
      ...invalid.map((cursor) => `${path}?${new URLSearchParams({ cursor })}`),
      `${path}?workspaceId=${first.id}&cursor=${nextCursor}`,
      ...lists.filter((list) => list !== path).map((list) => `${list}?cursor=${nextCursor}`),
    ]) {
      const response = await owner.fetch(target);
      expect(response.status, target).toBe(400);
      expect(await response.json(), target).toMatchObject({
        errors: [{ code: 'parameter_invalid', parameter: 'cursor' }],
      });
    }
  });
}
