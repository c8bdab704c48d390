import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { BlobTooLarge } from '../../../server/src/blobs/blob-store.ts';
import type {
  Contract as CheckedContract,
  Operation as CheckedOperation,
} from '../../../server/src/contract/index.ts';
import {
  type OperationObject,
  parameterNames,
  type Route,
  routesOf,
} from '../../../server/src/contract/routes.ts';
import { errorBody } from '../../../server/src/http/failure.ts';
import { refuse } from '../../../server/src/http/operation.ts';
import { Refused } from '../../../server/src/http/refused.ts';
import { receiveRequest } from '../../../server/src/http/request-body.ts';
import { closeAfterResponse, hasBody } from '../../../server/src/http/unread-body.ts';
import type { Contract } from '../../contract/source.ts';
import { kidIn, servedWebhookKey } from '../webhook-keys.ts';
import { linkedFiles } from './linked-files.ts';
import { exampleObjects } from './objects.ts';
import {
  appliedPreferences,
  delayOf,
  preferenceOf,
  readPreferences,
  type Selected,
  withRetryAfter,
} from './prefer.ts';
import { createPrism, generatable, type Prism } from './prism.ts';
import { type ExampleResponse, exampleHeaders, responseTo, type WireResponse } from './response.ts';

/** Finds the documented response to a request. Every error has the contract's shape. */
export type Responder = (request: IncomingMessage, response: ServerResponse) => Promise<WireResponse>;

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

/** How often a body is generated until it is valid. */
const generations = 20;

/** Requests are matched and checked by the platform's own code, and Prism selects the example. */
export function openResponder(document: Contract, contract: CheckedContract): Responder {
  const routes = new Map(routesOf(document).map((route) => [route.operation.operationId, route]));
  const files = linkedFiles(document);
  const objects = exampleObjects(document);
  const prism = createPrism(document);
  let generating: Prism | undefined;

  const respond = async (request: IncomingMessage, response: ServerResponse, url: URL, id: string) => {
    const { method = 'GET' } = request;
    const match = contract.match(method, url.pathname);
    if (!match) throw new Refused(refuse(404, 'path_not_found'));
    if (!match.operation) {
      const Allow = match.allow.sort().join(', ');
      throw new Refused(refuse(405, 'method_not_allowed'), { Allow });
    }
    const route = routes.get(match.operation.id) as Route;
    const { operation } = route;
    try {
      const { path } = match;
      const preferences = readPreferences(request.headers['prefer']);
      const preferred = preferenceOf(preferences, operation);
      // An error is shown for any request: a 413 must not require a request of 100 MiB.
      const isError = Number(preferred.code ?? 200) >= 400;
      const checking = { url, operation, checked: match.operation, path };
      const query = isError ? {} : await check(request, response, checking);
      const isGenerated = preferences.dynamic === 'true' && !isError;
      const key = servedWebhookKey(kidIn(url.pathname) ?? '');
      const isAnyKnown = isGenerated || preferred.code !== undefined || key !== undefined;
      const unknown = isAnyKnown ? undefined : objects.unknownIn(route.path, path);
      const selected = unknown === undefined ? preferred : notFound(route, unknown);
      const mediaType = mediaTypeOf(operation, selected, request.headers.accept ?? '*/*', url);
      if (isGenerated) generating ??= createPrism(generatable(document));
      const select = (isGenerated && generating) || prism;
      const ask = () =>
        select(
          { method: match.operation.method, template: route.path, url },
          { ...selected, mediaType, dynamic: isGenerated },
        );
      let example = await ask();
      const isWrong = () =>
        match.operation.checkReply(example.status, mediaType, example.body, example.headers);
      // The generator does not meet every pattern each time.
      for (let turn = 1; isGenerated && turn < generations && isWrong(); turn += 1) example = await ask();
      const isFitted = example.status < 300 && preferred.example === undefined && !isGenerated;
      const { schema } = operation.responses[example.status]?.content?.[mediaType ?? ''] ?? {};
      const body = isFitted ? objects.fit(example.body, { schema, route, path, query }) : example.body;
      return responseTo(request.headers, id, {
        status: example.status,
        headers: { ...withRetryAfter(example.headers, preferences), ...appliedPreferences(preferences) },
        body:
          key && isFitted
            ? key[mediaType === 'text/plain' ? 'der' : 'pem']
            : files.withLinksTo(request.headers.host, body),
        mediaType,
      });
    } catch (error) {
      return errorResponse(request, id, error, operation);
    }
  };

  return async (request, response) => {
    const id = randomUUID();
    try {
      await delay(delayOf(readPreferences(request.headers['prefer'])));
      const target = request.url ?? '/';
      if (!URL.canParse(target, 'http://mock')) throw new Refused(refuse(400, 'request_malformed'));
      const url = new URL(target, 'http://mock');
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const file = isRead ? files.fileAt(url.pathname) : undefined;
      if (file) return { ...file, headers: { ...file.headers, 'request-id': id } };
      return await respond(request, response, url, id);
    } catch (error) {
      return errorResponse(request, id, error);
    } finally {
      if (hasBody(request)) closeAfterResponse(request, response);
    }
  };
}

