import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlobTooLarge } from '../../../server/blobs/index.ts';
import {
  type Contract as CheckedContract,
  type Operation as CheckedOperation,
  deprecationHeaders,
  errorBody,
  type OperationObject,
  Refused,
  type Route,
  refuse,
  refusedMethod,
  routesOf,
  splitTarget,
} from '../../../server/contract/index.ts';
import { closeAfterResponse, hasBody } from '../../../server/http-server/index.ts';
import { canonicalIdentifiers } from '../../../server/src/domain/identifiers.ts';
import { wrongScheme } from '../../../server/src/http/credentials.ts';
import { receiveRequest } from '../../../server/src/http/request-body.ts';
import type { Contract } from '../../contract/source.ts';
import { pause } from '../faults.ts';
import { servedWebhookKey } from '../webhook-keys.ts';
import { conditional } from './conditional.ts';
import { linkedFiles } from './linked-files.ts';
import { exampleObjects } from './objects.ts';
import {
  appliedOf,
  appliedPreferences,
  delayOf,
  type Preference,
  preferenceOf,
  readPreferences,
  type Selected,
  withRetryAfter,
} from './prefer.ts';
import { createPrism, generatable, type Prism } from './prism.ts';
import { objectRefusals } from './refusals.ts';
import {
  type ExampleResponse,
  exampleHeaders,
  hasCaller,
  responseTo,
  type WireResponse,
} from './response.ts';

/** Finds the documented response to a request, whose signal ends a delay. Every error has the contract's shape. */
export type Responder = (
  request: IncomingMessage,
  response: ServerResponse,
  signal?: AbortSignal,
) => Promise<WireResponse>;

/** Reads the file of a form and forgets it. */
const blobs = {
  async write(bytes: AsyncIterable<Buffer>, { limit = Number.POSITIVE_INFINITY }: { limit?: number } = {}) {
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > limit) throw new BlobTooLarge(limit);
    }
    return { blobKey: '', size, sha256: Buffer.alloc(32) };
  },
  async delete() {},
};
const receiving = { blobs, uploadLimit: 100 << 20, storageLeft: undefined, bodyIdleMs: 60_000 };

/** A request and what becomes of it. */
interface Receiving {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  /** The preferences that its response was made by; added to. */
  applied: Preference;
}

/** How often a body is generated until it is valid. */
const generations = 20;

/** Requests are matched and checked by the platform's own code, and Prism selects the example. */
export function openResponder(document: Contract, contract: CheckedContract): Responder {
  const routes = new Map(routesOf(document).map((route) => [route.operation.operationId, route]));
  const files = linkedFiles(document);
  const objects = exampleObjects(document);
  const refusals = objectRefusals(objects);
  const prism = createPrism(document);
  let generating: Prism | undefined;

  const respond = async (
    { request, response, id, applied }: Receiving,
    preferences: Preference,
  ): Promise<WireResponse> => {
    const [pathname, search] = splitTarget(request.url ?? '/');
    const { method = 'GET' } = request;
    const match = contract.match(method, pathname);
    if (!match) throw new Refused(contract.refuseUnknown(pathname));
    if (!match.operation) throw refusedMethod(match.allow);
    const checked = match.operation;
    const route = routes.get(checked.id) as Route;
    const { operation } = route;
    const announced = (status: number, bodies: { request?: unknown; response?: unknown } = {}) => {
      const { headers } = request;
      const used = checked.findDeprecated?.({
        ...{ search, headers, status },
        ...{ requestBody: bodies.request, responseBody: bodies.response },
      });
      const isScheme = hasCaller(operation, status) && /^bearer /i.test(headers.authorization ?? '');
      const scheme = isScheme && contract.deprecatedSchemes['accessToken'];
      return deprecationHeaders([...(used ?? []), ...(scheme ? [scheme] : [])]);
    };
    try {
      const path = canonicalIdentifiers(match.path);
      const preferred = preferenceOf(preferences, operation);
      // An error is shown for any request: a 413 must not require a request of 100 MiB.
      const isError = Number(preferred.code ?? 200) >= 400;
      const isGenerated = preferences.dynamic === 'true' && !isError;
      const key = servedWebhookKey(path['keyId'] ?? '');
      const isAnyKnown = isGenerated || preferred.code !== undefined || key !== undefined;
      if (!isError) identify(request, operation);
      let refusal =
        isAnyKnown || checked.checkPath({ ...path }) ? undefined : refusals.beforeChecks(route, path);
      let query: Record<string, unknown> = {};
      let given: unknown;
      if (!isError && !refusal) {
        const input = await check(request, response, { checked, path, search });
        query = canonicalIdentifiers(input.query);
        given = input.body;
        refusal = isAnyKnown ? undefined : refusals.afterChecks(route, path, input.body);
      }
      const selected = refusal ?? preferred;
      const mediaType = mediaTypeOf(operation, selected, request.headers.accept ?? '*/*', search);
      if (isGenerated) generating ??= createPrism(generatable(document));
      const select = (isGenerated && generating) || prism;
      const ask = () =>
        select(
          { method: checked.method, template: route.path, pathname },
          { ...selected, mediaType, dynamic: isGenerated },
        );
      let example = await ask();
      const isWrong = () => checked.checkReply(example.status, mediaType, example.body, example.headers);
      const generate = async () => {
        example = await ask();
        // The generator does not meet every pattern each time.
        for (let turn = 1; turn < generations && isWrong(); turn += 1) example = await ask();
        return example.body;
      };
      if (isGenerated) await generate();
      const isFitted = example.status < 300 && preferred.example === undefined && !isGenerated;
      const { schema } = operation.responses[example.status]?.content?.[mediaType ?? ''] ?? {};
      const page = isFitted || isGenerated ? objects.page(query, { schema, route, path }) : undefined;
      const filled = page ? await page.fill(example.body, isGenerated ? generate : undefined) : example.body;
      const body = isFitted ? objects.fit(filled, { schema, route, path, body: given }) : filled;
      const headers = withRetryAfter(example.headers, preferences);
      const isDelayed = headers !== example.headers;
      const ownHeaders = announced(example.status, { request: given, response: body });
      const sent = responseTo(id, operation, {
        ...{ status: example.status, headers, mediaType, ...(ownHeaders && { ownHeaders }) },
        body:
          key && isFitted
            ? key[mediaType === 'text/plain' ? 'der' : 'pem']
            : files.withLinksTo(request.headers.host, body),
      });
      const result = preferred.code === undefined ? conditional(request, sent) : sent;
      if (!refusal) Object.assign(applied, appliedOf(preferences, { isGenerated, isDelayed }));
      return result;
    } catch (error) {
      return errorResponse(id, error, operation, announced);
    }
  };

  return async (request, response, signal) => {
    const id = randomUUID();
    const applied: Preference = {};
    const produce = async () => {
      const preferences = readPreferences(request.headers['prefer']);
      await pause(delayOf(preferences), signal);
      if (preferences.wait !== undefined) applied.wait = preferences.wait;
      const [pathname] = splitTarget(request.url ?? '/');
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const file = isRead ? files.fileAt(pathname) : undefined;
      if (!file) return respond({ request, response, id, applied }, preferences);
      return conditional(request, { ...file, headers: { ...file.headers, 'request-id': id } });
    };
    try {
      const { headers, ...sent } = await produce().catch((error) => errorResponse(id, error));
      return { ...sent, headers: { ...headers, ...appliedPreferences(applied) } };
    } finally {
      if (hasBody(request)) closeAfterResponse(request, response);
    }
  };
}

