import type { RequestHandler } from 'express';
import type { Exchange, Platform } from './exchange.ts';
import { readJsonBody } from './json-body.ts';
import { refuse } from './operation.ts';
import { Refused } from './refused.ts';
import { closeAfterResponse, hasBody } from './unread-body.ts';
import { receiveForm } from './uploads.ts';

export interface ReceivedBody {
  /** One of the operation's media types; undefined if the request has no body. */
  type: string | undefined;
  /** The parsed body; files are stored. */
  value: unknown;
  /** Deletes the stored files of a refused request. */
  discard(): Promise<void>;
}

const nothing = { discard: async () => {} };
const none: ReceivedBody = { type: undefined, value: undefined, ...nothing };

/**
 * Reads the body that an operation declares. A body of another media type is never read; an operation without a
 * body ignores it.
 *
 * @throws Refused 400, 408, 413 or 415
 */
export function receiveBody(
  platform: Receiving,
  exchange: Pick<Exchange, 'operation' | 'caller' | 'request' | 'response'>,
): ReceivedBody | Promise<ReceivedBody> {
  const { operation, request } = exchange;
  return operation.contract.bodyTypes.length === 0 || !hasBody(request) ? none : receive(platform, exchange);
}

type Receiving = Pick<Platform, 'blobs' | 'uploadLimit' | 'storageLeft' | 'bodyIdleMs'>;

async function receive(
  { blobs, uploadLimit, storageLeft, bodyIdleMs }: Receiving,
  { operation: { contract }, caller, request, response }: Parameters<typeof receiveBody>[1],
): Promise<ReceivedBody> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (!type || !contract.bodyTypes.includes(type)) {
    const message = `This operation takes ${contract.bodyTypes.join(' or ')}.`;
    throw new Refused(refuse(415, 'content_type_unsupported', { message }));
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && !/^identity$/i.test(encoding)) {
    const message = 'A body comes without a Content-Encoding.';
    throw new Refused(refuse(415, 'content_type_unsupported', { message }));
  }
  if (!contract.form) return { type, value: await readJsonBody(request, bodyIdleMs), ...nothing };
  const left = caller && (await storageLeft?.(caller.organizationId));
  const limit =
    left !== undefined && left < uploadLimit
      ? { limit: left, beyondLimit: 'storage_quota_exceeded' as const }
      : { limit: uploadLimit };
  const reception = { response, blobs, ...limit, form: contract.form, idleMs: bodyIdleMs };
  const form = await receiveForm(request, reception);
  return { type, value: { ...form.fields, file: form.file }, discard: form.discard };
}

/** For pages read with GET, which ignore a body. */
export const leaveBodyUnread: RequestHandler = (request, response, next) => {
  if (hasBody(request) && (request.method === 'GET' || request.method === 'HEAD'))
    closeAfterResponse(request, response);
  next();
};
