import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { inputsOfMock } from '../../scripts/spec/journeys/inputs.ts';
import { readJourneys } from '../../scripts/spec/journeys/journeys.ts';
import { report } from '../../scripts/spec/journeys/report.ts';
import { runJourneys } from '../../scripts/spec/journeys/respect.ts';
import { scaledTimeout } from '../support/timeout.ts';

const journeys = await readJourneys();

describe('the mock', () => {
  let to = '';
  beforeAll(async () => {
    const { server } = await createMock(contract as unknown as Contract);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    afterAll(() => void server.close());
    to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  test(
    'runs the journeys that need no state; a journey that needs state fails',
    async () => {
      // The mock does not remember who is active or terminated.
      const withState = 'reinstate-an-active-user';
      const outcome = await runJourneys({
        journeys: journeys.map((journey) => ({
          ...journey,
          stateless: journey.stateless || journey.workflow === withState,
        })),
        to,
        inputs: { ...inputsOfMock(contract as unknown as Contract), baseUrl: to },
        stateless: true,
      });
      const { passed = [], failed = [] } = Object.groupBy(outcome.journeys, ({ result }) => result);
      const stateless = journeys.filter(({ stateless }) => stateless);
      expect(passed.map(({ workflow }) => workflow)).toEqual(stateless.map(({ workflow }) => workflow));
      expect(failed.map(({ workflow }) => workflow)).toEqual([withState]);
      expect(report(outcome)).toMatch(
        /✗ reinstate-an-active-user .*\n {6}step reinstate: POST .* returned 200 \(Request-Id .+\); not met: \$statusCode == 409, .*\n/,
      );
      expect(report(outcome)).toContain('– fetch-a-result            needs a platform that keeps state');
    },
    scaledTimeout(120_000),
  );
});
