import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { refuse } from '../../../server/src/http/operation.ts';
import { Refused } from '../../../server/src/http/refused.ts';
import { closeAfterResponse, hasBody } from '../../../server/src/http/unread-body.ts';
import { allowAnyOrigin, exposedHeaders } from '../cross-origin.ts';
import { exampleFrontend } from '../example-frontend.ts';
import { appliedPreferences, delayOf, readPreferences } from '../examples/prefer.ts';
import type { Responder } from '../examples/responder.ts';
import { kidIn, servedWebhookKey } from '../webhook-keys.ts';
import { controlPath, type mockControls, readControlBody } from './controls.ts';
import type { Impersonate } from './credentials.ts';
import type { CompiledContract } from './platform.ts';

/** What the front needs for one contract. */
export interface FrontOptions {
  contract: CompiledContract;
  controls: ReturnType<typeof mockControls>;
  /** The current application; waits while the mock is reset. */
  app(): Promise<RequestListener>;
  impersonate: Impersonate;
}

/**
 * What a mock does and the platform never does, before the platform sees the request: any origin may call, unknown
 * credentials act as the owner, `Prefer` delays or replaces responses, and there are controls.
 */
export function statefulFront({ contract, controls, app, impersonate }: FrontOptions): RequestListener {
  const { document, compiled } = contract;
  const exposed = exposedHeaders(document);
  // Few runs need the examples.
  const loadExamples = () => import('../examples/responder.ts');
  let examples: Promise<Responder> | undefined;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (allowAnyOrigin(request, response, exposed)) return;
    if (await exampleFrontend(request, response)) return;
    const [path = ''] = (request.url ?? '').split('?');
    if (path === controlPath || path.startsWith(`${controlPath}/`)) {
      return control(request, response, path.slice(controlPath.length).replace(/\/$/, ''));
    }
    const preferences = readPreferences(request.headers['prefer']);
    const isSimulatorKey = request.method !== 'POST' && servedWebhookKey(kidIn(path) ?? '') !== undefined;
    if (preferences.code || preferences.example || preferences.dynamic === 'true' || isSimulatorKey) {
      examples ??= loadExamples().then(({ openResponder }) => openResponder(document, compiled));
      const { status, headers, body } = await (await examples)(request, response);
      response.writeHead(status, headers).end(body);
      return;
    }
    await delay(delayOf(preferences));
    for (const [name, value] of Object.entries(appliedPreferences(preferences))) {
      response.setHeader(name, value);
    }
    const authorization = await impersonate(request.headers.authorization);
    if (authorization !== undefined) request.headers.authorization = authorization;
    // The platform would apply its own CORS rules. Only the pages of links need the origin, for another purpose.
    if (!path.startsWith('/links/')) delete request.headers.origin;
    (await app())(request, response);
  };

  const control = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const found = controls[`${request.method} ${path}`];
    if (found) {
      const body = await found(await readControlBody(request));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(`${JSON.stringify(body, null, 2)}\n`);
      return;
    }
    const routes = Object.keys(controls).map((key) => key.split(' '));
    const allowed = routes.filter(([, known]) => known === path).map(([method]) => method);
    if (allowed.length === 0) throw new Refused(refuse(404, 'path_not_found'));
    throw new Refused(refuse(405, 'method_not_allowed'), { Allow: allowed.join(', ') });
  };

  const fail = async (request: IncomingMessage, response: ServerResponse, error: unknown) => {
    if (response.headersSent) return void response.destroy();
    const { errorResponse } = await loadExamples();
    if (hasBody(request)) closeAfterResponse(request, response);
    const { status, headers, body } = errorResponse(request, randomUUID(), error);
    response.writeHead(status, headers).end(body);
  };

  return (request, response) => {
    serve(request, response).catch((error) => fail(request, response, error));
  };
}
