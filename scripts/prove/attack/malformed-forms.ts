import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Attack, expectRefusal, type Group } from './attack.ts';
import { badForms, badFormTypes, badTags, boundary, filePart, form, textPart } from './inputs/forms.ts';
import { headOf, raw, type Sent, send, sendRaw } from './send.ts';
import { ids, type Target } from './target.ts';

/** Uploads that are malformed: each is refused, and nothing of it is stored. */
export const malformedForms: Group = {
  tried: 'malformed uploads',
  attacks: (target) => [
    ...attacksOn('/resources', target, badForms),
    ...attacksOn(`/tables/${ids.table}/records/${ids.record}/attachments`, target, {
      ...badForms,
      ...Object.fromEntries(Object.entries(badTags).map(([name, tags]) => [name, withTags(tags)])),
    }),
  ],
  unchanged: storedFiles,
  // More than BODY_IDLE_SECONDS.
  longest: 40_000,
};

const withTags = (tags: string[]) =>
  form(
    filePart(),
    ...(tags.length > 0
      ? tags.map((tag) => textPart('tags', tag))
      : [filePart().replace('"file"', '"tags"')]),
  );

function attacksOn(path: string, { baseUrl, tokens }: Target, forms: Record<string, string>): Attack[] {
  const type = `multipart/form-data; boundary=${boundary}`;
  const upload = (body: string | Buffer, more: Record<string, string> = {}): Sent => ({
    ...{ method: 'POST', target: path, body },
    headers: { Authorization: tokens.owner, 'Content-Type': type, ...more },
  });
  const refused = (name: string, sent: Sent): Attack => ({
    name: `POST ${path}: ${name}`,
    run: async () => expectRefusal(await send(baseUrl, sent), { statuses: [400, 415] }),
  });
  const whole = form(filePart());
  /** Bytes as they are, after which the connection is closed. */
  const unfinished = (name: string, bytes: string, after: 'end' | 'reset'): Attack => ({
    name: `POST ${path}: ${name}`,
    async run() {
      const { status } = await sendRaw(Number(new URL(baseUrl).port), [bytes], after);
      return [0, 400].includes(status || 0) ? undefined : `expected no response or 400, got ${status}`;
    },
  });
  const head = (more: Record<string, string> = {}) => headOf(upload(whole, more));
  const bytes = (name: string, text: string): Attack => ({
    name: `POST ${path}: ${name}`,
    run: async () => {
      const response = await raw(baseUrl, text);
      // Node itself responds to what is not HTTP, without a body.
      return response.status === 400
        ? undefined
        : `expected 400, got ${response.status} ${response.text.slice(0, 200)}`;
    },
  });
  const chunked = head().replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
  return [
    ...Object.entries(forms).map(([name, body]) => refused(`a form ${name}`, upload(body))),
    ...Object.entries(badFormTypes).map(([name, media]) =>
      refused(`the media type ${name}`, upload(whole, { 'Content-Type': media })),
    ),
    refused('bytes that are not UTF-8', upload(Buffer.from(form(filePart('x', 'caf\xe9')), 'latin1'))),
    unfinished('cut off, the connection ended', `${head()}${whole.slice(0, -20)}`, 'end'),
    unfinished('cut off, the connection reset', `${head()}${whole.slice(0, -20)}`, 'reset'),
    unfinished('longer announced than sent', `${head({ 'Content-Length': '5000' })}${whole}`, 'end'),
    unfinished('chunks cut off', `${chunked}fff\r\n${whole}`, 'end'),
    bytes('a chunk size that is no number', `${chunked}zz\r\n${whole}\r\n0\r\n\r\n`),
    bytes('a chunk size that is negative', `${chunked}-5\r\n${whole}\r\n0\r\n\r\n`),
    bytes('a length that is no number', `${head({ 'Content-Length': 'abc' })}${whole}`),
    bytes(
      'a length and chunks',
      `${head().replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n')}0\r\n\r\n`,
    ),
    bytes('two lengths', `${head().replace('\r\n\r\n', '\r\nContent-Length: 1\r\n\r\n')}${whole}`),
  ];
}

/** Rows and files of uploads. */
async function storedFiles({ database, dataDirectory, name }: Target): Promise<string> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*)::int from resources) + (select count(*)::int from attachments) as count`.execute(
    database,
  );
  const entries = await readdir(join(dataDirectory, 'blobs', name), { recursive: true, withFileTypes: true });
  return `${rows[0]?.count} rows, ${entries.filter((entry) => entry.isFile()).length} files`;
}
