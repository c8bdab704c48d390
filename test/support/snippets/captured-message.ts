import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registerDemoWebhook } from '../../../server/src/manifest/demo.ts';
import type { DemoPlatform } from '../demo.ts';
import type { SignedMessage } from './run-programs.ts';

const carried = ['content-type', 'webhook-signature', 'webhook-sandbox'];

/** A webhook that the platform has just signed and delivered: it is valid for five minutes. */
export async function capturedMessage({ database, baseUrl, demo }: DemoPlatform): Promise<SignedMessage> {
  const { promise, resolve } = Promise.withResolvers<SignedMessage>();
  const receiver = createServer(async (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => carried.includes(name)) as [
      string,
      string,
    ][];
    const chunks = await request.toArray();
    response.writeHead(204).end();
    resolve({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString() });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const { port } = receiver.address() as AddressInfo;
    await registerDemoWebhook(database, `http://127.0.0.1:${port}/`);
    await fetch(`${baseUrl}/parameters`, {
      method: 'POST',
      headers: { Authorization: demo.organizationToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ workflowDefinitionId: demo.workflowDefinitionId, parameters: {} }),
    });
    return await promise;
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}
