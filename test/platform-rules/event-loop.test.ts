import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { times } from '../support/hostile/bodies.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { send } from '../support/raw-requests.ts';
import { codesOf } from '../sweeps/support/refusals.ts';
import { testHostileBodies } from './hostile-bodies.ts';

const api = await startApi();
const { world, owner, baseUrl, given } = api;
const { token } = world.owner;

// Other bodies and operations, the pages of links, and a check that is stopped: event-loop.slow.test.ts.
testHostileBodies(api, 'sample');

describe('a body of many values', () => {
  const post = (parameters: string) =>
    send(baseUrl, {
      method: 'POST',
      target: '/parameters',
      headers: { Authorization: token, 'Content-Type': 'application/json' },
      body: `{"workflowDefinitionId":"${world.workflowDefinition.id}","parameters":${parameters}}`,
    });

  test.each([
    ['15,000 different short texts', JSON.stringify(times(14_990, String)), 201],
    ['more', JSON.stringify(times(15_001, String)), 400],
    ['more long ones', JSON.stringify(times(50_000, (index) => `a text ${index + 100_000}`)), 201],
    ['the same names again and again', JSON.stringify(times(30_000, (a) => ({ a, b: 'c' }))), 201],
    ['200,000 values', JSON.stringify(times(199_000, () => 1)), 201],
    ['more values', JSON.stringify(times(200_001, () => 1)), 400],
  ])('%s', async (_what, parameters, status) => {
    const response = await post(parameters);
    expect(response.status).toBe(status);
    if (status === 400) {
      const message = expect.stringMatching(
        /^The body has more than (15,000 different names and short texts|200,000 values|10,000 different comb)/,
      );
      expect(JSON.parse(response.text).errors).toEqual([{ code: 'body_invalid', message }]);
    }
  });
});

describe('an expensive header or URL', () => {
  const zeros = '0'.repeat(12_000);
  const users = '/organizations/users';
  const resource = `/resources/${randomUUID()}`;

  test.each<
    [what: string, statuses: number[], target: string, headers?: Record<string, string>, method?: string]
  >([
    ['a token of 12,000 digits', [401], users, { Authorization: `tot_${zeros}` }],
    ['a token of 12,000 spaces', [401], users, { Authorization: `tot_${' '.repeat(12_000)}x` }],
    ['a bearer token of 6,000 dots', [401], users, { Authorization: `Bearer ${'a.'.repeat(6_000)}` }],
    ['a bearer scheme and spaces', [401], users, { Authorization: `Bearer${' '.repeat(12_000)}x` }],
    ['an Idempotency-Key of 12,000 digits', [400], '/parameters', { 'Idempotency-Key': zeros }, 'POST'],
    [
      'a media type of 3,000 parameters',
      [400, 415],
      '/parameters',
      { 'Content-Type': `application/json${';a=b'.repeat(3_000)}` },
      'POST',
    ],
    [
      'a form of 1,000 boundaries',
      [400, 415],
      '/resources',
      { 'Content-Type': `multipart/form-data${';boundary=a'.repeat(1_000)}` },
      'POST',
    ],
    ['3,000 ranges', [404], resource, { Range: `bytes=${'0-0,'.repeat(3_000)}1-1` }],
    ['3,000 entity tags', [404], resource, { 'If-None-Match': `${'"a",'.repeat(3_000)}"b"` }],
    ['1,200 accepted media types', [200], users, { Accept: `${'a/b;q=0.1,'.repeat(1_200)}*/*` }],
    ['1,200 forwarded addresses', [200], users, { 'X-Forwarded-For': `${'127.0.0.1,'.repeat(1_200)}::1` }],
    ['a page of 6,000 digits', [400], `${users}?page=${'9'.repeat(6_000)}`],
    ['a page of 6,000 digits and a letter', [400], `${users}?page=${'1'.repeat(6_000)}x`],
    ['2,000 unknown parameters', [400], `${users}?${'a&'.repeat(2_000)}`],
    ['a parameter 1,000 times', [400], `${users}?${'page=1&'.repeat(1_000)}`],
    ['nested parameters', [400], `${users}?page${'[a]'.repeat(2_000)}=1`],
    ['a path of 6,000 slashes', [404], '/'.repeat(6_000)],
    ['a path of 3,000 escapes', [400, 404], `/workflows/${'%2e'.repeat(3_000)}`],
    ['a path that is not UTF-8', [400, 404], `/workflows/${'%f0'.repeat(3_000)}`],
    ['an identifier of 12,000 digits', [400, 404], `/workflows/${zeros}`],
    ['a path of dots', [404], `${'/..'.repeat(3_000)}/etc/passwd`],
  ])('is refused or ignored in time: %s', async (_what, statuses, target, headers = {}, method = 'GET') => {
    const response = await expectShortStretches(() =>
      send(baseUrl, { method, target, headers: { Authorization: token, ...headers } }),
    );
    expect(statuses, response.text).toContain(response.status);
    if (response.status >= 400) expect(codesOf(response)).not.toEqual([]);
  });
});

test('startWorkflow reports an invalid name of 2,000 characters with a shortened pointer', async () => {
  const definition = await given.workflowDefinition({
    workspace: world.workspace,
    inputSchema: { additionalProperties: { type: 'string' } },
  });
  const body = { workflowDefinitionId: definition.id, parameters: { ['n'.repeat(2_000)]: 1 } };
  const { error, response } = await owner.POST('/workflows', { body });
  expect([response.status, error?.errors[0]?.pointer]).toEqual([400, '/parameters']);
});
