import type { IncomingMessage, ServerResponse } from 'node:http';
import multer from 'multer';
import { type BlobStore, BlobsUnavailable, BlobTooLarge } from '../../blobs/index.ts';
import { bodyProblem, type Form, type Problem, type Refusal, refuse } from '../../contract/index.ts';
import { pointerTo } from '../../json/index.ts';
import { bytesOf } from '../domain/bytes.ts';
import { parseMediaType } from '../domain/media-types.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import { fileStorage } from './file-storage.ts';
import { parseForm, textFieldLimit, textSizeLimit } from './form-parser.ts';
import { readTexts } from './form-texts.ts';
import { Refused } from './refused.ts';
import { closeAfterResponse, hasBody } from './unread-body.ts';

/** Bytes of a form besides its file: texts, boundaries and part headers. */
const overhead = textFieldLimit * (textSizeLimit + 1024);
/** RFC 2046, section 5.1.1. */
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;

export interface Reception {
  response: ServerResponse;
  blobs: Pick<BlobStore, 'write' | 'delete'>;
  /** The file and text fields that the operation declares. */
  form: Form;
  /** Maximum size of the file, in bytes. */
  limit: number;
  /** The limit is what is left of the organization's storage quota. */
  isQuota?: boolean;
  /** How long the client may pause. */
  idleMs: number;
}

export interface ReceivedForm {
  fields: Record<string, string | string[]>;
  file: StoredFile | undefined;
  /** Fields that the form does not allow, and the file if it is missing. */
  problems: Problem[];
  /** Deletes the file of a request that is refused later. Never throws: the sweeper removes what is left. */
  discard(): Promise<void>;
}

/**
 * Reads a multipart form: streams its file into the blob store and checks its texts against the form, not yet
 * against their schemas. A failure leaves nothing behind.
 *
 * @throws Refused 400 `multipart_malformed` or `body_invalid` if the form cannot be read to its end, 408 `request_timeout`, 413 `file_too_large` or
 *   `storage_quota_exceeded`, 415 `content_type_unsupported`, 503 `service_unavailable` (with its cause)
 */
export async function receiveForm(request: IncomingMessage, reception: Reception): Promise<ReceivedForm> {
  try {
    return await receive(request, refuseByHeaders(request, reception), reception);
  } catch (error) {
    closeAfterResponse(request, reception.response);
    throw error;
  }
}

/** @returns the boundary */
function refuseByHeaders(request: IncomingMessage, reception: Reception): string {
  const { headers } = request;
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data[ \t]*(;|$)/i.test(type))
    throw new Refused(refuse(415, 'content_type_unsupported'));
  const boundary = parseMediaType(type)?.parameters.get('boundary') ?? '';
  if (!hasBody(request) || !boundaryForm.test(boundary))
    throw new Refused(refuse(400, 'multipart_malformed'));
  if (Number(headers['content-length'] ?? 0) > reception.limit + overhead)
    throw new Refused(beyondLimit(reception));
  return boundary;
}

function beyondLimit({ limit, isQuota }: Reception): Refusal {
  if (isQuota) return refuse(413, 'storage_quota_exceeded');
  return refuse(413, 'file_too_large', { message: `The file is larger than ${bytesOf(limit)}.` });
}

async function receive(
  request: IncomingMessage,
  boundary: string,
  reception: Reception,
): Promise<ReceivedForm> {
  const { blobs, form, limit, idleMs } = reception;
  const beyond = beyondLimit(reception);
  const [part] = form.files;
  if (part === undefined || form.files.length > 1)
    throw new Error('A form that is received here has one file.');
  const stop = new AbortController();
  const incoming = fileStorage({ blobs, part, limit, signal: stop.signal });
  try {
    const texts = await parseForm(request, boundary, {
      file: part,
      storage: incoming.storage,
      limits: { file: limit, body: limit + overhead, beyond },
      idleMs,
      stop,
      partBegins: incoming.partBegins,
    });
    const { fields, problems } = readTexts(texts, form);
    const file = await incoming.stored();
    if (!file) problems.push(bodyProblem(pointerTo(part), 'The file is missing.'));
    return { fields, file, problems, discard: incoming.discard };
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    stop.abort(reason);
    await incoming.discard();
    throw refusedFor(reason, part, beyond);
  }
}

/** Turns an upload error into its refusal; an unknown error stays as it is. */
function refusedFor(reason: unknown, part: string, beyond: Refusal): unknown {
  const refusal = refusalFor(reason, part, beyond);
  if (!refusal) return reason;
  const refused = new Refused(refusal, refusal.status === 503 ? { 'Retry-After': '30' } : {});
  refused.cause = reason;
  return refused;
}

function refusalFor(reason: unknown, part: string, beyond: Refusal): Refusal | undefined {
  if (reason instanceof BlobTooLarge) return beyond;
  if (reason instanceof BlobsUnavailable) return refuse(503, 'service_unavailable');
  if (reason instanceof multer.MulterError) return multerRefusal(reason, part, beyond);
  // busboy has no error codes.
  const malformed = /^(Malformed part header|Unexpected end of (form|file))$/;
  const isMalformed = reason instanceof Error && malformed.test(reason.message);
  return isMalformed ? refuse(400, 'multipart_malformed') : undefined;
}

function multerRefusal({ code, message, field }: multer.MulterError, part: string, beyond: Refusal): Refusal {
  if (code === 'LIMIT_FILE_SIZE') return beyond;
  if (code === 'MISSING_FIELD_NAME')
    return refuse(400, 'multipart_malformed', { message: 'A part has no name.' });
  const name = code === 'LIMIT_FILE_COUNT' ? part : field;
  const pointer = name === undefined ? {} : { pointer: pointerTo(name) };
  return refuse(400, 'body_invalid', { message: `${message}.`, ...pointer });
}
