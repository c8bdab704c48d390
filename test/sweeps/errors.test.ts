import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, api as startApi } from '../support/api.ts';
import { headOf, inParallel, type Received, raw, type Sent, send } from '../support/raw-requests.ts';
import { onS3 } from '../support/s3.ts';
import { until } from '../support/waiting.ts';
import { advice, recording } from './support/advice.ts';
import { type Operation, operations } from './support/contract.ts';
import { alterations, type Fixtures, outagesOf, type Stage, sequences } from './support/error-cases.ts';
import { fragileDatabase } from './support/faults.ts';
import { codesOf, type ErrorBody, headError, parsed, refusalError } from './support/refusals.ts';
import {
  acceptanceError,
  assertAccepted,
  type Requests,
  requestsOf,
  toSend,
  withToken,
} from './support/requests.ts';
import { stored } from './support/stored.ts';
import { workflowsOf } from './support/workflows.ts';

/** Every error that the contract documents with an example occurs, and no other. */
const uploadLimit = 1000;
const storageQuota = 1_000_000;
const fragile = await fragileDatabase();
const [api, narrow] = await Promise.all([
  startApi({ databaseUrl: fragile.url, uploadLimit, storageQuota, bodyIdleSeconds: 2 }),
  startApi({ budgets: { requests: 2, uploads: 2, signIns: 2 }, pollable: ['sandbox'] }),
]);
const { given, world, clock } = api;
const requests = requestsTo(api);
const outages = await outagesOf(api, fragile);
const fixtures = await makeFixtures();
const stage = makeStage();

/** Every error of every operation: its status and code, of which the contract has an example. */
const documented = operations.flatMap((operation) =>
  [...operation.responses.values()]
    .filter(({ status }) => status >= 400)
    .flatMap(({ status, codes }) => codes.map((code) => ({ operation, error: `${status} ${code}` }))),
);
const hasOutage = ({ operation, error }: (typeof documented)[number]) =>
  outages.some((outage) => outage.operations.includes(operation) && outage.error(operation) === error);

const cases = 'test/sweeps/support/error-cases.ts';

describe.each(operations)('$id', (operation) => {
  test('accepts a valid request', async () => {
    assertAccepted(operation, await requests.send(toSend(await requests.valid(operation))));
  });

  test.each(documented.filter((one) => one.operation === operation && !hasOutage(one)))(
    '$error',
    async ({ error }) => {
      const response = await provoke(operation, error);
      const how = `Fix '${error}' in ${cases} for ${operation.id}, or take its example out of spec/`;
      expect(errorOf(operation, response, error), how).toBeUndefined();
    },
  );
});

/** @throws an error that says what to add, if nothing leads to the error */
async function provoke(operation: Operation, error: string): Promise<Received> {
  const sequence = sequences[error];
  if (sequence) return sequence(operation, stage);
  const alter = alterations[error];
  if (!alter)
    throw new Error(
      `No request leads to ${operation.id} ${error}, of which spec/ has an example. In ${cases}, add '${error}' to ` +
        '`alterations` if a change of one valid request leads to it; to `sequences` if it takes state or several ' +
        'requests, as for a name that is taken; to `outages` if something has to fail. If the ' +
        `operation cannot respond with it, take the example out of spec/paths/${operation.resource}.yaml.`,
    );
  const { token = world.owner.token, ...sent } = alter(await requests.valid(operation), fixtures);
  return sendTwice(api, withToken(sent, token || undefined));
}

/** What is wrong with a response that should be this error. */
function errorOf(operation: Operation, response: Received, error: string): string | undefined {
  const problem =
    refusalError(operation, response) ?? unlogged(response) ?? unlikeExample(operation, response, error);
  return problem && `${operation.id} ${error}: ${problem}`;
}

/** The response has the status, and its errors of that code the same fields as one in an example. */
function unlikeExample(operation: Operation, response: Received, error: string): string | undefined {
  const fields = (errors: readonly object[] = []) => errors.map((one) => Object.keys(one).sort().join());
  const ofCode = (value: unknown) =>
    (value as ErrorBody).errors.filter(({ code }) => error === `${response.status} ${code}`);
  const sent = fields(ofCode(parsed(response.text)));
  if (sent.length === 0) return `the response was ${response.status} ${codesOf(response)}`;
  const media = operation.responses.get(response.status)?.media ?? [];
  const shown = media.flatMap(({ examples }) => examples.flatMap(({ value }) => fields(ofCode(value))));
  return sent.every((one) => shown.includes(one)) ? undefined : `has ${sent}, its example ${shown}`;
}

