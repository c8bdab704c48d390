import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { PlatformProcess } from './platform.ts';

const boundary = 'prove-form-boundary';
const head = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n',
);
const tail = Buffer.from(`\r\n--${boundary}--\r\n`);

/** The headers of an upload of a file of `size` bytes. */
export function uploadHeaders(size: number): Record<string, string> {
  return {
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': String(head.length + size + tail.length),
  };
}

/** The body of an upload, as its file is read. */
export async function* uploadBody(file: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* file;
  yield tail;
}

/** Begins an upload to `POST /resources`; the caller writes its body. */
export function openUpload(
  { demo }: { demo: Pick<PlatformProcess['demo'], 'baseUrl' | 'organizationToken'> },
  size: number,
  headers: Record<string, string> = {},
): ClientRequest {
  return request(`${demo.baseUrl}/resources`, {
    method: 'POST',
    agent: false,
    headers: { Authorization: demo.organizationToken, ...uploadHeaders(size), ...headers },
  });
}

/** The status and body of the response. @throws the error of the connection */
export function responseOf(sending: ClientRequest): Promise<{ response: IncomingMessage; text: string }> {
  return new Promise((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => resolve({ response, text })).once('error', reject);
      response.once('aborted', () => reject(new Error('The response was broken off.')));
    });
  });
}
