import { expect, test } from 'vitest';
import { until } from '../support/waiting.ts';
import { workflowWorld } from './support.ts';

/** Calls to this machine, which `localhost` resolves to, are not allowed. */
const { begin, executions, failureOf, log, historyOf } = await workflowWorld({ allowPrivateTargets: false });

test('the address of an internal name is logged for the operator and hidden from the definition', async () => {
  const call = {
    Type: 'Task',
    Resource: 'wrp:http:call',
    Arguments: { url: 'http://localhost:9/' },
    End: true,
  };
  const { id } = await begin({ Call: call });
  await executions.ended({ id }, 'FAILED');
  expect(await failureOf(id)).toEqual({ error: 'Http.Refused', cause: 'The address is not public.' });
  expect(JSON.stringify(await historyOf(id))).not.toMatch(/127\.0\.0\.1|::1/);
  await until(async () => log.find(({ host, address }) => host === 'localhost' && address));
});
