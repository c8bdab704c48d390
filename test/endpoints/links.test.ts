import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { linksOf, tokenOf } from '../links/support.ts';
import { api as startApi } from '../support/api.ts';
import { emittedBy, eventsOf } from '../support/events.ts';
import { testVisibleList } from '../support/lists.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';
import { storedText } from '../sweeps/support/stored.ts';

const api = await startApi();
const { owner, member, stranger, world, database, clock, baseUrl } = api;
const links = linksOf(api);
const emitted = emittedBy(api);

const definition = await links.definition();
const workflowDefinitionId = definition.id;
const { id: caseId } = await links.case();

type Path = '/link' | '/link/send';
type Body = { caseId: string; workflowDefinitionId: string; parametersId?: string };
const make = (path: Path, body: Partial<Body> = {}, client = owner, key?: string) =>
  client.POST(path, {
    body: { caseId, workflowDefinitionId, ...body },
    ...(key && { params: { header: { 'Idempotency-Key': key } } }),
  });
const linkOf = async (response: Promise<unknown> | unknown) => ((await response) as { link: string }).link;

describe.each(['/link', '/link/send'] as const)('%s', (path) => {
  const creation = async () => {
    let returned = { link: '', linkId: '', expiresAt: '' };
    const events = await eventsOf(database, async () => {
      returned = (await bodyOf(201, make(path, {}, member))) as typeof returned;
    });
    return { returned, events };
  };

  test('returns a single-use link of this server, valid for 7 days, and emits its event', async () => {
    const { returned, events } = await creation();
    expect(returned.link).toMatch(new RegExp(`^${baseUrl}/links/[A-Za-z0-9_-]{64}$`));
    const { id, expires_at } = await links.row(returned.link);
    expect(returned).toMatchObject({ linkId: id, expiresAt: expires_at.toISOString() });
    expect(expires_at.getTime() - clock.now().getTime()).toBe(7 * 86_400_000);
    expect(events.filter(({ type }) => type === 'link.created')).toEqual([
      emitted(
        'link.created',
        { linkId: id, caseId, workflowDefinitionId, expiresAt: expires_at.toISOString() },
        world.workspace,
      ),
    ]);
  });

  test('accepts a parameter set of the definition', async () => {
    const parametersId = await links.parameters(definition, { a: 1 });
    const events = await eventsOf(database, () => bodyOf(201, make(path, { parametersId })));
    // Mail of this or an earlier test may be sent meanwhile.
    expect(events.find(({ type }) => type === 'link.created')?.data).toMatchObject({ parametersId });
  });

  test('returns a new link each time, and the same one for the same Idempotency-Key', async () => {
    const key = randomUUID();
    const first = (await bodyOf(201, make(path, {}, owner, key))) as { link: string };
    const events = await eventsOf(database, async () => {
      expect(await bodyOf(201, make(path, {}, owner, key))).toEqual(first);
    });
    expect(events.filter(({ type }) => type === 'link.created')).toEqual([]);
    expect(await linkOf(bodyOf(201, make(path)))).not.toBe(first.link);
    await expectRefusal(make(path, { caseId: randomUUID() }, owner, key), 422, 'idempotency_key_reused');
  });

  test('replays a refusal for the same Idempotency-Key as well', async () => {
    const key = randomUUID();
    for (const _ of [1, 2]) {
      await expectRefusal(make(path, { caseId: randomUUID() }), 404, 'case_not_found');
      const body = { parametersId: '00000000-0000-4000-8000-000000000000' };
      await expectRefusal(make(path, body, owner, key), 404, 'parameters_not_found');
    }
  });

  test('stores no secret in any table, the job queue and stored responses included', async () => {
    const link = await linkOf(bodyOf(201, make(path, {}, owner, randomUUID())));
    const token = tokenOf(link);
    const { secret_sha256 } = await links.row(link);
    const stored = await storedText(database);
    expect(stored, 'the search sees what is stored').toContain(secret_sha256.toString('hex'));
    const secret = Buffer.from(token, 'base64url').subarray(16);
    for (const form of [token, token.slice(22), secret.toString('hex'), secret.toString('base64')]) {
      expect(stored).not.toContain(form);
    }
  });

  test('refuses objects of another organization: 404', async () => {
    const theirs = await links.definition({ workspace: world.strangersWorkspace });
    const theirCase = await links.case({ workspace: world.strangersWorkspace });
    const theirParameters = await bodyOf(
      201,
      stranger.POST('/parameters', { body: { workflowDefinitionId: theirs.id, parameters: {} } }),
    );
    const { parametersId } = theirParameters as { parametersId: string };
    for (const missing of [randomUUID(), theirCase.id]) {
      await expectRefusal(make(path, { caseId: missing }), 404, 'case_not_found', { pointer: '/caseId' });
    }
    for (const missing of [randomUUID(), parametersId]) {
      const pointer = '/parametersId';
      await expectRefusal(make(path, { parametersId: missing }), 404, 'parameters_not_found', { pointer });
    }
    for (const missing of [randomUUID(), theirs.id]) {
      await expectRefusal(
        make(path, { workflowDefinitionId: missing }),
        404,
        'workflow_definition_not_found',
      );
    }
  });

  test('refuses objects that do not belong together: 400 link_objects_mismatch', async () => {
    const elsewhere = await links.case({ workspace: world.otherWorkspace });
    const another = await links.definition();
    const parametersId = await links.parameters(another, {});
    const events = await eventsOf(database, async () => {
      const of = (body: Partial<Body>, pointer: string) =>
        expectRefusal(make(path, body), 400, 'link_objects_mismatch', { pointer });
      await of({ caseId: elsewhere.id }, '/caseId');
      await of({ parametersId }, '/parametersId');
    });
    expect(events.filter(({ type }) => type.startsWith('link.created'))).toEqual([]);
  });
});

