import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Settings } from '../../server/blobs/index.ts';
import { atEnd } from '../support/temporary.ts';

/** What a hanging service does with a request: nothing, or it begins a response and stops. */
export const manners = ['never responds', 'stops in the middle of a response'] as const;
export type Manner = (typeof manners)[number];

/** An S3-compatible service in memory, as far as the blob store uses it. */
export async function givenS3Service() {
  const objects = new Map<string, Buffer>();
  const parts: Buffer[] = [];
  /** The kinds of requests that it has received. */
  const received = new Set<string>();
  let hangs: { kind: string; manner: Manner } | undefined;
  let slow = { bytes: 0, perSecond: 1 };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://s3');
    const kind = kindOf(request.method, url.searchParams);
    received.add(kind);
    if (hangs?.kind === kind) {
      if (hangs.manner === 'never responds') return;
      response.writeHead(200, { 'Content-Length': 1000 }).write('<?xml');
      return;
    }
    const body = await receive(request, slow);
    const key = url.pathname.replace('/files/', '');
    const object = objects.get(key);
    const xml = (text: string) =>
      response.setHeader('Content-Type', 'application/xml').end(`<?xml version="1.0"?>${text}`);
    switch (kind) {
      case 'PUT':
        objects.set(key, body);
        return response.end();
      case 'PUT partNumber':
        parts[Number(url.searchParams.get('partNumber'))] = body;
        return response.setHeader('ETag', '"part"').end();
      case 'POST uploads':
        return xml('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>');
      case 'POST uploadId':
        objects.set(key, Buffer.concat(parts.slice(1)));
        return xml('<CompleteMultipartUploadResult/>');
      case 'GET list-type': {
        const prefix = url.searchParams.get('prefix') ?? '';
        const found = [...objects].filter(([name]) => name.startsWith(prefix));
        const entries = found.map(([name, { length }]) => {
          return `<Contents><Key>${name}</Key><Size>${length}</Size><LastModified>2026-11-01T00:00:00Z</LastModified></Contents>`;
        });
        return xml(`<ListBucketResult>${entries.join('')}</ListBucketResult>`);
      }
      case 'GET uploads':
        return xml(
          '<ListMultipartUploadsResult><Upload><Key>x</Key><UploadId>1</UploadId><Initiated>2026-11-01T00:00:00Z</Initiated></Upload></ListMultipartUploadsResult>',
        );
      case 'GET uploadId':
        return xml('<ListPartsResult/>');
      case 'DELETE':
        objects.delete(key);
        return response.writeHead(204).end();
      case 'DELETE uploadId':
        return response.writeHead(204).end();
      default:
        if (!object) return xml404(response);
        return sendObject(request, response, object);
    }
  };
  const server = createServer((request, response) => {
    // The store has given up.
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const settings: S3Settings = {
    bucket: 'files',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    prefix: '',
    forcePathStyle: true,
    redirectsDownloads: false,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  return {
    settings,
    objects,
    received,
    /** From now on, requests of this kind are not served. */
    hang(kind: string, manner: Manner = 'never responds'): void {
      hangs = { kind, manner };
    },
    work(): void {
      hangs = undefined;
    },
    /** From now on, it receives the first bytes of a body at a rate: the others are in the buffers of the connection. */
    slowDown(rate: { bytes: number; perSecond: number }): void {
      slow = rate;
    },
  };
}

/** The method, and the parameter that tells operations of a method apart. */
function kindOf(method = '', query: URLSearchParams): string {
  const names = ['list-type', 'partNumber', 'uploads', 'uploadId'];
  const name = names.find((one) => query.has(one));
  return name ? `${method} ${name}` : method;
}

async function receive(request: IncomingMessage, { bytes, perSecond }: { bytes: number; perSecond: number }) {
  const chunks: Buffer[] = [];
  let left = bytes;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    if (left > 0) await sleep((1000 * chunk.length) / perSecond);
    left -= chunk.length;
  }
  return Buffer.concat(chunks);
}

function sendObject({ headers, method }: IncomingMessage, response: ServerResponse, object: Buffer) {
  const [, first = '0', last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const part = object.subarray(Number(first), last === undefined ? object.length : Number(last) + 1);
  response.writeHead(headers.range ? 206 : 200, { 'Content-Length': part.length });
  response.end(method === 'HEAD' ? undefined : part);
}

function xml404(response: ServerResponse) {
  response.writeHead(404, { 'Content-Type': 'application/xml' });
  response.end('<Error><Code>NoSuchKey</Code><Message>There is no such object.</Message></Error>');
}
