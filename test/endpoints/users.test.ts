import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { userBody } from '../support/bodies.ts';
import { emittedBy, eventsOf } from '../support/events.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';
import { heldUp } from '../support/waiting.ts';

const platform = await api();
const { owner, admin, member, stranger, actor, world, given, database, clock } = platform;
const emitted = emittedBy(platform);
const { organization } = world;

/** A new organization with so many users, one second apart. */
async function organizationOf(count: number) {
  const own = await given.organization();
  const homeWorkspace = await given.workspace({ organization: own });
  const caller = await given.caller({ organization: own, role: 'owner', homeWorkspace });
  const bodies = [userBody(caller, clock.now())];
  while (bodies.length < count) {
    clock.forward(1000);
    bodies.push(userBody(await given.user({ organization: own }), clock.now()));
  }
  return { own, owner: actor(caller.token), bodies };
}

describe('listUsers', () => {
  const path = '/organizations/users';
  const page = (client: typeof owner, query: { page?: number; size?: number } = {}) =>
    bodyOf(200, client.GET(path, { params: { query } }));

  test('returns the first page of 20 by default, in the order of creation', async () => {
    const { owner, bodies } = await organizationOf(21);
    expect(await page(owner)).toEqual({
      content: bodies.slice(0, 20),
      totalElements: 21,
      totalPages: 2,
      size: 20,
      number: 0,
    });
  });

  test('returns every user on exactly one page', async () => {
    const { owner, bodies } = await organizationOf(5);
    const pages = [0, 1, 2].map((number) => page(owner, { page: number, size: 2 }));
    const totals = { totalElements: 5, totalPages: 3, size: 2 };
    expect(await Promise.all(pages)).toEqual([
      { content: bodies.slice(0, 2), number: 0, ...totals },
      { content: bodies.slice(2, 4), number: 1, ...totals },
      { content: bodies.slice(4), number: 2, ...totals },
    ]);
  });

  test('orders users of the same time by id', async () => {
    const { own, owner } = await organizationOf(1);
    clock.forward(1000);
    const users = await Promise.all([1, 2, 3, 4].map(() => given.user({ organization: own })));
    const ids = users.map(({ id }) => id).sort();
    const { data } = await owner.GET(path, {});
    expect(data?.content.slice(1).map(({ id }) => id)).toEqual(ids);
  });

  test('returns an empty page with the totals beyond the end', async () => {
    const { owner } = await organizationOf(3);
    const empty = { content: [], totalElements: 3, totalPages: 2, size: 2 };
    expect(await page(owner, { page: 2, size: 2 })).toEqual({ ...empty, number: 2 });
    expect(await page(owner, { page: 1_000_000, size: 2 })).toEqual({ ...empty, number: 1_000_000 });
  });

  test('accepts a size of 1 and of 100', async () => {
    const { owner, bodies } = await organizationOf(3);
    const one = { content: bodies.slice(0, 1), totalElements: 3, totalPages: 3, size: 1, number: 0 };
    expect(await page(owner, { size: 1 })).toEqual(one);
    const all = { content: bodies, totalElements: 3, totalPages: 1, size: 100, number: 0 };
    expect(await page(owner, { size: 100 })).toEqual(all);
  });

  test('lists terminated users, too', async () => {
    const { own, owner } = await organizationOf(1);
    const { id } = await given.terminatedUser(own);
    const { data } = await owner.GET(path, {});
    expect(data?.content.find((user) => user.id === id)?.profile.status).toBe('TERMINATED');
  });

  test('excludes users of other organizations', async () => {
    const { data } = await stranger.GET(path, {});
    expect(data?.content.map(({ id }) => id)).toEqual([world.stranger.id]);
  });
});

