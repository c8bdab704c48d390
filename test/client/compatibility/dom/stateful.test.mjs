/** A test of somebody else, with the packed client and the stateful mock, in an environment of Vitest. */
import { apiKey, createClient, unwrap, uploadResource, waitForResult } from '@wrp/client';
import { startMock } from '@wrp/mock';
import { expect, onTestFinished, test } from 'vitest';

test('the stateful mock signs in, stores a file and runs a workflow', { timeout: 60_000 }, async () => {
  const mock = await startMock({ stateful: true });
  onTestFinished(() => mock.close());
  const { apiKey: key, ids } = mock.description;
  const client = createClient({ baseUrl: mock.url, token: apiKey(key), retries: 0 });
  const file = new TextEncoder().encode('the bytes ✓');
  const { resourceId } = await uploadResource(client, file, { name: 'terms.txt' });
  const body = { workflowDefinitionId: ids.definitions.echo, parameters: { resourceId } };
  const { id } = await unwrap(client.POST('/workflows', { body }));
  expect(await waitForResult(client, id)).toHaveProperty('parameters', { resourceId });
});
