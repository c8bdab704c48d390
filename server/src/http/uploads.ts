import type { IncomingMessage, ServerResponse } from 'node:http';
import multer from 'multer';
import { type BlobStore, BlobsUnavailable, BlobTooLarge } from '../blobs/blob-store.ts';
import type { Form } from '../contract/index.ts';
import { pointerTo } from '../domain/json-pointer.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import { fileStorage } from './file-storage.ts';
import { parseForm, textFieldLimit, textSizeLimit } from './form-parser.ts';
import { readTexts } from './form-texts.ts';
import { type ErrorCode, type Refusal, refuse } from './operation.ts';
import { Refused } from './refused.ts';
import { closeAfterResponse, hasBody } from './unread-body.ts';

/** Bytes of a form besides its file: texts, boundaries and part headers. */
const overhead = textFieldLimit * (textSizeLimit + 1024);
/** RFC 2046 allows a boundary 70 characters. */
const contentTypeLimit = 255;

export interface Reception {
  response: ServerResponse;
  blobs: Pick<BlobStore, 'write' | 'delete'>;
  /** The file and text fields that the operation declares. */
  form: Form;
  /** Maximum size of the file, in bytes. */
  limit: number;
  /** The error code if the file is larger; default: `file_too_large`. */
  beyondLimit?: 'file_too_large' | 'storage_quota_exceeded';
  /** How long the client may pause. */
  idleMs: number;
}

export interface ReceivedForm {
  fields: Record<string, string | string[]>;
  file: StoredFile;
  /** Deletes the file of a request that is refused later. Never throws: the sweeper removes what is left. */
  discard(): Promise<void>;
}

/**
 * Reads a multipart form: streams its file into the blob store and checks its texts against the form, not yet
 * against their schemas. A failure leaves nothing behind.
 *
 * @throws Refused 400 `multipart_malformed` or `body_invalid`, 408 `request_timeout`, 413 `file_too_large` (or
 *   `beyondLimit`), 415 `content_type_unsupported`, 503 `service_unavailable` (with its cause)
 */
export async function receiveForm(request: IncomingMessage, reception: Reception): Promise<ReceivedForm> {
  try {
    refuseByHeaders(request, reception);
    return await receive(request, reception);
  } catch (error) {
    closeAfterResponse(request, reception.response);
    throw error;
  }
}

function refuseByHeaders(
  request: IncomingMessage,
  { limit, beyondLimit = 'file_too_large' }: Reception,
): void {
  const { headers } = request;
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data[ \t]*(;|$)/i.test(type))
    throw new Refused(refuse(415, 'content_type_unsupported'));
  if (!hasBody(request) || type.length > contentTypeLimit)
    throw new Refused(refuse(400, 'multipart_malformed'));
  if (Number(headers['content-length'] ?? 0) > limit + overhead) throw new Refused(refuse(413, beyondLimit));
}

async function receive(request: IncomingMessage, reception: Reception): Promise<ReceivedForm> {
  const { blobs, form, limit, beyondLimit = 'file_too_large', idleMs } = reception;
  const [part] = form.files;
  if (part === undefined || form.files.length > 1)
    throw new Error('A form that is received here has one file.');
  const stop = new AbortController();
  const incoming = fileStorage({ blobs, part, limit, signal: stop.signal });
  try {
    const body = await parseForm(request, {
      file: part,
      storage: incoming.storage,
      limits: { file: limit, body: limit + overhead, beyond: beyondLimit },
      idleMs,
      stop,
      partBegins: incoming.partBegins,
    });
    const fields = readTexts(body, form);
    const file = await incoming.stored();
    if (!file)
      throw new Refused(
        refuse(400, 'body_invalid', { message: 'The file is missing.', pointer: pointerTo(part) }),
      );
    return { fields, file, discard: incoming.discard };
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    stop.abort(reason);
    await incoming.discard();
    throw refusedFor(reason, part, beyondLimit);
  }
}

/** Turns an upload error into its refusal; an unknown error stays as it is. */
function refusedFor(reason: unknown, part: string, beyondLimit: ErrorCode): unknown {
  const refusal = refusalFor(reason, part, beyondLimit);
  if (!refusal) return reason;
  const refused = new Refused(refusal, refusal.status === 503 ? { 'Retry-After': '30' } : {});
  refused.cause = reason;
  return refused;
}

function refusalFor(reason: unknown, part: string, beyondLimit: ErrorCode): Refusal | undefined {
  if (reason instanceof BlobTooLarge) return refuse(413, beyondLimit);
  if (reason instanceof BlobsUnavailable) return refuse(503, 'service_unavailable');
  if (reason instanceof multer.MulterError) return multerRefusal(reason, part, beyondLimit);
  // busboy has no error codes.
  const malformed =
    /^(Malformed part header|Unexpected end of (form|file)|Multipart: Boundary not found|Malformed content type)$/;
  const isMalformed = reason instanceof Error && malformed.test(reason.message);
  return isMalformed ? refuse(400, 'multipart_malformed') : undefined;
}

function multerRefusal(
  { code, message, field }: multer.MulterError,
  part: string,
  beyondLimit: ErrorCode,
): Refusal {
  if (code === 'LIMIT_FILE_SIZE') return refuse(413, beyondLimit);
  if (code === 'MISSING_FIELD_NAME')
    return refuse(400, 'multipart_malformed', { message: 'A part has no name.' });
  const name = code === 'LIMIT_FILE_COUNT' ? part : field;
  const pointer = name === undefined ? {} : { pointer: pointerTo(name) };
  return refuse(400, 'body_invalid', { message: `${message}.`, ...pointer });
}