/** An error as the contract's error object. An unexpected one names its cause, for the author of a contract. */
export function errorResponse(
  id: string,
  error: unknown,
  operation?: OperationObject,
  announced?: (status: number) => Record<string, string> | undefined,
): WireResponse {
  const message = `The mock failed: ${error instanceof Error ? error.message : error}`.slice(0, 1000);
  const shown = error instanceof Refused ? error.refusal : refuse(500, 'internal_error', { message });
  return responseTo(id, operation, {
    status: shown.status,
    headers: exampleHeaders(operation, shown.status),
    ownHeaders: { ...announced?.(shown.status), ...(error instanceof Refused && error.headers) },
    body: errorBody(shown, id),
    mediaType: 'application/json',
  });
}

/**
 * Any credentials will do, except with the scheme of the other kind of token.
 *
 * @throws {Refused} 401 as the platform
 */
function identify({ headers: { authorization } }: IncomingMessage, operation: OperationObject): void {
  if (!operation.security?.length) return;
  if (!authorization) throw new Refused(refuse(401, 'credentials_missing'));
  const refusal = wrongScheme(authorization);
  if (refusal) throw new Refused(refusal);
}

/** @throws {Refused} as the platform refuses the request */
async function check(
  request: IncomingMessage,
  response: ServerResponse,
  { checked, ...target }: { checked: CheckedOperation; path: Record<string, string>; search: string },
): Promise<{ query: Record<string, unknown>; body: unknown }> {
  const context = { operation: { contract: checked }, caller: undefined, request, response, ...target };
  const { checked: result } = await receiveRequest(receiving as never, context as never);
  if ('problems' in result) throw new Refused({ status: 400, errors: result.problems });
  return result;
}

/** Which of a response's media types: the named example's, the flag's, or the first that `Accept` names. */
function mediaTypeOf(
  operation: OperationObject,
  { code, example }: Selected,
  accept: string,
  search: string,
): ExampleResponse['mediaType'] {
  const status = code ?? Object.keys(operation.responses).sort()[0] ?? '';
  const content = Object.entries(operation.responses[status]?.content ?? {});
  const named = content.find(([, { examples }]) => example !== undefined && example in (examples ?? {}));
  const query = new URLSearchParams(search);
  // A flag that an example is named after (`?pem=true`) selects that example's media type.
  const flagged = content.find(([, { examples }]) =>
    Object.keys(examples ?? {}).some((name) => query.get(name) === 'true'),
  );
  const accepted = content.find(([type]) => accept.includes(type));
  return (named ?? flagged ?? accepted ?? content[0])?.[0];
}