describe('getUser', () => {
  const path = '/organizations/users/{userId}';
  const get = (client: typeof owner, userId: string) => client.GET(path, { params: { path: { userId } } });

  test('returns the user with the profile', async () => {
    const user = await given.user({ organization, firstName: 'Zoë', lastName: '李', title: '' });
    const profile = { firstName: 'Zoë', lastName: '李', title: '' };
    expect(await bodyOf(200, get(admin, user.id))).toEqual(userBody(user, clock.now(), profile));
  });

  test('accepts the identifier in upper or lower case', async () => {
    const user = await given.user({ organization });
    expect(await bodyOf(200, get(owner, user.id.toUpperCase()))).toEqual(userBody(user, clock.now()));
  });

  test('returns the same ETag until a field of the user changes', async () => {
    const user = await given.user({ organization });
    const etag = async () => (await get(owner, user.id)).response.headers.get('ETag');
    const first = await etag();
    expect(await etag()).toBe(first);
    await database
      .updateTable('users')
      .set({ last_signed_in_at: clock.now() })
      .where('id', '=', user.id)
      .execute();
    expect(await etag()).not.toBe(first);
  });

  test('returns 304 without a body for a current If-None-Match', async () => {
    const { id } = await given.user({ organization });
    const ask = (headers: Record<string, string> = {}) =>
      owner.fetch(`/organizations/users/${id}`, { headers });
    const etag = (await ask()).headers.get('ETag') as string;
    for (const value of [etag, '*', `W/${etag}`, `"other", ${etag}`]) {
      const response = await responseOf(ask({ 'If-None-Match': value }));
      expect(response).toMatchObject({ status: 304, body: undefined });
      expect(response.headers.get('ETag')).toBe(etag);
    }
    expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('refuses a member, even for its own user: 403, and 404 for an unknown one', async () => {
    await expectRefusal(get(member, world.member.id), 403, 'permission_denied');
    await expectRefusal(get(member, world.stranger.id), 404, 'user_not_found');
  });
});

describe('updateUserProfile', () => {
  const path = '/organizations/users/{userId}/profile';
  const profile = { firstName: 'Grace', lastName: 'Hopper', title: 'Rear admiral' };
  const put = (client: typeof owner, userId: string, body: Partial<typeof profile>) =>
    client.PUT(path, { params: { path: { userId } }, body });

  describe('with If-Match', () => {
    const putIf = (userId: string, etag: string, body: Partial<typeof profile> = profile) =>
      owner.PUT(path, { params: { path: { userId }, header: { 'If-Match': etag } }, body });
    const etagOf = async (userId: string) => {
      const params = { path: { userId } };
      const { response } = await owner.GET('/organizations/users/{userId}', { params });
      return response.headers.get('ETag') as string;
    };

    test('changes the version that the caller read, and returns the new ETag', async () => {
      const { id } = await given.user({ organization });
      const { response } = await putIf(id, await etagOf(id));
      expect(response.status).toBe(200);
      expect(response.headers.get('ETag')).toBe(await etagOf(id));
    });

    test.each([
      ['any version', () => '*'],
      ['one of several versions', (etag: string) => `"other",${etag}`],
    ])('accepts %s', async (_what, header) => {
      const { id } = await given.user({ organization });
      expect((await putIf(id, header(await etagOf(id)))).response.status).toBe(200);
    });

    test.each([
      ['another version', () => '"other"'],
      ['a weak ETag', (etag: string) => `W/${etag}`],
      ['an ETag without quotation marks', (etag: string) => etag.slice(1, -1)],
    ])('refuses %s and changes nothing: 412 precondition_failed', async (_what, header) => {
      const { id } = await given.user({ organization });
      const etag = await etagOf(id);
      const events = await eventsOf(database, async () => {
        await expectRefusal(putIf(id, header(etag)), 412, 'precondition_failed');
      });
      expect(events).toEqual([]);
      expect(await etagOf(id)).toBe(etag);
    });

    const changed = 'The object has changed since you read it.';
    const unquoted = 'If-Match must be an ETag in double quotes, as sent in the response.';
    const weak = 'If-Match must be a strong ETag: send the ETag of the response without W/.';
    test.each([
      ['another version', () => '"other"', changed],
      ['a weak version and another one', (etag: string) => `W/${etag}, "other"`, changed],
      ['no quotation marks', (etag: string) => etag.slice(1, -1), unquoted],
      ['one quotation mark', (etag: string) => etag.slice(1), unquoted],
      ['single quotation marks', (etag: string) => etag.replaceAll('"', "'"), unquoted],
      ['a star in a list', (etag: string) => `*, ${etag}`, unquoted],
      ['weak ETags', (etag: string) => `W/${etag}, W/"other"`, weak],
    ])('says what is wrong with %s', async (_what, header, message) => {
      const { id } = await given.user({ organization });
      const etag = await etagOf(id);
      const role = { params: { path: { userId: id }, header: { 'If-Match': header(etag) } } };
      const body = { roleId: world.organization.roles.member };
      for (const { error } of [
        await putIf(id, header(etag)),
        await owner.PUT('/organizations/users/{userId}/role', { ...role, body }),
      ])
        expect(error).toMatchObject({ errors: [{ code: 'precondition_failed', message }] });
    });

    test('refuses an unknown user and an invalid body before a stale version', async () => {
      await expectRefusal(putIf(crypto.randomUUID(), '"other"'), 404, 'user_not_found');
      await expectRefusal(putIf(world.member.id, '"other"', {}), 400, 'body_invalid');
    });

    test('lets exactly one of two concurrent changes of the same version through', async () => {
      const { id } = await given.user({ organization });
      const etag = await etagOf(id);
      const change = (title: string) => responseOf(putIf(id, etag, { title }));
      const both = await heldUp(database, { table: 'users', id }, () => [change('A'), change('B')]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
    });
  });

  test('replaces the three fields, and emits its event', async () => {
    const user = await given.user({ organization });
    const createdAt = clock.now();
    clock.forward(60_000);
    const events = await eventsOf(database, async () => {
      expect(await bodyOf(200, put(admin, user.id, profile))).toEqual(userBody(user, createdAt, profile));
    });
    expect(events).toEqual([emitted('user.updated', { userId: user.id, ...profile })]);
    const { data } = await owner.GET('/organizations/users/{userId}', {
      params: { path: { userId: user.id } },
    });
    expect(data).toEqual(userBody(user, createdAt, profile));
  });

  test.each<Partial<typeof profile>>([
    { firstName: 'A' },
    { lastName: 'B' },
    { title: '' },
    { firstName: 'A', title: 'C' },
  ])('keeps the fields that are absent from %j', async (change) => {
    const user = await given.user({ organization });
    const createdAt = clock.now();
    await bodyOf(200, put(owner, user.id, profile));
    const events = await eventsOf(database, async () => {
      const changed = userBody(user, createdAt, { ...profile, ...change });
      expect(await bodyOf(200, put(admin, user.id, change))).toEqual(changed);
    });
    expect(events).toMatchObject([{ data: { userId: user.id, ...profile, ...change } }]);
  });

  test.each([
    ['李', '小龍'],
    ['محمد', 'الأمين'],
    ['Ωmega', 'Ñandú'],
    ['ศรี', 'อารี'],
    ['👩🏽‍🚀', '🇮🇸'],
    ['O\'Brien \\ "q"', '<b>&amp;</b>'],
  ])('keeps %s %s exactly', async (firstName, lastName) => {
    const user = await given.user({ organization });
    const names = { firstName, lastName, title: '' };
    expect(await bodyOf(200, put(owner, user.id, names))).toMatchObject({ profile: names });
  });

  test('keeps names in Unicode NFC', async () => {
    const user = await given.user({ organization });
    const names = { firstName: 'Zoe\u0308', lastName: 'A\u030angstro\u0308m', title: 'Che\u0301f' };
    const events = await eventsOf(database, async () => {
      const { data } = await put(owner, user.id, names);
      expect(data?.profile).toMatchObject({ firstName: 'Zoë', lastName: 'Ångström', title: 'Chéf' });
    });
    expect(events).toMatchObject([{ data: { firstName: 'Zoë', lastName: 'Ångström', title: 'Chéf' } }]);
  });

  test('accepts names of up to 100 characters of any script', async () => {
    const user = await given.user({ organization });
    for (const letter of ['x', '数', '🦉']) {
      const names = {
        firstName: letter.repeat(100),
        lastName: letter.repeat(100),
        title: letter.repeat(100),
      };
      expect(await bodyOf(200, put(owner, user.id, names))).toMatchObject({ profile: names });
      const tooLong = put(owner, user.id, { ...names, lastName: letter.repeat(101) });
      await expectRefusal(tooLong, 400, 'body_invalid', { pointer: '/lastName' });
    }
  });

  test('refuses a name that is too long after normalization to NFC: 400', async () => {
    const user = await given.user({ organization });
    // A letter that has no composed form in NFC: it becomes two characters.
    const firstName = '\u0958'.repeat(51);
    const refused = put(owner, user.id, { ...profile, firstName });
    await expectRefusal(refused, 400, 'body_invalid', { pointer: '/firstName' });
  });
});
