import type { IncomingMessage, ServerResponse } from 'node:http';
import multer from 'multer';
import {
  type BlobStore,
  BlobsUnavailable,
  BlobTooLarge,
  type StoredFile,
  type WrittenBlob,
} from '../blobs/index.ts';
import { bodyProblem, type Form, type Problem, type Refusal, Refused, refuse } from '../contract/index.ts';
import { closeAfterResponse, hasBody } from '../http-server/index.ts';
import { alternatives, pointerTo, textProblem } from '../json/index.ts';
import { parseForm, type SentText, textFieldLimit, textSizeLimit } from './form-parser.ts';
import { bytesOf } from './json-body.ts';
import { mediaTypeOf, parseMediaType, unknownMediaType } from './media-types.ts';
import type { Part } from './part-headers.ts';

/** Bytes of a form besides its file: texts, boundaries and part headers. */
const overhead = textFieldLimit * (textSizeLimit + 1024);
/** RFC 2046, section 5.1.1. */
const boundaryForm = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/;
const setByEncoder = 'Do not set Content-Type yourself: the library that encodes the form sets it.';
const boundaryMissing = `The Content-Type has no valid boundary. ${setByEncoder}`;
/** What is wrong with a form, by busboy's messages: it has no error codes. */
const malformedForms: Record<string, string> = {
  'Malformed part header': 'A header of a part is malformed.',
  'Unexpected end of form': `The form ends before its last boundary, or has another one. ${setByEncoder}`,
  'Unexpected end of file': 'The form ends within its file.',
};

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
    throw new Refused(refuse(400, 'multipart_malformed', { message: boundaryMissing }));
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
    if (!file) problems.push(bodyProblem(pointerTo(part), 'is required'));
    return { fields, file, problems, discard: incoming.discard };
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    stop.abort(reason);
    await incoming.discard();
    throw refusedFor(reason, form, beyond);
  }
}

/** Turns an upload error into its refusal; an unknown error stays as it is. */
function refusedFor(reason: unknown, form: Form, beyond: Refusal): unknown {
  const refusal = refusalFor(reason, form, beyond);
  if (!refusal) return reason;
  const refused = new Refused(refusal, refusal.status === 503 ? { 'Retry-After': '30' } : {});
  refused.cause = reason;
  return refused;
}

function refusalFor(reason: unknown, form: Form, beyond: Refusal): Refusal | undefined {
  if (reason instanceof BlobTooLarge) return beyond;
  if (reason instanceof BlobsUnavailable) return refuse(503, 'service_unavailable');
  if (reason instanceof multer.MulterError) return multerRefusal(reason, form, beyond);
  const message = reason instanceof Error ? malformedForms[reason.message] : undefined;
  return message === undefined ? undefined : refuse(400, 'multipart_malformed', { message });
}

function multerRefusal({ code, message, field }: multer.MulterError, form: Form, beyond: Refusal): Refusal {
  if (code === 'LIMIT_FILE_SIZE') return beyond;
  if (code === 'MISSING_FIELD_NAME')
    return refuse(400, 'multipart_malformed', { message: 'A part has no name.' });
  const name = code === 'LIMIT_FILE_COUNT' ? form.files[0] : field;
  if (name !== undefined && codesOfNames.includes(code))
    return { status: 400, errors: [bodyProblem(pointerTo(name), unknownField(name, form))] };
  const pointer = name === undefined ? {} : { pointer: pointerTo(name) };
  const text = codesOfNames.includes(code) ? `A field ${unknownField('', form)}.` : `${message}.`;
  return refuse(400, 'body_invalid', { message: text, ...pointer });
}

/** Of names that no form has, such as `tags[]`. */
const codesOfNames = [
  'LIMIT_UNEXPECTED_FILE',
  'LIMIT_FIELD_KEY',
  'LIMIT_FIELD_NESTING',
  'LIMIT_FIELD_ARRAY_INDEX',
  'INVALID_FIELD_NAME',
];

/**
 * The text fields that a form declares, in Unicode NFC. A list field is an array even if it occurred once. Fields that
 * are not allowed are problems instead.
 *
 * @param sent by name
 */
