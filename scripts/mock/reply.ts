import type { IncomingHttpHeaders } from 'node:http';
import type { OperationObject } from '../../server/src/contract/routes.ts';

/** What goes over the wire. */
export type Reply = { status: number; headers: Record<string, string>; body: string | Buffer | undefined };

type Draft = {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** The documented media type; a range such as `*\/*` for files. */
  mediaType: string | undefined;
};

const legacyOnly = ['deprecation', 'sunset', 'link'];
const bodiless = [204, 304];

/** Makes a documented answer that of this very request: its identifier, its credentials, its bytes. */
export function replyTo(request: IncomingHttpHeaders, requestId: string, draft: Draft): Reply {
  const isLegacy = /^bearer /i.test(request.authorization ?? '');
  const headers: Record<string, string> = {};
  for (const [given, value] of Object.entries(draft.headers)) {
    const name = given.toLowerCase();
    if (name !== 'content-type' && (isLegacy || !legacyOnly.includes(name))) headers[name] = value;
  }
  headers['request-id'] = requestId;
  if (bodiless.includes(draft.status)) return { status: draft.status, headers, body: undefined };
  if (draft.body === undefined) {
    return { status: draft.status, headers: { ...headers, 'content-length': '0' }, body: undefined };
  }
  const type = draft.mediaType ?? 'application/json';
  headers['content-type'] = type.includes('*') ? fileType(draft.body) : type;
  const isJson = /[/+]json$/.test(type);
  const body = isJson ? JSON.stringify(withFingerprint(draft.body, requestId)) : String(draft.body);
  headers['content-length'] = String(Buffer.byteLength(body));
  return { status: draft.status, headers, body };
}

/** The example values of the headers that an operation documents for a status. */
export function exampleHeaders(
  operation: OperationObject | undefined,
  status: number,
): Record<string, string> {
  const headers = Object.entries(operation?.responses[status]?.headers ?? {});
  const given = headers.filter(([, { example }]) => example !== undefined);
  return Object.fromEntries(given.map(([name, { example }]) => [name, String(example)]));
}

/** An error's fingerprint is the identifier of its request: an example cannot know that. */
function withFingerprint(body: unknown, requestId: string): unknown {
  const isError = typeof body === 'object' && body !== null && 'fingerprint' in body && 'errors' in body;
  return isError ? { ...body, fingerprint: requestId } : body;
}

function fileType(bytes: unknown): string {
  return String(bytes).startsWith('%PDF-') ? 'application/pdf' : 'application/octet-stream';
}
