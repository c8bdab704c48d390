import { describe, expect, test } from 'vitest';
import { times } from '../../scripts/prove/attack/inputs/bodies.ts';
import { send } from '../../scripts/prove/attack/send.ts';
import { api as startApi } from '../support/api.ts';
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

test('refuses a start with a name of 2,000 characters by a shortened pointer', async () => {
  const definition = await given.workflowDefinition({
    workspace: world.workspace,
    inputSchema: { additionalProperties: { type: 'string' } },
  });
  const body = { workflowDefinitionId: definition.id, parameters: { ['n'.repeat(2_000)]: 1 } };
  const { error, response } = await owner.POST('/workflows', { body });
  expect([response.status, error?.errors[0]?.pointer]).toEqual([400, '/parameters']);
});
