import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Contract } from '../../contract/source.ts';
import type { Answering } from '../answer.ts';
import { allowAnyOrigin, exposedHeaders } from '../cross-origin.ts';
import { exampleFrontend } from '../example-frontend.ts';
import { Refusal, type Refuse, refusing } from '../failure.ts';
import { appliedPreferences, readPreferences, waitOf } from '../prefer.ts';
import { replyTo } from '../reply.ts';
import { kidIn, servedWebhookKey } from '../webhook-keys.ts';
import { controlPath, type mockControls, readControlBody, writeJson } from './controls.ts';
import type { ActingAs } from './credentials.ts';

/** What stands in front of the platform for one contract. */
export interface FrontOptions {
  contract: Contract;
  controls: ReturnType<typeof mockControls>;
  /** The application that answers now; waits while the mock is reset. */
  app(): Promise<RequestListener>;
  actsAs: ActingAs;
}

/**
 * What a mock does that the platform never does, each before the platform sees the request: any origin may call,
 * unknown credentials act as the owner, answers are delayed or replaced on request, and there are controls.
 */
export function statefulFront(options: FrontOptions): RequestListener {
  const { contract, controls, app, actsAs } = options;
  const refuse = refusing(contract);
  const exposed = exposedHeaders(contract);
  let example: Promise<Answering> | undefined;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (allowAnyOrigin(request, response, exposed)) return;
    if (await exampleFrontend(request, response)) return;
    const [path = ''] = (request.url ?? '').split('?');
    if (path === controlPath || path.startsWith(`${controlPath}/`)) {
      return control(request, response, path.slice(controlPath.length).replace(/\/$/, ''));
    }
    const preferences = readPreferences(request.headers['prefer']);
    if (preferences.code ?? preferences.example ?? isSimulatorsKey(request.method, path)) {
      example ??= answeringExamples(contract);
      const { status, headers, body } = await (await example)(request);
      response.writeHead(status, headers).end(body);
      return;
    }
    const milliseconds = waitOf(preferences, refuse);
    if (milliseconds > 0) await delay(milliseconds);
    for (const [name, value] of Object.entries(appliedPreferences(preferences))) {
      response.setHeader(name, value);
    }
    await actAs(request, actsAs);
    // The platform answers its own origins in its own way; pages of links look at it for another reason.
    if (!path.startsWith('/links/')) delete request.headers.origin;
    (await app())(request, response);
  };

  const control = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const found = controls[`${request.method} ${path}`];
    if (found) {
      writeJson(response, 200, await found(await readControlBody(request, refuse), refuse));
      return;
    }
    const allowed = Object.keys(controls).filter((key) => key.slice(key.indexOf(' ') + 1) === path);
    if (allowed.length === 0) throw refuse(404, 'path_not_found');
    const methods = allowed.map((key) => key.slice(0, key.indexOf(' '))).join(', ');
    throw refuse(405, 'method_not_allowed', { headers: { Allow: methods } });
  };

  return (request, response) => {
    serve(request, response).catch((error) => fail(request, response, error, refuse));
  };
}

/** Prism takes a second to load and is asked for rarely: not at the start. */
async function answeringExamples(contract: Contract): Promise<Answering> {
  const { answering } = await import('../answer.ts');
  return answering(contract);
}

const isSimulatorsKey = (method: string | undefined, path: string) =>
  (method === 'GET' && servedWebhookKey(kidIn(path) ?? '') !== undefined) || undefined;

async function actAs(request: IncomingMessage, actsAs: ActingAs): Promise<void> {
  const authorization = await actsAs(request.headers.authorization);
  if (authorization !== undefined) request.headers.authorization = authorization;
}

/** A refusal in the contract's shape, as is a fault of the mock's own. */
function fail(request: IncomingMessage, response: ServerResponse, error: unknown, refuse: Refuse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const message = `The mock failed: ${error instanceof Error ? error.message : String(error)}`;
  const refusal =
    error instanceof Refusal ? error : refuse(500, 'internal_error', { message: message.slice(0, 1000) });
  const requestId = randomUUID();
  const { status, headers, body } = replyTo(request.headers, requestId, {
    ...{ status: refusal.status, headers: refusal.headers, mediaType: 'application/json' },
    body: { fingerprint: requestId, errors: refusal.items },
  });
  response.writeHead(status, headers).end(body);
}
