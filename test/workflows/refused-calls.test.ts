import { expect, test } from 'vitest';
import { until } from '../support/waiting.ts';
import { workflowWorld } from './support.ts';

/** Calls may not go to this machine, to which `localhost` resolves. */
const { begin, executions, failureOf, log, historyOf } = await workflowWorld({ allowPrivateTargets: false });

test('a definition does not learn to what an internal name resolves, the operator does', async () => {
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