describe('sendLink', () => {
  test('decision 13: refuses a case without a contact: 400 case_has_no_contact', async () => {
    const alone = await links.case({ contact: null });
    const refused = expectRefusal(make('/link/send', { caseId: alone.id }), 400, 'case_has_no_contact');
    await refused;
    await bodyOf(201, make('/link', { caseId: alone.id }));
  });

  describe('mails at most 10 links an hour to one contact', () => {
    const hour = 3_600_000;
    const contact = () => ({ name: 'Ines', email: `${randomUUID()}@mail.example` });
    const send = (to: { id: string }, client = owner, key?: string) =>
      make('/link/send', { caseId: to.id }, client, key);
    const sendTimes = async (count: number, to: { id: string }) => {
      for (let sent = 0; sent < count; sent++) await bodyOf(201, send(to));
    };

    test('refuses the next one with Retry-After and stores nothing: 429 mail_limit_exceeded', async () => {
      const to = await links.case({ contact: contact() });
      await sendTimes(1, to);
      clock.forward(20 * 60_000);
      await sendTimes(9, to);
      const counted = () => database.selectFrom('links').select('id').execute();
      const before = await counted();
      const events = await eventsOf(database, async () => {
        const { headers } = await expectRefusal(send(to), 429, 'mail_limit_exceeded', { pointer: '/caseId' });
        expect(headers.get('Retry-After')).toBe('2400');
        expect(headers.get('RateLimit-Policy')).toMatch(/^"requests";/);
      });
      expect(events.filter(({ type }) => type === 'link.created')).toEqual([]);
      expect(await counted()).toHaveLength(before.length);

      await bodyOf(201, make('/link', { caseId: to.id }));
      await bodyOf(201, send(await links.case({ contact: contact() })));
      clock.forward(2400 * 1000);
      await bodyOf(201, send(to));
      await expectRefusal(send(to), 429, 'mail_limit_exceeded');
    });

    test('a contact is an e-mail address, in upper or lower case, of any case', async () => {
      const { name, email } = contact();
      const cases = [
        await links.case({ contact: { name, email } }),
        await links.case({ contact: { name: 'Another', email: email.toUpperCase() } }),
      ];
      for (const each of cases) await sendTimes(5, each);
      for (const each of cases) await expectRefusal(send(each), 429, 'mail_limit_exceeded');
    });

    test('counts for each organization separately', async () => {
      const same = contact();
      const theirs = await links.definition({ workspace: world.strangersWorkspace });
      const theirCase = await links.case({ workspace: world.strangersWorkspace, contact: same });
      for (let sent = 0; sent < 10; sent++) {
        const body = { caseId: theirCase.id, workflowDefinitionId: theirs.id };
        await bodyOf(201, stranger.POST('/link/send', { body }));
      }
      await bodyOf(201, send(await links.case({ contact: same })));
    });

    test('does not count a replay, and a refusal does not use the Idempotency-Key', async () => {
      const to = await links.case({ contact: contact() });
      const key = randomUUID();
      const first = await bodyOf(201, send(to, owner, key));
      for (let repeated = 0; repeated < 12; repeated++)
        expect(await bodyOf(201, send(to, owner, key))).toEqual(first);
      await sendTimes(9, to);
      const refused = randomUUID();
      await expectRefusal(send(to, owner, refused), 429, 'mail_limit_exceeded');
      expect(await bodyOf(201, send(to, owner, key))).toEqual(first);
      clock.forward(hour);
      await bodyOf(201, send(to, owner, refused));
    });

    test('holds for concurrent requests', async () => {
      const to = await links.case({ contact: contact() });
      await sendTimes(7, to);
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => (await send(to)).response.status),
      );
      expect(statuses.sort()).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
    });
  });
});

describe('listCases', () => {
  testVisibleList(api, {
    path: '/cases',
    add: async (workspace, name) => (await links.case({ workspace, name })).id,
  });

  test('returns the record of a case, and whether links can be sent to its contact, but not the contact', async () => {
    const workspace = await api.given.workspace({ organization: world.organization });
    const { id: workspaceId } = workspace;
    const recordId = world.record.id;
    const { id: first } = await links.case({ workspace, recordId, name: 'first' });
    const firstAt = clock.now().toISOString();
    clock.forward(1000);
    const { id: second } = await links.case({ workspace, contact: null, name: 'second' });
    const secondAt = clock.now().toISOString();
    expect(await bodyOf(200, owner.GET('/cases', { params: { query: { workspaceId } } }))).toEqual({
      content: [
        { id: first, workspaceId, recordId, name: 'first', hasContact: true, createdDateTime: firstAt },
        { id: second, workspaceId, name: 'second', hasContact: false, createdDateTime: secondAt },
      ],
    });
  });
});
