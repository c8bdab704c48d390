import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { headOf, inParallel, type Received, raw, type Sent, send } from '../../scripts/prove/attack/send.ts';
import { api as startApi } from '../support/api.ts';
import { onS3 } from '../support/s3.ts';
import { until } from '../support/waiting.ts';
import { isForm, type Operation, operations } from './support/contract.ts';
import { directoryLost, type Fault, fragileDatabase, tableLost } from './support/faults.ts';
import { codesOf, type ErrorBody, parsed, refusalError } from './support/refusals.ts';
import { requestsOf, toSend, withToken } from './support/requests.ts';
import { stored } from './support/stored.ts';
import { altered, type Means, ways } from './support/ways.ts';
import { workflowsOf } from './support/workflows.ts';

const uploadLimit = 1000;
const storageQuota = 1_000_000;
const fragile = await fragileDatabase();
const [api, narrow] = await Promise.all([
  startApi({ databaseUrl: fragile.url, uploadLimit, storageQuota, bodyIdleSeconds: 2 }),
  startApi({ budgets: { requests: 2, uploads: 2, signIns: 2 }, pollable: ['sandbox'] }),
]);
const { given, world, clock } = api;
const requests = requestsOf(api);
const means = await makeMeans();

/** Every refusal that an operation documents. */
const documented = operations.flatMap((operation) =>
  [...operation.responses.values()]
    .filter(({ status }) => status >= 400)
    .flatMap(({ status, codes }) => codes.map((code) => ({ operation, status, code }))),
);
const seen = new Set<string>();
const nameOf = (id: string, status: number, code: string) => `${id} ${status} ${code}`;

/** The problem of a refusal; a correct one is recorded as seen. */
function note(operation: Operation, answer: Received, status: number, code: string): string | undefined {
  const fault = refusalError(operation, answer) ?? unlogged(answer);
  if (fault) return `${operation.id}: ${fault}`;
  if (answer.status !== status || !codesOf(answer).includes(code))
    return `${operation.id}: ${answer.status} ${codesOf(answer)} instead of ${status} ${code}`;
  seen.add(nameOf(operation.id, status, code));
  return undefined;
}

/** The log has a line for the same error, and the cause of an internal one. */
function unlogged({ status, text }: Received): string | undefined {
  const { fingerprint } = parsed(text) as ErrorBody;
  const lines = api.log.concat(narrow.log).filter(({ requestId }) => requestId === fingerprint);
  if (!lines.some((line) => line['msg'] === 'request completed' && line['status'] === status))
    return `${status} has no line in the log with its fingerprint ${fingerprint}`;
  if (status >= 500 && !lines.some((line) => line['msg'] === 'failed' && line['err']))
    return `${status} has no line in the log that says why, with its fingerprint ${fingerprint}`;
  return undefined;
}

async function succeeds(operation: Operation): Promise<string | undefined> {
  const { status, text } = await requests.send(toSend(await requests.valid(operation)));
  return status < 400 ? undefined : `${operation.id}: ${status} ${text}`;
}

test('every operation accepts a valid request', async () => {
  const faults = await inParallel(operations, succeeds);
  expect(faults.filter(Boolean), 'mend `valid` in test/sweeps/support/requests.ts').toEqual([]);
});

describe.each(operations)('$id', (operation) => {
  const direct = documented.filter(
    (one) => one.operation === operation && `${one.status} ${one.code}` in ways,
  );

  test.each(direct)('$status $code', async ({ status, code }) => {
    const request = ways[`${status} ${code}`]?.(await requests.valid(operation), means) as Sent & {
      token?: string;
    };
    const { token = world.owner.token, ...sent } = request;
    const answer = await send(api.baseUrl, withToken(sent, token || undefined));
    expect(note(operation, answer, status, code)).toBeUndefined();
  });
});

describe.each(operations.filter(({ responses }) => responses.has(422)))(
  '$id with an Idempotency-Key',
  (operation) => {
    test('of another request: 422 idempotency_key_reused', async () => {
      const request = { ...(await requests.valid(operation)), headers: { 'Idempotency-Key': randomUUID() } };
      expect((await requests.send(toSend(request))).status).toBeLessThan(400);
      const answer = await requests.send(toSend(altered(request)));
      // If the other request's object is missing, the permission is checked before the key.
      const again =
        answer.status === 404
          ? await requests.send(toSend({ ...(await requests.valid(operation)), headers: request.headers }))
          : answer;
      expect(note(operation, again, 422, 'idempotency_key_reused')).toBeUndefined();
    });

    test('of a request in progress: 409 idempotency_key_in_use', async () => {
      const request = { ...(await requests.valid(operation)), headers: { 'Idempotency-Key': randomUUID() } };
      const first = await stalled(() => requests.send(toSend(request)));
      const second = await requests.send(toSend(request));
      await first.release();
      expect(note(operation, second, 409, 'idempotency_key_in_use')).toBeUndefined();
      expect((await first.answer).status).toBeLessThan(400);
    });
  },
);

