import { beforeAll, describe, expect, test } from 'vitest';
import { expensiveBodies } from '../../scripts/prove/attack/inputs/bodies.ts';
import { send } from '../../scripts/prove/attack/send.ts';
import type { Api } from '../support/api.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { type Operation, operations } from '../sweeps/support/contract.ts';
import { requestsOf, toSend, withToken } from '../sweeps/support/requests.ts';

/** Expects that no body of these operations occupies the event loop for more than 50 ms. */
export function testHostileBodies({
  api,
  takes,
}: {
  api: Api;
  takes: (operation: Operation) => boolean;
}): void {
  const requests = requestsOf(api);
  const { token } = api.world.owner;
  const tested = operations.filter(({ body }) => body?.type === 'application/json').filter(takes);

  beforeAll(async () => {
    // Loading and compiling for the first time is not measured.
    for (const operation of tested) {
      await requests.send(toSend(await requests.valid(operation)), token);
    }
  });

  describe.each(tested)('$id, whatever its body holds', (operation) => {
    test.each(Object.entries(expensiveBodies))('%s', async (_what, json) => {
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
