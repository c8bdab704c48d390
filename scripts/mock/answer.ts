import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type OperationObject, routesOf } from '../../server/src/contract/routes.ts';
import type { Contract } from '../contract/source.ts';
import { type ErrorItem, Refusal, type Refuse, refusing } from './failure.ts';
import { linkedFiles } from './linked-files.ts';
import { appliedPreferences, type Preference, preferenceOf, readPreferences, waitOf } from './prefer.ts';
import { createPrism, type Prism } from './prism.ts';
import { type CheckQuery, checkingQueries } from './query.ts';
import { exampleHeaders, type Reply, replyTo } from './reply.ts';
import { checkCredentials, readBody } from './request.ts';
import { matching } from './routes.ts';
import { kidIn, servedWebhookKey, unservedKey } from './webhook-keys.ts';

/** Gives the documented answer to a request; every refusal has the contract's error shape. */
export type Answering = (request: IncomingMessage) => Promise<Reply>;

/** @throws where the contract cannot be mocked. */
export async function answering(contract: Contract): Promise<Answering> {
  const prism = await createPrism(contract);
  const refuse = refusing(contract);
  const findOperation = matching(routesOf(contract), refuse);
  const checkQuery = checkingQueries(contract);
  const files = linkedFiles(contract);

  return async (request) => {
    const requestId = randomUUID();
    let operation: OperationObject | undefined;
    try {
      const milliseconds = waitOf(readPreferences(request.headers['prefer']), refuse);
      if (milliseconds > 0) await delay(milliseconds);
      const url = addressOf(request, refuse);
      const file = request.method === 'GET' ? files.answer(url.pathname) : undefined;
      if (file) return { ...file, headers: { ...file.headers, 'request-id': requestId } };
      operation = findOperation(request.method ?? 'GET', url.pathname);
      const draft = await documentedAnswer(request, url, operation, { prism, checkQuery, refuse });
      const body = files.here(draft.body, request.headers.host);
      return replyTo(request.headers, requestId, { ...draft, body });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : unexpected(error, refuse);
      return replyTo(request.headers, requestId, {
        status: refusal.status,
        headers: { ...exampleHeaders(operation, refusal.status), ...refusal.headers },
        body: { fingerprint: requestId, errors: refusal.items },
        mediaType: 'application/json',
      });
    }
  };
}

async function documentedAnswer(
  request: IncomingMessage,
  url: URL,
  operation: OperationObject,
  { prism, checkQuery, refuse }: { prism: Prism; checkQuery: CheckQuery; refuse: Refuse },
) {
  const { method = 'GET', headers } = request;
  const asked = readPreferences(headers['prefer']);
  // Every identifier is known to the mock, but for the one that is there to be unknown.
  const isUnknown = kidIn(url.pathname) === unservedKey.kid;
  const preference = isUnknown ? { code: '404' } : preferenceOf(asked, operation, refuse);
  const mediaType = mediaTypeOf(operation, preference, headers.accept ?? '*/*', url);
  const wish = { ...preference, mediaType };
  let body: unknown;
  // A failure is shown whatever the request looks like: nobody should have to send 100 MiB to see a 413.
  const isChecked = Number(preference.code ?? 200) < 400;
  if (isChecked) {
    checkCredentials(headers.authorization, operation, refuse);
    checkQuery(url.search, operation);
    body = await readBody(request, operation, refuse);
  }
  const answer = await prism({ method, url, headers, body, isChecked }, wish);
  if (answer.violations.length > 0) throw new Refusal(400, answer.violations.map(named(operation)));
  const key = answer.status === 200 ? servedWebhookKey(kidIn(url.pathname) ?? '') : undefined;
  const served = key && (mediaType === 'text/plain' ? key.der : key.pem);
  return {
    ...answer,
    headers: { ...answer.headers, ...appliedPreferences(asked) },
    body: served ?? answer.body,
    mediaType,
  };
}

/** Prism writes the names of parameters in small letters. */
function named({ parameters = [] }: OperationObject): (item: ErrorItem) => ErrorItem {
  return (item) => {
    const found = parameters.find(({ name }) => name.toLowerCase() === item.parameter?.toLowerCase());
    if (!found || !item.parameter) return item;
    const message = item.message.replace(/^Request \w+ parameter \S+/, found.name);
    return { ...item, message, parameter: found.name };
  };
}

/** Which of a response's media types: the named example's, the flag's, else the first that `Accept` names. */
function mediaTypeOf(operation: OperationObject, { code, example }: Preference, accept: string, url: URL) {
  const status = code ?? Object.keys(operation.responses).sort()[0] ?? '';
  const content = Object.entries(operation.responses[status]?.content ?? {});
  const named = content.find(([, { examples }]) => example !== undefined && example in (examples ?? {}));
  // A flag that has an example of its name (`?pem=true`) selects the form of that example.
  const flagged = content.find(([, { examples }]) =>
    Object.keys(examples ?? {}).some((name) => url.searchParams.get(name) === 'true'),
  );
  const accepted = content.find(([type]) => accept.includes(type));
  return (named ?? flagged ?? accepted ?? content[0])?.[0];
}

function addressOf({ url = '/' }: IncomingMessage, refuse: Refuse): URL {
  try {
    const address = new URL(url, 'http://mock');
    decodeURIComponent(address.pathname);
    return address;
  } catch {
    throw refuse(400, 'request_malformed');
  }
}

function unexpected(error: unknown, refuse: Refuse): Refusal {
  const message = `The mock failed: ${error instanceof Error ? error.message : String(error)}`;
  return refuse(500, 'internal_error', { message: message.slice(0, 1000) });
}
