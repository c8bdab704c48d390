import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type VerifyWebhook, WebhookVerificationError, webhookVerifier } from '@wrp/client';
import { CommandError, listenFault } from '../command-line/run-command.ts';

export interface Receiver {
  /** Below it the receiver tells of what it took: `{url}/{workflowId}/{type}`. */
  url: string;
  /** Where webhooks are to be sent. */
  webhookUrl: string;
  close(): void;
}

/** What is told of an event. */
interface Taken {
  type: string;
  /** The `kid` of its signature. */
  keyId: string;
  /** Whether its signature holds for its bytes, and for no other bytes. */
  genuine: boolean;
}

/**
 * Takes the webhooks of a platform and verifies them with its keys: what a description in Arazzo cannot do.
 *
 * @param port 0 takes any free one
 * @param baseUrl of the platform
 * @throws {CommandError} where the port is not to be had
 */
export async function startReceiver({ port, baseUrl }: { port: number; baseUrl: string }): Promise<Receiver> {
  const verify = webhookVerifier({ baseUrl });
  const events = new Map<string, Taken>();
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') await take(request, response, verify, events);
    else tell(request, response, events);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error) => {
    throw new CommandError(listenFault(error, port, '127.0.0.1', '--receive'));
  });
  const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    ...{ url: `${webhookUrl}events`, webhookUrl },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  verify: VerifyWebhook,
  events: Map<string, Taken>,
): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  try {
    const event = await verify(body, request.headers);
    const genuine = !(await holds(verify, Buffer.concat([body, Buffer.from(' ')]), request));
    const { workflowId } = event.data as { workflowId?: string };
    // Events can overtake each other, so each is kept by its type.
    events.set(`${workflowId}/${event.type}`, { type: event.type, keyId: keyIdOf(request), genuine });
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}

async function holds(verify: VerifyWebhook, body: Buffer, { headers }: IncomingMessage): Promise<boolean> {
  return verify(body, headers).then(
    () => true,
    () => false,
  );
}

function keyIdOf({ headers }: IncomingMessage): string {
  const [head = ''] = String(headers['webhook-signature']).split('.');
  return JSON.parse(Buffer.from(head, 'base64url').toString()).kid;
}

function tell({ url = '' }: IncomingMessage, response: ServerResponse, events: Map<string, Taken>): void {
  const taken = events.get(url.slice('/events/'.length));
  response.writeHead(taken ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(taken ?? { message: 'No event about that has come.' }));
}
