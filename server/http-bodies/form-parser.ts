import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import type { Request, Response } from 'express';
import multer from 'multer';
import { type Refusal, Refused, refuse } from '../contract/index.ts';
import { pointerTo } from '../json/index.ts';
import { arrivalTimeout } from './arrival-timeout.ts';
import { type Part, type PartCount, type PartHeaders, readPart, watchPartHeaders } from './part-headers.ts';

/** Limits on text fields, parts and bytes per text. They bound the work; the schema says what a form may contain. */
export const textFieldLimit = 64;
export const textSizeLimit = 4096;
const partHeaderLimit = 16;

export interface Parsing {
  /** The name of the file part. */
  file: string;
  storage: multer.StorageEngine;
  /** Maximum bytes of the file and of the body, and the refusal if there are more. */
  limits: { file: number; body: number; beyond: Refusal };
  /** How long the client may pause. */
  idleMs: number;
  /** Aborted with the reason when the form is refused. */
  stop: AbortController;
  /** Called for each part before its file is stored. */
  partBegins(part: Part): void;
}

/** A text field before it is decoded. */
export interface SentText {
  bytes: Buffer;
  /** The label of its charset. */
  charset: string;
}

/** multer's options, with those that its types lack. */
interface Options extends multer.Options {
  highWaterMark: number;
  fileHwm: number;
  streamHandler(source: unknown, busboy: Writable): void;
}

/**
 * Parses a form with multer, streaming its file to `storage`.
 *
 * multer gets a substitute for the request, because it would read the rest of a refused upload before it reports
 * the refusal. What happens to the connection is decided elsewhere.
 *
 * @param boundary of the form
 * @returns the text fields by name, in their order
 * @throws the reason of `stop`, a Refused, or an error of multer or busboy
 */
export async function parseForm(
  request: IncomingMessage,
  boundary: string,
  parsing: Parsing,
): Promise<ReadonlyMap<string, readonly SentText[]>> {
  const { stop, limits } = parsing;
  // busboy reads parameters by a narrower grammar, and multer reads only a request with a length.
  const source = new FormSource({
    'content-type': `multipart/form-data; boundary="${boundary}"`,
    'content-length': '1',
  });
  const feed = feedOf(request, parsing);
  const options: Options = {
    storage: parsing.storage,
    defParamCharset: 'utf8',
    preservePath: true,
    highWaterMark: 1 << 20,
    fileHwm: 1 << 20,
    limits: {
      fieldNameSize: 100,
      fieldSize: textSizeLimit,
      fields: textFieldLimit,
      fieldNestingDepth: 0,
      fieldArrayIndexLimit: 0,
      fileSize: limits.file,
      files: 1,
      parts: textFieldLimit + 1,
      headerPairs: partHeaderLimit,
    },
    streamHandler: (_source, busboy) => feed.start(busboy),
  };
  const broken = () => source.emit('aborted');
  stop.signal.addEventListener('abort', broken, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown) => (error ? reject(error) : resolve());
      multer(options).single(parsing.file)(source as unknown as Request, {} as Response, done);
      if (stop.signal.aborted) broken();
    });
    feed.refuseDropped();
    return feed.texts;
  } finally {
    stop.signal.removeEventListener('abort', broken);
    feed.end();
  }
}

/** The part of a request that multer uses, apart from the bytes. */
class FormSource extends EventEmitter {
  readonly headers: IncomingHttpHeaders;
  /** There is nothing to drain. */
  readonly readable = false;

  constructor(headers: IncomingHttpHeaders) {
    super();
    this.headers = headers;
  }

  unpipe(): void {}
  resume(): void {}
}

/** Pipes the body into the parser and watches both. */
function feedOf(request: IncomingMessage, { stop, limits, idleMs, partBegins }: Parsing) {
  let parser: Writable | undefined;
  let received = 0;
  let events = 0;
  let count: PartCount = { boundaries: 0, parts: 0 };
  // Deferred, because the parser may be in the middle of a chunk.
  const fail = (error: Error) => process.nextTick(() => stop.abort(error));
  const malformed = (message?: string) =>
    new Refused(refuse(400, 'multipart_malformed', message === undefined ? {} : { message }));

  const arrived = (chunk: Buffer) => {
    idle.arrived(chunk.length);
    received += chunk.length;
    if (received > limits.body) fail(new Refused(limits.beyond));
  };
  const brokenOff = () => {
    if (!request.readableEnded) fail(malformed('The form was broken off.'));
  };
  const idle = arrivalTimeout(idleMs, () => {
    // The client has sent everything, or the store is slow and holds it back.
    if (request.complete || request.isPaused()) idle.refresh();
    else fail(new Refused(refuse(408, 'request_timeout')));
  });
  const texts = new Map<string, SentText[]>();
  let part: Part | undefined;
  const begins = (headers: PartHeaders) => {
    const problem = headerProblem(headers);
    const read = readPart(headers);
    part = read?.part;
    if (problem || !read) fail(malformed(problem ?? 'A part has no Content-Disposition: form-data.'));
    else partBegins(read.part);
    return read?.plain ?? headers;
  };
  const textEnds = (_name: string, latin1: string) => {
    const { name = '', charset = '' } = part ?? {};
    const others = texts.get(name) ?? [];
    texts.set(name, [...others, { bytes: Buffer.from(latin1, 'latin1'), charset }]);
  };

  return {
    texts,
    start(busboy: Writable) {
      parser = busboy;
      count = watchPartHeaders(busboy, begins);
      for (const event of ['file', 'field']) busboy.on(event, () => events++);
      busboy.on('file', (name: string, _stream: unknown, { filename }: { filename?: string }) => {
        // multer ignores the part and its content.
        if (!filename) fail(namelessFile(name));
      });
      busboy.on('field', textEnds);
      request.on('close', brokenOff).on('error', brokenOff).on('data', arrived).pipe(busboy);
    },
    /** Makes a form malformed if part of it could not be read: nothing is dropped silently. */
    refuseDropped() {
      if (events !== count.parts || count.boundaries !== count.parts + 1) throw malformed();
    },
    end() {
      idle.end();
      request.off('close', brokenOff).off('data', arrived);
      if (parser) request.unpipe(parser);
      request.pause();
      parser?.destroy();
    },
  };
}

function namelessFile(name = ''): Refused {
  return new Refused(
    refuse(400, 'body_invalid', { message: 'A file part has no file name.', pointer: pointerTo(name) }),
  );
}

function headerProblem(headers: PartHeaders): string | undefined {
  if (Object.keys(headers).length > partHeaderLimit) return 'A part has too many headers.';
  if (Object.values(headers).some((values) => values.length > 1)) return 'A part has a header twice.';
  const encoding = headers['content-transfer-encoding']?.[0] ?? 'binary';
  // RFC 7578, section 4.7: forms use no other transfer encoding, and none is decoded here.
  if (!/^(7bit|8bit|binary)$/i.test(encoding.trim())) return 'A part is encoded for transfer.';
  return undefined;
}
