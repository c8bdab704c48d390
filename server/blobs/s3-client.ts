import { CompleteMultipartUploadCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { BlobsUnavailable, type S3Settings } from './blob-store.ts';

/** The maximum silence of the store while a request is sent or answered. A request that exceeds it is sent once more. */
const silenceMilliseconds = 4_500;
/** The same for a long body, which is not sent twice. From 6 s on, the SDK begins to count after 3 s, and Node notices a pause
 * in the sending between one and two of these times: after 16 s at most. */
const uploadSilenceMilliseconds = 6_500;
/** Bytes of a long body. */
const longBody = 64 << 10;
/** The maximum time of a request and its retry, to the end of the response, or to its headers if it is a stream. */
const deadlineMilliseconds = 13_000;
/** Added for the body of a request: a part is uploaded at 64 KiB/s at least. */
const millisecondsPerByte = 1_000 / (64 << 10);
/** Added for each part of a completed upload: some services copy all of them, in silence. */
const millisecondsPerPart = 250;

/**
 * Opens a client whose requests end by a deadline and reject with BlobsUnavailable. A body may be sent slowly, as long as
 * the store keeps taking it.
 */
export function openS3Client({ endpoint, region, credentials, forcePathStyle }: S3Settings): S3Client {
  const open = (socketTimeout: number) => {
    const client = new S3Client({
      region,
      forcePathStyle,
      ...(endpoint && { endpoint }),
      ...(credentials && { credentials }),
      maxAttempts: 2,
      // Not all services know the checksums that the SDK adds and expects by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 3_000,
        throwOnRequestTimeout: true,
        socketTimeout,
        // A download keeps its connection until its client has read everything.
        httpAgent: { maxSockets: 256 },
        httpsAgent: { maxSockets: 256 },
      },
    });
    return { client, send: client.send.bind(client) as unknown as Send };
  };
  const { client, send } = open(silenceMilliseconds);
  // The connection of a download is idle while its client is slow, see `stallable`, and that of a completion always is.
  const idle = open(0);
  const uploads = open(uploadSilenceMilliseconds);
  uploads.client.middlewareStack.add(withoutRetryOfTimeouts, { step: 'finalizeRequest', priority: 'low' });
  const start: Send = (command, options) => {
    if (command instanceof GetObjectCommand)
      return idle.send(command, { ...options, requestTimeout: silenceMilliseconds });
    if (command instanceof CompleteMultipartUploadCommand) return idle.send(command, options);
    return (bodyBytes(command) > longBody ? uploads.send : send)(command, options);
  };
  client.send = (async (command: object, { abortSignal }: SendOptions = {}) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(outOfTime()), deadlineOf(command));
    const signal = AbortSignal.any([deadline.signal, ...(abortSignal ? [abortSignal] : [])]);
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      // The SDK does not end everything by its signal, for example its search for credentials.
      return await Promise.race([start(command, { abortSignal: signal }), aborted]);
    } catch (error) {
      throw new BlobsUnavailable(signal.aborted ? signal.reason : withMessage(error));
    } finally {
      // After this, an abort would end the stream of the response.
      clearTimeout(timer);
    }
  }) as typeof client.send;
  return client;
}

const outOfTime = () => new Error('It did not respond in time.');

interface SendOptions {
  abortSignal?: AbortSignal;
  requestTimeout?: number;
}

type Send = (command: object, options: SendOptions) => Promise<unknown>;

function deadlineOf(command: object): number {
  if (command instanceof CompleteMultipartUploadCommand) {
    const parts = command.input.MultipartUpload?.Parts?.length ?? 0;
    return deadlineMilliseconds + parts * millisecondsPerPart;
  }
  return deadlineMilliseconds + bodyBytes(command) * millisecondsPerByte;
}

function bodyBytes(command: object): number {
  const { Body } = (command as { input?: { Body?: unknown } }).input ?? {};
  return Buffer.isBuffer(Body) ? Body.length : 0;
}

/** Middleware inside the retries of the SDK, which retry a `TimeoutError`. */
function withoutRetryOfTimeouts<Input, Output>(next: (input: Input) => Promise<Output>) {
  return (input: Input) =>
    next(input).catch((error: Error) => {
      throw error.name === 'TimeoutError' ? outOfTime() : error;
    });
}

/**
 * Errors of Node for a host with several addresses have a code only, and those of OpenSSL and of the HTTP parser say
 * nothing of the settings.
 */
function withMessage(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EPROTO')
    return new Error('It does not speak TLS there: S3_ENDPOINT may have to begin with http://.');
  if (code?.startsWith('HPE_'))
    return new Error('It does not speak HTTP there: S3_ENDPOINT may have to begin with https://.');
  if (error instanceof Error && !error.message)
    error.message = (error as NodeJS.ErrnoException).code ?? error.name;
  return error;
}

/** Whether the store has refused a request with one of these error codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof BlobsUnavailable && codes.includes((error.cause as Error).name);
}
