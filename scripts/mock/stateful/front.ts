import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { splitTarget } from '../../../server/contract/index.ts';
import { closeAfterResponse, hasBody, isOpenedByOtherSite } from '../../../server/http-server/index.ts';
import type { Control, Page } from '../controls.ts';
import { allowOrigin, exposedHeaders } from '../cross-origin.ts';
import { delayOf, readPreferences } from '../examples/prefer.ts';
import type { Responder } from '../examples/responder.ts';
import { applyFault, type Faults, pause } from '../faults.ts';
import { serveControl } from '../serve-controls.ts';
import { servedWebhookKey } from '../webhook-keys.ts';
import type { Impersonate } from './credentials.ts';
import type { CompiledContract } from './platform.ts';

/** What the front needs for one contract. */
export interface FrontOptions {
  contract: CompiledContract;
  controls: Record<string, Control>;
  faults: Faults;
  page: Page | undefined;
  /** The current application; waits while the mock is reset. */
  app(): Promise<RequestListener>;
  impersonate: Impersonate;
}

/**
 * What a mock does and the platform never does, before the platform sees the request: pages of other origins may call, unknown
 * credentials act as the owner, `Prefer` delays or replaces responses, and there are controls.
 */
export function statefulFront({
  contract,
  controls,
  faults,
  page,
  app,
  impersonate,
}: FrontOptions): RequestListener {
  const { document, compiled } = contract;
  const exposed = exposedHeaders(document);
  // Few runs need the examples.
  const loadExamples = () => import('../examples/responder.ts');
  let examples: Promise<Responder> | undefined;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (allowOrigin(request, response, exposed)) return;
    if (await page?.(request, response)) return;
    if (await serveControl(request, response, controls, faults)) return;
    const [path] = splitTarget(request.url ?? '/');
    const { method = 'GET' } = request;
    const fault = isOpenedByOtherSite(request) ? undefined : faults.take(method, path);
    const match = compiled.match(method, path);
    const documented = match?.operation?.statuses ?? [];
    if (fault && !(await applyFault(fault, { request, response, documented }))) return;
    const preferences = readPreferences(request.headers['prefer']);
    const keyId = match?.operation && match.path['keyId'];
    const isSimulatorKey = keyId !== undefined && servedWebhookKey(keyId) !== undefined;
    const { code, example, dynamic = 'false', wait } = preferences;
    if (code !== undefined || example !== undefined || dynamic !== 'false' || isSimulatorKey) {
      examples ??= loadExamples().then(({ openResponder }) => openResponder(document, compiled));
      const { status, headers, body } = await (await examples)(request, response);
      response.writeHead(status, headers).end(body);
      return;
    }
    await pause(delayOf(preferences));
    if (wait !== undefined) response.setHeader('Preference-Applied', `wait=${wait}`);
    const authorization = await impersonate(request.headers.authorization);
    if (authorization !== undefined) request.headers.authorization = authorization;
    // The platform would apply its own CORS rules. Only the pages of links need the origin, for another purpose.
    if (!path.startsWith('/links/')) delete request.headers.origin;
    (await app())(request, response);
  };

  const fail = async (request: IncomingMessage, response: ServerResponse, error: unknown) => {
    if (response.headersSent) return void response.destroy();
    const { errorResponse } = await loadExamples();
    if (hasBody(request)) closeAfterResponse(request, response);
    const { status, headers, body } = errorResponse(randomUUID(), error);
    response.writeHead(status, headers).end(body);
  };

  return (request, response) => {
    serve(request, response).catch((error) => fail(request, response, error));
  };
}
