import { beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../support/api.ts';
import { expensiveBodies } from '../support/hostile/bodies.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { send } from '../support/raw-requests.ts';
import { type Operation, operations } from '../sweeps/support/contract.ts';
import { requestsOf, toSend, withToken } from '../sweeps/support/requests.ts';

/** The bodies that `npm test` sends to one operation: many names, objects, values and levels, and text to normalize. */
const sample = [
  'as many names as are accepted',
  'an object of its own for each name',
  'as many small numbers as are accepted',
  'lists in lists, 199 deep',
  'one text that is not in NFC',
];

/**
 * Expects that no body of an operation occupies the event loop for more than 50 ms.
 *
 * @param which the sample of bodies for `createParameterSet`, or all others for every operation
 */
export function testHostileBodies(api: Api, which: 'sample' | 'others'): void {
  const requests = requestsOf(api);
  const { token } = api.world.owner;
  const isSampled = ({ id }: Operation) => id === 'createParameterSet';
  const tested = operations
    .filter(({ body }) => body?.type === 'application/json')
    .filter((operation) => which === 'others' || isSampled(operation));
  const bodiesFor = (operation: Operation) =>
    Object.entries(expensiveBodies).filter(
      ([what]) => (isSampled(operation) && sample.includes(what)) === (which === 'sample'),
    );

  beforeAll(async () => {
    // Loading and compiling for the first time is not measured.
    for (const operation of tested) {
      await requests.send(toSend(await requests.valid(operation)), token);
    }
  });

  describe.each(tested)('$id, whatever its body holds', (operation) => {
    test.each(bodiesFor(operation))('%s', async (_what, json) => {
      const valid = await requests.valid(operation);
      const { headers, ...request } = withToken(toSend(valid), token);
      // As the whole body, as each of its fields, and as an unknown field.
      const bodies = [
        json,
        ...Object.keys(valid.fields ?? {}).map((name) => with_(valid.fields ?? {}, name, json)),
      ];
      for (const body of [...bodies, `{"unknown":${json}}`].map((text) => Buffer.from(text))) {
        const response = await expectShortStretches(() =>
          send(api.baseUrl, {
            ...request,
            body,
            headers: { ...headers, 'Idempotency-Key': `${Math.random()}` },
          }),
        );
        expect(response.status, response.text).toBeLessThan(500);
      }
    });
  });
}

/** The body with other JSON for one of its fields. */
function with_(fields: object, name: string, json: string): string {
  const text = JSON.stringify({ ...fields, [name]: '@' });
  return text.replace('"@"', () => json);
}
