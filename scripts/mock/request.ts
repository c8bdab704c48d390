import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { OperationObject } from '../../server/src/contract/routes.ts';
import { pointerTo } from '../../server/src/domain/json-pointer.ts';
import type { Refuse } from './failure.ts';

const largestJson = 1 << 20;
const largestForm = 100 << 20;

/** Every token is known and may do everything; none is a mistake that must show. */
export function checkCredentials(
  header: string | undefined,
  operation: OperationObject,
  refuse: Refuse,
): void {
  if (!operation.security?.length) return;
  if (!header) throw refuse(401, 'credentials_missing');
}

/**
 * Reads a body as the value that its schema describes: JSON as it is, a form as an object of its fields, in
 * which a file is an empty string. Prism itself never answers a request with malformed JSON, and keeps one
 * value of a repeated field.
 * @returns The value, or undefined where the operation takes no body or none was sent.
 */
export async function readBody(
  request: IncomingMessage,
  operation: OperationObject,
  refuse: Refuse,
): Promise<unknown> {
  const content = operation.requestBody?.content;
  if (!content || !hasBody(request)) return undefined;
  const header = request.headers['content-type'] ?? '';
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!(type in content)) {
    const message = `This operation takes ${Object.keys(content).join(' or ')}.`;
    throw refuse(415, 'content_type_unsupported', { message });
  }
  const isForm = type === 'multipart/form-data';
  checkEncoding(request, isForm, refuse);
  const bytes = await readBytes(request, isForm ? largestForm : largestJson);
  if (!bytes)
    throw refuse(413, isForm ? 'file_too_large' : 'body_too_large', { headers: { Connection: 'close' } });
  if (isForm) return fieldsOf(await readForm(bytes, header, refuse), operation, refuse);
  if (!isUtf8(bytes)) throw refuse(400, 'body_malformed', { message: 'The body is not UTF-8.' });
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw refuse(400, 'body_malformed');
  }
}

/** As the platform: no body is compressed, and JSON is UTF-8. */
function checkEncoding({ headers }: IncomingMessage, isForm: boolean, refuse: Refuse): void {
  const unsupported = (message: string) => refuse(415, 'content_type_unsupported', { message });
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!/^identity$/i.test(encoding)) throw unsupported('A body comes without a Content-Encoding.');
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '') ?? [];
  if (!isForm && !/^utf-?8$/i.test(charset)) throw unsupported('A JSON body is UTF-8.');
}

async function readForm(bytes: Buffer<ArrayBuffer>, type: string, refuse: Refuse): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw refuse(400, 'multipart_malformed');
  }
}

function fieldsOf(form: FormData, { form: declared }: OperationObject, refuse: Refuse): unknown {
  const { files = [], lists = [] } = declared ?? {};
  const fields: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    const isList = lists.includes(name);
    const message = problemOf(values, files.includes(name), isList);
    if (message) throw refuse(400, 'body_invalid', { message, pointer: pointerTo(name) });
    const texts = values.map((value) => (typeof value === 'string' ? value : ''));
    fields[name] = isList ? texts : (texts[0] ?? '');
  }
  for (const name of files) {
    if (name in fields) continue;
    throw refuse(400, 'body_invalid', { message: 'The file is missing.', pointer: pointerTo(name) });
  }
  return fields;
}

function problemOf(values: FormDataEntryValue[], isFile: boolean, isList: boolean): string | undefined {
  const kinds = new Set(values.map((value) => typeof value));
  if (isFile && kinds.has('string')) return 'This is a text, not a file: its part has no file name.';
  if (!isFile && kinds.has('object')) return 'Unexpected file field.';
  return values.length > 1 && !isList ? 'This field can be given once.' : undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @returns The bytes, or undefined where there are more than `limit`. */
async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
