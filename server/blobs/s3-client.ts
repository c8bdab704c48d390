import { CompleteMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { BlobsUnavailable, type S3Settings } from './blob-store.ts';

/** The maximum time of a request and its retry, to the end of the response, or to its headers if it is a stream. */
const deadlineMilliseconds = 20_000;
/** The maximum time until a response begins. A request that exceeds it is sent once more. */
const attemptMilliseconds = 9_000;
/** Some services copy all parts to complete an upload. */
const completionMilliseconds = 300_000;

/** Opens a client whose requests end by a deadline and reject with BlobsUnavailable. */
export function openS3Client({ endpoint, region, credentials, forcePathStyle }: S3Settings): S3Client {
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
      // The connection of a download is idle while its client is slow: see `stallable`.
      socketTimeout: 0,
      // A download keeps its connection until its client has read everything.
      httpAgent: { maxSockets: 256 },
      httpsAgent: { maxSockets: 256 },
    },
  });
  const send = client.send.bind(client) as (command: object, options: object) => Promise<unknown>;
  client.send = (async (command: object) => {
    const completes = command instanceof CompleteMultipartUploadCommand;
    const deadline = new AbortController();
    const abort = () => deadline.abort(new Error('It did not respond in time.'));
    const timer = setTimeout(abort, completes ? completionMilliseconds : deadlineMilliseconds);
    const requestTimeout = completes ? completionMilliseconds : attemptMilliseconds;
    try {
      return await send(command, { abortSignal: deadline.signal, requestTimeout });
    } catch (error) {
      throw new BlobsUnavailable(deadline.signal.aborted ? deadline.signal.reason : withMessage(error));
    } finally {
      // After this, an abort would end the stream of the response.
      clearTimeout(timer);
    }
  }) as typeof client.send;
  return client;
}

/** Errors of Node for a host with several addresses have a code only. */
function withMessage(error: unknown): unknown {
  if (error instanceof Error && !error.message)
    error.message = (error as NodeJS.ErrnoException).code ?? error.name;
  return error;
}

/** Whether the store has refused a request with one of these error codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof BlobsUnavailable && codes.includes((error.cause as Error).name);
}