/** The log has a line for the same error, and the cause of an internal one: during an outage its reason alone. */
function unlogged({ status, text }: Received): string | undefined {
  const { fingerprint } = parsed(text) as ErrorBody;
  const lines = api.log.concat(narrow.log).filter(({ requestId }) => requestId === fingerprint);
  if (!lines.some((line) => line['msg'] === 'request completed' && line['status'] === status))
    return `${status} has no line in the log with its fingerprint ${fingerprint}`;
  if (status >= 500 && !lines.some((line) => line['msg'] === 'failed' && (line['err'] ?? line['reason'])))
    return `${status} has no line in the log that says why, with its fingerprint ${fingerprint}`;
  return undefined;
}

/** What a valid request is refused with. */
async function refusal(operation: Operation): Promise<string | undefined> {
  return acceptanceError(operation, await requests.send(toSend(await requests.valid(operation))));
}

describe.each(outages)('$name', ({ fault, operations, error, rule }) => {
  const begun = new Map<Operation, Sent>();
  let before: unknown;
  beforeAll(async () => {
    for (const operation of operations) begun.set(operation, toSend(await requests.valid(operation)));
    before = await stored(api);
  });

  describe('is reported', () => {
    beforeAll(fault.begin);
    afterAll(fault.end);
    test.each(operations.map((operation) => ({ operation, id: operation.id, error: error(operation) })))(
      '$id $error',
      async ({ operation, error }) => {
        const response = await requests.send(begun.get(operation) as Sent);
        expect(errorOf(operation, response, error), advice(rule, operation)).toBeUndefined();
      },
    );
  });

  test('stores nothing', async () => {
    const how = 'what failed has left something behind: write it in the transaction of the request';
    expect(await stored(api), how).toEqual(before);
  });

  test('leaves operations working afterwards', async () => {
    const problems = await inParallel([...begun], async ([operation, request]) =>
      acceptanceError(operation, await requests.send(request)),
    );
    expect(problems.filter(Boolean)).toEqual([]);
  });
});