test('408 request_timeout for every operation with a body', async () => {
  const withBody = operations.filter(({ body }) => body);
  const faults = await inParallel(
    withBody,
    async (operation) => {
      const request = withToken(toSend(await requests.valid(operation)), world.owner.token);
      const answer = await raw(api.baseUrl, `${headOf(request)}${request.body?.slice(0, 10)}`);
      return note(operation, answer, 408, 'request_timeout');
    },
    withBody.length,
  );
  expect(faults.filter(Boolean)).toEqual([]);
});

test('429 rate_limit_exceeded for every operation', async () => {
  const narrowRequests = requestsOf(narrow);
  for (const operation of operations) {
    const request = toSend(await narrowRequests.valid(operation));
    const token = await narrow.given.token({
      user: narrow.world.owner,
      homeWorkspace: narrow.world.workspace,
    });
    let answer = await narrowRequests.send(request, token);
    for (let more = 0; more < 3 && answer.status !== 429; more++)
      answer = await narrowRequests.send(request, token);
    expect(note(operation, answer, 429, 'rate_limit_exceeded')).toBeUndefined();
  }
});

test('403 sandbox_only for operations of the sandbox, in production', async () => {
  for (const { operation, status, code } of documented.filter((one) => one.code === 'sandbox_only')) {
    const { owner: user, workspace: homeWorkspace } = narrow.world;
    const request = toSend(await requestsOf(narrow).valid(operation));
    const answer = await send(
      narrow.baseUrl,
      withToken(request, await narrow.given.token({ user, homeWorkspace })),
    );
    expect(note(operation, answer, status, code)).toBeUndefined();
  }
});

test('429 mail_limit_exceeded for sendLink', async () => {
  const operation = operations.find(({ id }) => id === 'sendLink') as Operation;
  const request = toSend(await requests.valid(operation));
  for (let sent = 0; sent < 10; sent++) expect((await requests.send(request)).status).toBe(201);
  expect(note(operation, await requests.send(request), 429, 'mail_limit_exceeded')).toBeUndefined();
});

/** During an outage, operations respond with this status; afterwards they work again and nothing was stored. */
function during(
  name: string,
  fault: Fault,
  operations: Operation[],
  status: (operation: Operation) => number,
) {
  describe(name, () => {
    const begun: [Operation, Sent][] = [];
    let before: unknown;
    beforeAll(async () => {
      for (const operation of operations) begun.push([operation, toSend(await requests.valid(operation))]);
      before = await stored(api);
      await fault.begin();
    });

    test('is reported with its status and stores nothing', async () => {
      const faults = await inParallel(begun, async ([operation, request]) => {
        const expected = status(operation);
        const code =
          { 500: 'internal_error', 502: 'upstream_unavailable' }[expected] ?? 'service_unavailable';
        return note(operation, await requests.send(request), expected, code);
      });
      await fault.end();
      expect(faults.filter(Boolean)).toEqual([]);
      expect(await stored(api), 'what failed has left something behind').toEqual(before);
    });

    test('leaves operations working afterwards', async () => {
      const faults = await inParallel(begun, async ([operation, request]) => {
        const { status, text } = await requests.send(request);
        return status < 400 ? undefined : `${operation.id}: ${status} ${text}`;
      });
      expect(faults.filter(Boolean)).toEqual([]);
    });
  });
}

const ofStore = ({ responses }: Operation) => (responses.has(502) ? 502 : 503);
const changing = operations.filter(({ method, secured }) => method !== 'GET' && secured);
const uploads = operations.filter(isForm);
const downloads = operations.filter(({ responses }) => responses.has(206));
const blobs = join(api.dataDirectory, 'blobs', 'production');

during('a database that cannot be reached', fragile.line, operations, ofStore);
// One that identifies callers, and one that a public operation reads.
during('tables that are lost', tableLost(fragile, 'users', 'webhook_keys'), operations, () => 500);
during('an outbox that is lost, late in a change', tableLost(fragile, 'events'), changing, () => 500);
const incoming = onS3() ? await realpath(join(blobs, '..')) : join(blobs, 'incoming');
during('a disk or a bucket that takes nothing', directoryLost(incoming), uploads, () => 503);
during('files that are lost', directoryLost(join(blobs, 'blobs')), downloads, () => 500);

