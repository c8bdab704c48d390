import type { IncomingMessage } from 'node:http';
import type { Operation } from '../contract-routes.ts';
import type { Refuse } from './failure.ts';

const largestJson = 1 << 20;
const largestForm = 100 << 20;

/** Every token is known and may do everything; none is a mistake that must show. */
export function checkCredentials(header: string | undefined, operation: Operation, refuse: Refuse): void {
  if (!operation.security?.length) return;
  if (!header) throw refuse(401, 'credentials_missing');
}

/** Prism ignores query parameters that it does not know; the platform refuses them. */
export function checkQuery(query: URLSearchParams, operation: Operation, refuse: Refuse): void {
  const known = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  for (const name of query.keys()) {
    if (known.some((parameter) => parameter.name === name)) continue;
    const message = `There is no query parameter ${name}.`;
    throw refuse(400, 'parameter_invalid', { message, parameter: name.slice(0, 100) });
  }
}

/**
 * Reads a body as the value that its schema describes: JSON as it is, a form as an object of its fields, in
 * which a file is an empty string. Prism itself never answers a request with malformed JSON, and keeps one
 * value of a repeated field.
 * @returns The value, or undefined where the operation takes no body or none was sent.
 */
export async function readBody(
  request: IncomingMessage,
  operation: Operation,
  refuse: Refuse,
): Promise<unknown> {
  const content = operation.requestBody?.content;
  if (!content || !hasBody(request)) return undefined;
  const header = request.headers['content-type'] ?? '';
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!(type in content)) {
    const message = `The Content-Type ${type || '(none)'} is not supported here; use ${Object.keys(content).join(', ')}.`;
    throw refuse(415, 'content_type_unsupported', { message });
  }
  const isForm = type === 'multipart/form-data';
  const bytes = await readBytes(request, isForm ? largestForm : largestJson);
  if (!bytes)
    throw refuse(413, isForm ? 'file_too_large' : 'body_too_large', { headers: { Connection: 'close' } });
  if (isForm) return fieldsOf(await readForm(bytes, header, refuse), operation, refuse);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw refuse(400, 'body_malformed');
  }
}

async function readForm(bytes: Buffer<ArrayBuffer>, type: string, refuse: Refuse): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw refuse(400, 'multipart_malformed');
  }
}

function fieldsOf(form: FormData, { fileFields, listFields }: Operation, refuse: Refuse): unknown {
  const fields: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    if (values.some((value) => (typeof value !== 'string') !== fileFields.has(name))) {
      const wanted = fileFields.has(name) ? 'a file, with a file name' : 'text, without a file name';
      throw refuse(400, 'body_invalid', { message: `The part ${name} must be ${wanted}.` });
    }
    const texts = values.map((value) => (typeof value === 'string' ? value : ''));
    fields[name] = listFields.has(name) || texts.length > 1 ? texts : (texts[0] ?? '');
  }
  return fields;
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