test('a database that fails during changes: 503, and no change is stored', async () => {
  const begun = await inParallel(recording, async (operation) => ({
    operation,
    request: toSend(await requests.valid(operation)),
  }));
  const before = await stored(api);
  await fragile.query('begin; lock table production.events in access exclusive mode');
  const sent = api.statements.length;
  const responses = begun.map(async ({ operation, request }) =>
    errorOf(operation, await requests.send(request), '503 service_unavailable'),
  );
  await until(() => api.statements.slice(sent).some((text) => /insert into "?events/.test(text)));
  await waiting();
  await fragile.line.begin();
  // Otherwise they would go on to the commit, which they have received.
  await fragile.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  await fragile.query('rollback');
  const problems = await Promise.all(responses);
  await fragile.line.end();
  expect(problems.filter(Boolean)).toEqual([]);
  const { files, ...rows } = await stored(api);
  const { files: filesBefore, ...rowsBefore } = before;
  expect(rows).toEqual(rowsBefore);
  // A commit may have happened without an acknowledgement: then the sweeper decides about the files.
  expect(files).toEqual(expect.arrayContaining(filesBefore as string[]));
  expect((await inParallel(recording, refusal)).filter(Boolean)).toEqual([]);
});

test.each(operations)(
  '$id responds as documented to requests that are errors of other operations',
  async (operation) => {
    const own = documented.filter((one) => one.operation === operation).map(({ error }) => error);
    assertAccepted(operation, await requests.send(toSend(await requests.valid(operation))));
    let valid = await requests.valid(operation);
    for (const [error, alter] of Object.entries(alterations)) {
      const { token, ...sent } = alter(valid, fixtures);
      // The operation has none of the parts that the error is about.
      const isValid = token === undefined && isDeepStrictEqual(sent, toSend(valid));
      if (isValid || own.includes(error)) continue;
      const response = await sendTwice(api, withToken(sent, (token ?? world.owner.token) || undefined));
      if (response.status < 400) valid = await requests.valid(operation);
      else expect(refusalError(operation, response), `the request for ${error}`).toBeUndefined();
    }
    expect(await refusal(operation), 'one of these requests has broken the platform').toBeUndefined();
  },
);

test('every case of the sweep produces a documented error', () => {
  const names = new Set(documented.map(({ error }) => error));
  const unknown = Object.keys({ ...alterations, ...sequences }).filter((error) => !names.has(error));
  expect(unknown, `no operation has an example of these: take them out of ${cases}`).toEqual([]);
});

/** A GET that is refused is repeated as HEAD, which must have the same response without a body. */
async function sendTwice({ baseUrl }: Api, request: Sent): Promise<Received> {
  const response = await send(baseUrl, request);
  // RFC 9110, 14.2: Range is defined for GET only.
  if (request.method !== 'GET' || response.status < 400 || response.status === 416) return response;
  const head = await send(baseUrl, { ...request, method: 'HEAD' });
  // The GET may have been the last request of the budget; another server may have some of it left.
  const isElsewhere = onS3() && response.status === 429;
  if (head.status !== 429 && !isElsewhere) expect(headError(response, head)).toBeUndefined();
  return response;
}

function requestsTo(platform: Api): Requests {
  const { valid } = requestsOf(platform);
  return {
    valid,
    send: (request, token = platform.world.owner.token) => sendTwice(platform, withToken(request, token)),
  };
}

function makeStage(): Stage {
  const timedOut = new Map<Operation, Promise<Received>>();
  const toNarrow = requestsTo(narrow);
  return {
    requests,
    narrow: {
      ...toNarrow,
      valid(operation) {
        // A request that creates an object needs a budget of its own.
        narrow.clock.forward(61_000);
        return toNarrow.valid(operation);
      },
    },
    narrowToken: () =>
      narrow.given.token({ user: narrow.world.owner, homeWorkspace: narrow.world.workspace }),
    keepOpen,
    async sendPart(operation) {
      // All at once, because each takes as long as the timeout.
      if (timedOut.size === 0)
        for (const each of operations.filter(({ body }) => body)) timedOut.set(each, sendPart(each));
      return timedOut.get(operation) as Promise<Received>;
    },
  };
}

async function sendPart(operation: Operation): Promise<Received> {
  const request = withToken(toSend(await requests.valid(operation)), world.owner.token);
  return raw(api.baseUrl, `${headOf(request)}${request.body?.slice(0, 10)}`);
}

async function waiting(): Promise<void> {
  await until(async () => {
    const count = api.statements.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return api.statements.length === count;
  });
}

async function keepOpen(operation: Operation, begin: () => Promise<Received>) {
  await fragile.query('begin; lock table production.events in access exclusive mode');
  const before = api.statements.length;
  const response = begin();
  const early = response.then(async (received) => {
    // Otherwise every later change would wait for the lock.
    await fragile.query('rollback');
    assertAccepted(operation, received);
    throw new Error(`The change ended before it recorded an event: ${received.status} ${received.text}`);
  });
  const recorded = until(() =>
    api.statements.slice(before).some((text) => /insert into "?events/.test(text)),
  );
  await Promise.race([recorded, early]);
  early.catch(() => {});
  return { response, release: () => fragile.query('rollback') };
}

async function makeFixtures(): Promise<Fixtures> {
  const { owner, organization, workspace } = world;
  const manager = await given.caller({ organization, homeWorkspace: workspace });
  await given.membership({ workspace, user: manager, role: 'manager' });
  const peopleOfficer = await given.user({ organization });
  const peopleDesk = await given.workspaceRole({
    workspace,
    name: 'People desk',
    relations: ['can_manage_users'],
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
    fullRecord,
    fullWorkspace: full.id,
    roleOfFull: full.roles.editor,
    exhausted: await givenExhausted(),
    owner,
    uploadLimit,
    outsider: world.outsider.token,
    admin: world.admin.token,
    manager: manager.token,
    peopleOfficer: peopleOfficer.id,
    expired: `Bearer ${data?.accessToken}`,
    activeUser: (await given.user({ organization })).id,
    runningExecution: await workflows.runningExecution(),
    endedExecution: await workflows.executionWithResult(),
    caseWithoutContact: await workflows.caseWithoutContact(),
    caseElsewhere: await workflows.caseElsewhere(),
    unusableForm: await workflows.unusableForm(),
  };
}

/** An organization with an exhausted storage quota. */
async function givenExhausted(): Promise<Fixtures['exhausted']> {
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