/** An error as the contract's error object. An unexpected one names its cause, for the author of a contract. */
export function errorResponse(
  request: IncomingMessage,
  id: string,
  error: unknown,
  operation?: OperationObject,
): WireResponse {
  const message = `The mock failed: ${error instanceof Error ? error.message : error}`.slice(0, 1000);
  const shown = error instanceof Refused ? error.refusal : refuse(500, 'internal_error', { message });
  // Not every 415 is about the encoding.
  const { 'Accept-Encoding': _, ...documented } = exampleHeaders(operation, shown.status);
  return responseTo(request.headers, id, {
    status: shown.status,
    headers: { ...documented, ...(error instanceof Refused && error.headers) },
    body: errorBody(shown, id),
    mediaType: 'application/json',
  });
}

/** The documented 404 for an object that no example has. */
function notFound({ path, operation }: Route, parameter: string): Selected {
  const content = operation.responses['404']?.content?.['application/json'];
  const examples = Object.entries(content?.examples ?? {});
  const code = parameter.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const named = examples.find(([, { value }]) => JSON.stringify(value).includes(`"${code}_not_found"`));
  // The errors of an operation are in the order of its path.
  const position = Math.min(parameterNames(path).indexOf(parameter), examples.length - 1);
  const [example] = named ?? examples[position] ?? [];
  return example === undefined ? {} : { code: '404', example };
}

/**
 * @returns the query, defaults included
 * @throws {Refused} as the platform refuses the request; any credentials will do
 */
async function check(
  request: IncomingMessage,
  response: ServerResponse,
  {
    url,
    operation,
    checked,
    path,
  }: { url: URL; operation: OperationObject; checked: CheckedOperation; path: Record<string, string> },
): Promise<Record<string, unknown>> {
  const { headers } = request;
  if (operation.security?.length && !headers.authorization)
    throw new Refused(refuse(401, 'credentials_missing'));
  const search = url.search.slice(1);
  const exchange = { operation: { contract: checked }, caller: undefined, request, response, path, search };
  const { checked: result } = await receiveRequest(receiving as never, exchange as never);
  if ('problems' in result) throw new Refused({ status: 400, errors: result.problems });
  return result.query;
}

/** Which of a response's media types: the named example's, the flag's, or the first that `Accept` names. */
function mediaTypeOf(
  operation: OperationObject,
  { code, example }: Selected,
  accept: string,
  url: URL,
): ExampleResponse['mediaType'] {
  const status = code ?? Object.keys(operation.responses).sort()[0] ?? '';
  const content = Object.entries(operation.responses[status]?.content ?? {});
  const named = content.find(([, { examples }]) => example !== undefined && example in (examples ?? {}));
  // A flag that an example is named after (`?pem=true`) selects that example's media type.
  const flagged = content.find(([, { examples }]) =>
    Object.keys(examples ?? {}).some((name) => url.searchParams.get(name) === 'true'),
  );
  const accepted = content.find(([type]) => accept.includes(type));
  return (named ?? flagged ?? accepted ?? content[0])?.[0];
}
