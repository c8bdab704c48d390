import type { IncomingHttpHeaders } from 'node:http';
import type { OperationObject } from '../../../server/src/contract/routes.ts';

/** A response as it is sent. */
export type WireResponse = {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
};

/** A documented response, before it is adapted to its request. */
export type ExampleResponse = {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** The documented media type; a range such as `*\/*` for files. */
  mediaType: string | undefined;
};

const deprecationHeaders = ['deprecation', 'sunset', 'link'];
const statusesWithoutBody = [204, 304];

/** Adapts an example to its request: request id, deprecation of its credentials, length. */
export function responseTo(
  request: IncomingHttpHeaders,
  requestId: string,
  example: ExampleResponse,
): WireResponse {
  const isDeprecated = /^bearer /i.test(request.authorization ?? '');
  const { status, mediaType = 'application/json' } = example;
  const documented = Object.entries(example.headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => name !== 'content-type' && (isDeprecated || !deprecationHeaders.includes(name)));
  const headers: Record<string, string> = { ...Object.fromEntries(documented), 'request-id': requestId };
  if (statusesWithoutBody.includes(status)) return { status, headers, body: undefined };
  if (example.body === undefined)
    return { status, headers: { ...headers, 'content-length': '0' }, body: undefined };
  const isJson = /[/+]json$/.test(mediaType);
  const body = isJson ? JSON.stringify(withFingerprint(example.body, requestId)) : String(example.body);
  headers['content-type'] = mediaType.includes('*') ? fileType(body) : mediaType;
  headers['content-length'] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

/** The example values of the headers that an operation documents for a status. */
export function exampleHeaders(
  operation: OperationObject | undefined,
  status: number,
): Record<string, string> {
  const headers = Object.entries(operation?.responses[status]?.headers ?? {});
  const present = headers.filter(([, { example }]) => example !== undefined);
  return Object.fromEntries(present.map(([name, { example }]) => [name, String(example)]));
}

/** The fingerprint of an error is the id of its request, which an example cannot know. */
function withFingerprint(body: unknown, requestId: string): unknown {
  const isError = typeof body === 'object' && body !== null && 'fingerprint' in body && 'errors' in body;
  return isError ? { ...body, fingerprint: requestId } : body;
}

function fileType(body: string): string {
  return body.startsWith('%PDF-') ? 'application/pdf' : 'application/octet-stream';
}