export function readTexts(
  sent: ReadonlyMap<string, readonly SentText[]>,
  form: Form,
): { fields: Record<string, string | string[]>; problems: Problem[] } {
  const problems: Problem[] = [];
  const fields: [string, string | string[]][] = [];
  for (const [name, given] of sent) {
    const texts = given.map(decoded);
    const message = problemOf(name, texts, form);
    if (message) {
      problems.push(bodyProblem(pointerTo(name), message));
      continue;
    }
    const normal = texts.map((one) => ('text' in one ? one.text.normalize('NFC') : ''));
    fields.push([name, form.lists.includes(name) ? normal : (normal[0] ?? '')]);
  }
  return { fields: Object.fromEntries(fields), problems };
}

type Decoded = { text: string } | { problem: string };

/** Decodes a text by the tables of the WHATWG Encoding Standard, in which `latin1` is windows-1252. */
function decoded({ bytes, charset }: SentText): Decoded {
  try {
    return { text: new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    // The constructor does not know the label.
    if (error instanceof RangeError)
      return { problem: `must have a known charset, not ${charset.slice(0, 40)}` };
    return { problem: `must be well-formed ${charset.toUpperCase()} text` };
  }
}

function problemOf(name: string, texts: Decoded[], form: Form): string | undefined {
  if (form.files.includes(name)) return 'must be a file: its part has no file name';
  if (!form.texts.includes(name)) return unknownField(name, form);
  if (texts.length > 1 && !form.lists.includes(name)) return 'must be given once';
  return texts.map(unstorable).find((problem) => problem !== undefined);
}

const unknownField = (name: string, { files, texts }: Form) =>
  `is not a field of this form${alternatives(name, [...files, ...texts])}`;

function unstorable(decoded: Decoded): string | undefined {
  if ('problem' in decoded) return decoded.problem;
  const problem = textProblem(decoded.text);
  return problem && `must not contain ${problem}`;
}

/**
 * multer's storage for the file of a form: its stream goes directly to the blob store. `discard` deletes what was
 * stored, whatever refused the form.
 *
 * @param part the name of the file part
 */
export function fileStorage({
  blobs,
  part,
  limit,
  signal,
}: {
  blobs: Pick<BlobStore, 'write' | 'delete'>;
  part: string;
  limit: number;
  signal: AbortSignal;
}) {
  let current: Part | undefined;
  let writing: Promise<WrittenBlob> | undefined;
  let described: Pick<StoredFile, 'name' | 'contentType'> | undefined;

  const storage: multer.StorageEngine = {
    _handleFile(_request, { stream }, done) {
      try {
        described = describe(part, current);
      } catch (error) {
        return done(error);
      }
      writing = blobs.write(stream, { limit, signal });
      writing.then(() => done(null, {}), done);
    },
    _removeFile: (_request, _file, done) => done(null),
  };

  return {
    storage,
    partBegins(next: Part): void {
      current = next;
    },
    /** The file, after the form was parsed; undefined if it had none. */
    async stored(): Promise<StoredFile | undefined> {
      return writing && described && { ...described, ...(await writing) };
    },
    async discard(): Promise<void> {
      const written = await writing?.catch(() => undefined);
      if (written) await blobs.delete(written.blobKey).catch(() => {});
    },
  };
}

function describe(part: string, { fileName, contentType }: Partial<Part> = {}) {
  const invalid = (message: string) =>
    new Refused(refuse(400, 'body_invalid', { message, pointer: `/${part}` }));
  if (typeof fileName !== 'string') throw invalid('The file name is not well-formed UTF-8.');
  const named = fileNameOf(fileName);
  if ('problem' in named) throw invalid(named.problem);
  return { name: named.name, contentType: mediaTypeOf(contentType) ?? unknownMediaType };
}

/** Maximum length of a file name, in code points: the limit of the form, the column and common file systems. */
const fileNameLimit = 255;

export type FileName = { name: string } | { problem: string };

/**
 * The name that an uploaded file is stored with: as sent, in Unicode NFC, without the directories that some
 * clients add. All scripts are allowed, including the characters that bidirectional text and emoji need. The name
 * is only displayed and returned, never part of a path.
 */
export function fileNameOf(given: string): FileName {
  if (!given.isWellFormed()) return { problem: 'The file name holds half a surrogate pair.' };
  const name = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1).normalize('NFC');
  if (name === '' || name === '.' || name === '..') return { problem: 'The file has no name.' };
  if (/\p{Cc}/u.test(name)) return { problem: 'The file name holds a control character.' };
  if ([...name].length > fileNameLimit) {
    return { problem: `The file name is longer than ${fileNameLimit} characters.` };
  }
  return { name };
}
