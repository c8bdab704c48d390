import { type Operation, type Problem, Refused, refuse } from '../../contract/index.ts';
import { assertNotEncoded, readJson, receiveForm, requestMediaType } from '../../http-bodies/index.ts';
import { hasBody } from '../../http-server/index.ts';
import type { Platform, RequestContext } from './request-context.ts';

export interface ReceivedBody {
  /** One of the operation's media types; undefined if the request has no body. */
  type: string | undefined;
  /** The parsed body; files are stored. */
  value: unknown;
  /** What the body contains that is never allowed, such as text that cannot be stored. */
  problems: readonly Problem[];
  /** Deletes the stored files of a refused request. */
  discard(): Promise<void>;
}

const nothing = { discard: async () => {} };
const none: ReceivedBody = { type: undefined, value: undefined, problems: [], ...nothing };

/**
 * Reads the body that an operation declares. A body of another media type is never read; an operation without a
 * body ignores it.
 *
 * @throws Refused 400, 408, 413 or 415
 */
function receiveBody(
  platform: Receiving,
  context: Pick<RequestContext, 'operation' | 'caller' | 'request' | 'response'>,
): ReceivedBody | Promise<ReceivedBody> {
  const { operation, request } = context;
  return operation.contract.bodyTypes.length === 0 || !hasBody(request) ? none : receive(platform, context);
}

type Receiving = Pick<Platform, 'blobs' | 'uploadLimit' | 'storageLeft' | 'bodyIdleMs'>;

async function receive(
  { blobs, uploadLimit, storageLeft, bodyIdleMs }: Receiving,
  { operation: { contract }, caller, request, response }: Parameters<typeof receiveBody>[1],
): Promise<ReceivedBody> {
  const header = request.headers['content-type'];
  // Malformed parameters of a form are reported with the form.
  const type = contract.form
    ? header?.split(';', 1)[0]?.trim().toLowerCase()
    : requestMediaType(header)?.value;
  if (!type || !contract.bodyTypes.includes(type)) {
    const message = `This operation takes ${contract.bodyTypes.join(' or ')}.`;
    throw new Refused(refuse(415, 'content_type_unsupported', { message }));
  }
  assertNotEncoded(request.headers);
  if (!contract.form) return { type, ...(await readJson(request, bodyIdleMs)), ...nothing };
  const key = request.headers['idempotency-key'];
  const left = caller && (await storageLeft?.(caller, typeof key === 'string' ? key : undefined));
  const isQuota = left !== undefined && left < uploadLimit;
  const limit = isQuota ? left : uploadLimit;
  const reception = { response, blobs, limit, isQuota, form: contract.form, idleMs: bodyIdleMs };
  const { fields, file, problems, discard } = await receiveForm(request, reception);
  return { type, value: { ...fields, file }, problems, discard };
}

export interface ReceivedRequest {
  checked: ReturnType<Operation['checkRequest']>;
  discard: ReceivedBody['discard'];
}

/**
 * Reads the body and checks the whole request, so that one response reports every error. An unreadable body is one of
 * them. If the path is invalid, a form is not read: its file has no object to belong to.
 *
 * @param refused the path is invalid, so the result has problems whatever the body holds
 * @throws Refused 408, 413 or 415
 */
export async function receiveRequest(
  platform: Receiving,
  context: Parameters<typeof receiveBody>[1] & Pick<RequestContext, 'path' | 'search'>,
  refused = false,
): Promise<ReceivedRequest> {
  const { operation, request, path, search } = context;
  let isBodyUnread = refused && operation.contract.form !== undefined;
  let received = none;
  try {
    if (!isBodyUnread) {
      const receiving = receiveBody(platform, context);
      received = receiving instanceof Promise ? await receiving : receiving;
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, errors } = error.refusal;
    if (status === 400) received = { ...none, problems: errors };
    else if (refused) isBodyUnread = true;
    else throw error;
  }
  const { type: bodyType, value: body, problems: bodyProblems, discard } = received;
  const { headers } = request;
  const input = { path, search, headers, body, bodyType, bodyProblems, isBodyUnread };
  return { checked: operation.contract.checkRequest(input), discard };
}
