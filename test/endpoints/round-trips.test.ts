import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { bodyOf } from '../support/responses.ts';
import { type Operation, operations } from '../sweeps/support/contract.ts';
import { assertAccepted, requestsOf, toSend } from '../sweeps/support/requests.ts';

/**
 * A round trip to the database is what a request costs most. A read takes one for who calls and whether it
 * may, and one for what it reads; a change, one transaction, whose `begin` and `commit` share round trips.
 */
const platform = await api();
const { owner, member, stranger, anonymous, world, statements } = platform;
const requests = requestsOf(platform);

beforeEach(() => {
  statements.length = 0;
});

/** The first words of the statements of each round trip that a valid request takes. */
async function tripsOf(operation: Operation): Promise<string[][]> {
  const request = toSend(await requests.valid(operation));
  statements.length = 0;
  const response = await requests.send(request);
  const words = (trip: string) =>
    trip.split('; ').map((statement) => statement.trim().split(/\s/, 1)[0]?.toLowerCase() ?? '');
  const sent = statements.map(words);
  assertAccepted(operation, response);
  return sent;
}

const reads = operations.filter(({ method }) => method.toLowerCase() === 'get');
const changes = operations.filter(({ method }) => method.toLowerCase() !== 'get');

describe('a read takes at most two round trips and changes nothing:', () => {
  test.each(reads.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const trips = await tripsOf(operation);
    expect(trips.length).toBeLessThanOrEqual(2);
    for (const word of trips.flat()) expect(['with', 'select']).toContain(word);
  });
});

describe('a change is one transaction after the caller is identified:', () => {
  test.each(changes.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const trips = await tripsOf(operation);
    const begin = trips.findIndex(([first]) => first === 'begin');
    expect(begin).not.toBe(-1);
    expect(trips[begin]?.length, 'begin has no round trip of its own').toBeGreaterThan(1);
    const words = trips.flat();
    expect(words.indexOf('commit'), 'nothing comes after the commit').toBe(words.length - 1);
    expect(
      words.filter((word) => word === 'begin'),
      'there is no other transaction',
    ).toHaveLength(1);
    const before = trips.slice(0, begin).flat();
    for (const word of before) expect(word, 'only who calls is asked before').toBe('with');
    // Where the body names the object, the permission is checked again once the body is read.
    const atMost = !operation.secured ? 0 : operation.template.includes('{') ? 1 : 2;
    expect(before.length).toBeLessThanOrEqual(atMost);
  });
});

const tripsOfId = (id: string) => tripsOf(operations.find((one) => one.id === id) as Operation);

test('getUser takes one round trip, and updateUserProfile three', async () => {
  expect(await tripsOfId('getUser')).toEqual([['with']]);
  // The last one has the event and the entry of the audit log.
  const last = ['insert', 'insert', 'commit'];
  expect(await tripsOfId('updateUserProfile')).toEqual([['with'], ['begin', 'update'], last]);
});

test('startWorkflow takes four round trips: one reads all that it needs, and one sends all that it adds', async () => {
  expect(await tripsOfId('startWorkflow')).toEqual([
    ['with'],
    ['with'],
    ['begin', 'select'],
    ['with', 'insert', 'insert', 'commit'],
  ]);
});

test('a request without a credential, or with a malformed token, takes no round trip', async () => {
  await bodyOf(401, anonymous.GET('/organizations/workspaces'));
  const getWith = (Authorization: string) =>
    owner.fetch('/organizations/workspaces', { headers: { Authorization } });
  await bodyOf(401, getWith('tot_00000000000000000000000000000000000000'));
  await bodyOf(401, getWith('Bearer e30.e30.e30'));
  expect(statements).toEqual([]);
});

test('a refusal with 403 or 404 takes one round trip', async () => {
  const params = { path: { userId: world.admin.id } };
  await bodyOf(403, member.GET('/organizations/users/{userId}', { params }));
  await bodyOf(404, stranger.POST('/organizations/users/{userId}/terminate', { params }));
  expect(statements).toHaveLength(2);
});
