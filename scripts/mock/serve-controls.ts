import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused, refuse, refusedMethod } from '../../server/contract/index.ts';
import { readJsonBody } from '../../server/http-bodies/index.ts';
import { hasBody } from '../../server/http-server/index.ts';
import { type Control, controlPath, invalidControl, statefulControls } from './controls.ts';
import type { Faults } from './faults.ts';
import { mockPage, pagePolicy } from './page.ts';

const bodyIdleMilliseconds = 20_000;

/**
 * Serves the controls: JSON for programs, and for browsers a page.
 *
 * @returns whether the request was for a control, and then has its response
 * @throws {Refused} 404 or 405 for an unknown control, 415 for a body that is not JSON, 400 for an invalid one
 */
export async function serveControl(
  request: IncomingMessage,
  response: ServerResponse,
  controls: Record<string, Control>,
  faults: Faults,
): Promise<boolean> {
  const [pathname = ''] = (request.url ?? '').split('?');
  if (pathname !== controlPath && !pathname.startsWith(`${controlPath}/`)) return false;
  const path = pathname.slice(controlPath.length).replace(/\/$/, '');
  const control = controls[`${request.method} ${path}`];
  // The form of the page. Browsers send its origin, which may call if the request gets here.
  if (request.method === 'POST' && path === '/faults/clear' && request.headers.origin) {
    faults.clear();
    response.writeHead(303, { Location: controlPath }).end();
  } else if (!control) throw unknownControl(Object.keys(controls), path);
  else if (path === '' && request.headers.accept?.includes('text/html')) {
    const html = mockPage((await control.run({})) as never, controls, faults.list());
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': pagePolicy };
    response.writeHead(200, { ...headers, 'Cache-Control': 'no-store' }).end(html);
  } else {
    if (request.method !== 'GET') refuseUnlessJson(request);
    const body = await control.run(await readControlBody(request));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
    response.end(`${JSON.stringify(body, null, 2)}\n`);
  }
  return true;
}

function unknownControl(known: string[], path: string): Refused {
  const allowed = known.map((key) => key.split(' ')).filter(([, one]) => one === path);
  if (allowed.length === 0) {
    const message = `${controlPath}${path} needs --stateful.`;
    return new Refused(refuse(404, 'path_not_found', statefulControls.includes(path) ? { message } : {}));
  }
  return refusedMethod(allowed.map(([method = '']) => method));
}

/** A page can send any other media type without a preflight. */
function refuseUnlessJson(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  if (type === undefined ? !hasBody(request) : /^application\/json\s*(;|$)/i.test(type)) return;
  const message = 'Send the body with Content-Type: application/json.';
  throw new Refused(refuse(415, 'content_type_unsupported', { message }));
}

/**
 * Reads the JSON body of a control. Default: an empty object.
 *
 * @throws {Refused} 400 `body_malformed` or `body_invalid`, 413 `body_too_large`
 */
async function readControlBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  const body = await readJsonBody(request, bodyIdleMilliseconds);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as never;
  throw invalidControl('', 'The body must be an object.');
}