test('a database that fails during changes: 503, and no change is stored', async () => {
  const begun = await inParallel(changing, async (operation) => ({
    operation,
    request: toSend(await requests.valid(operation)),
  }));
  const before = await stored(api);
  await fragile.query('begin; lock table production.events in access exclusive mode');
  const sent = api.statements.length;
  const answers = begun.map(async ({ operation, request }) =>
    note(operation, await requests.send(request), 503, 'service_unavailable'),
  );
  await until(() => api.statements.slice(sent).some((text) => /insert into "?events/.test(text)));
  await waiting();
  await fragile.line.begin();
  // Otherwise they would go on to the commit, which they have received.
  await fragile.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  await fragile.query('rollback');
  const faults = await Promise.all(answers);
  await fragile.line.end();
  expect(faults.filter(Boolean)).toEqual([]);
  const { files, ...rows } = await stored(api);
  const { files: filesBefore, ...rowsBefore } = before;
  expect(rows).toEqual(rowsBefore);
  // A commit may have happened without an acknowledgement: then the sweeper decides about the files.
  expect(files).toEqual(expect.arrayContaining(filesBefore as string[]));
  expect((await inParallel(changing, succeeds)).filter(Boolean)).toEqual([]);
});

test('has seen every refusal that the contract documents', () => {
  const missing = documented
    .map(({ operation, status, code }) => nameOf(operation.id, status, code))
    .filter((name) => !seen.has(name));
  const how =
    'These refusals are documented by an example in spec/, and no test here has seen them. Add a way to ' +
    'test/sweeps/support/ways.ts (or the state that it needs), or take the example out of the contract';
  expect(missing, how).toEqual([]);
});

async function waiting(): Promise<void> {
  await until(async () => {
    const count = api.statements.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return api.statements.length === count;
  });
}

/** Starts a change and keeps it from ending. */
async function stalled(begin: () => Promise<Received>) {
  await fragile.query('begin; lock table production.events in access exclusive mode');
  const before = api.statements.length;
  const answer = begin();
  await until(() => api.statements.slice(before).some((text) => /insert into "?events/.test(text)));
  return { answer, release: () => fragile.query('rollback') };
}

async function makeMeans(): Promise<Means> {
  const { owner, organization, workspace } = world;
  const manager = await given.caller({ organization, homeWorkspace: workspace });
  await given.membership({ workspace, user: manager, role: 'manager' });
  const peopleOfficer = await given.user({ organization });
  const peopleDesk = await given.workspaceRole({
    ...{ workspace, name: 'People desk', relations: ['can_manage_users'] },
    on: { resourceType: 'organization', resourceId: organization.id },
  });
  await given.membership({ workspace, user: peopleOfficer, role: { id: peopleDesk } });
  const workflows = workflowsOf(api);
  const key = await given.apiKey({ user: owner, homeWorkspace: workspace });
  const { data } = await api.anonymous.POST('/auth/authorize', { body: key });
  clock.forward(301_000);
  const { id: fullRecord } = await given.record({ table: world.table });
  await api.database
    .updateTable('records')
    .set({ attachment_count: 10_000 })
    .where('id', '=', fullRecord)
    .execute();
  const full = await given.workspace({ organization });
  await api.database
    .updateTable('workspaces')
    .set({ member_count: 10_000 })
    .where('id', '=', full.id)
    .execute();
  return {
    ...{ fullRecord, fullWorkspace: full.id, roleOfFull: full.roles.editor },
    exhausted: await givenExhausted(),
    ...{ owner, uploadLimit, outsider: world.outsider.token, admin: world.admin.token },
    ...{ manager: manager.token, peopleOfficer: peopleOfficer.id },
    expired: `Bearer ${data?.accessToken}`,
    activeUser: (await given.user({ organization })).id,
    runningExecution: await workflows.runningExecution(),
    endedExecution: await workflows.executionWithResult(),
    caseWithoutContact: await workflows.caseWithoutContact(),
    caseElsewhere: await workflows.caseElsewhere(),
  };
}

/** An organization with an exhausted storage quota. */
async function givenExhausted(): Promise<Means['exhausted']> {
  const { stranger, strangersWorkspace, strangersOrganization } = world;
  const table = await given.table({ workspace: strangersWorkspace });
  const record = await given.record({ table });
  await api.database
    .updateTable('organization_storage')
    .set({ resource_bytes: storageQuota })
    .where('organization_id', '=', strangersOrganization.id)
    .execute();
  return { token: stranger.token, tableId: table.id, recordId: record.id };
}
