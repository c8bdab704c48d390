import { describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { api as startApi } from '../support/api.ts';
import { demoPlatform } from '../support/demo.ts';
import { inParallel } from '../support/raw-requests.ts';
import { operations } from '../sweeps/support/contract.ts';
import { served, statefulMock, theBundle } from './support.ts';
import { casesOn } from './sweep/cases.ts';
import { differencesOf } from './sweep/compare.ts';
import { allReasons, reasonsFor } from './sweep/differences.ts';

/** Every case of every operation; `differences.test.ts` sends a sample. */
const demo = await demoPlatform({ refusedAttempts: 1_000_000 });
const api = await startApi();
const stateless = await served((await exampleMock(await theBundle())).listener);
const { baseUrl: stateful } = await statefulMock();

describe('without state, the mock differs from the platform only as the guide says', async () => {
  const casesOf = await casesOn({ mockUrl: stateless, demo, api });
  const needed = new Set<string>();

  test.each(operations)('$id', async (operation) => {
    const found = await inParallel(casesOf(operation), async (one) => {
      const unexplained = (await differencesOf(one)).filter((difference) => {
        const reasons = reasonsFor(one, difference);
        for (const reason of reasons) needed.add(reason);
        return reasons.length === 0;
      });
      return unexplained.map((difference) => `${one.what}: ${difference}`);
    });
    expect(
      found.flat(),
      'change the mock, or add to test/mock/sweep/differences.ts and to the guide',
    ).toEqual([]);
  });

  test('and in every point that the guide lists', () => {
    expect(allReasons.filter((reason) => !needed.has(reason))).toEqual([]);
  });
});

/** The platform's own handlers respond. What is compared is the front: a path, a header or a body that it changes. */
describe('with state, the mock differs from the platform only in callers and origins', async () => {
  const casesOf = await casesOn({ mockUrl: stateful, demo, api });

  test.each(operations)('$id', async (operation) => {
    const cases = casesOf(operation).filter(
      ({ isSame, what }) => isSame && !/^Authorization: |^a preflight from https:/.test(what),
    );
    const found = await inParallel(cases, async (one) =>
      (await differencesOf(one)).map((difference) => `${one.what}: ${difference}`),
    );
    expect(found.flat()).toEqual([]);
  });
});
