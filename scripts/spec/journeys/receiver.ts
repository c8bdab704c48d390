import type { IncomingMessage, ServerResponse } from 'node:http';
import { type VerifyWebhook, WebhookVerificationError, webhookVerifier } from '@wrp/client';
import { guardedServer } from '../../../server/http-server/index.ts';
import { listen } from '../../command-line/local-server.ts';

export interface Receiver {
  /** `{url}/{workflowId}/{type}` describes the event that was received. */
  url: string;
  /** Where webhooks are to be sent. */
  webhookUrl: string;
  close(): void;
}

/** How a received event is described. */
interface Received {
  type: string;
  /** The `kid` of its signature. */
  keyId: string;
  /** Whether its signature is valid for its bytes, and for no other bytes. */
  genuine: boolean;
}

/**
 * Receives the webhooks of a platform and verifies them with its keys, which an Arazzo description cannot do.
 *
 * @param port 0 for any free port
 * @param baseUrl of the platform
 * @throws {CommandError} if it cannot listen on the port
 */
export async function startReceiver({ port, baseUrl }: { port: number; baseUrl: string }): Promise<Receiver> {
  const verify = webhookVerifier({ baseUrl });
  const events = new Map<string, Received>();
  const server = guardedServer(async (request, response) => {
    if (request.method === 'POST') await receive(request, response, verify, events);
    else describe(request, response, events);
  });
  const webhookUrl = `${await listen(server, port, '--receive')}/`;
  return {
    url: `${webhookUrl}events`,
    webhookUrl,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  verify: VerifyWebhook,
  events: Map<string, Received>,
): Promise<void> {
  const body = Buffer.concat(await request.toArray());
  try {
    const event = await verify(body, request.headers);
    const genuine = !(await isValid(verify, Buffer.concat([body, Buffer.from(' ')]), request));
    const { workflowId } = event.data as { workflowId?: string };
    events.set(`${workflowId}/${event.type}`, { type: event.type, keyId: keyIdOf(request), genuine });
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
}

async function isValid(verify: VerifyWebhook, body: Buffer, { headers }: IncomingMessage): Promise<boolean> {
  return verify(body, headers).then(
    () => true,
    () => false,
  );
}

function keyIdOf({ headers }: IncomingMessage): string {
  const [head = ''] = String(headers['webhook-signature']).split('.');
  return JSON.parse(Buffer.from(head, 'base64url').toString()).kid;
}

function describe(
  { url = '' }: IncomingMessage,
  response: ServerResponse,
  events: Map<string, Received>,
): void {
  const received = events.get(url.slice('/events/'.length));
  response.writeHead(received ? 200 : 404, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(received ?? { message: 'No such event was received.' }));
}
