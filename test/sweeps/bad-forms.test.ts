import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { badForms, badFormTypes, badTags, filePart, form, textPart } from '../support/hostile/forms.ts';
import { headOf, inParallel, raw, type Sent, send, sendRaw } from '../support/raw-requests.ts';
import { onS3 } from '../support/s3.ts';
import { advice } from './support/advice.ts';
import { isForm, type Operation, operations } from './support/contract.ts';
import { codesOf, parsed, refusalError } from './support/refusals.ts';
import { assertAccepted, requestsOf, toSend, withToken } from './support/requests.ts';
import { stored } from './support/stored.ts';

const uploadLimit = 10_000_000;
const api = await startApi({ uploadLimit });
const requests = requestsOf(api);
const { token } = api.world.owner;
const uploads = operations.filter(isForm);

function formsFor(operation: Operation): [name: string, body: string][] {
  const bodies = Object.entries(badForms);
  if (operation.body?.examples.some(({ value }) => 'tags' in (value as object)))
    for (const [name, tags] of Object.entries(badTags)) {
      const parts =
        tags.length > 0 ? tags.map((tag) => textPart('tags', tag)) : [filePart().replace('"file"', '"tags"')];
      bodies.push([name, form(filePart(), ...parts)], [`${name}, first`, form(...parts, filePart())]);
    }
  return bodies;
}

/** Only the local directory has subdirectories. */
const pathOfBlob = onS3()
  ? /\/blobs\/production\/blobs\/[0-9a-f-]{36}$/
  : /\/blobs\/production\/blobs\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f-]{36}$/;

describe.each(uploads)('$id', (operation) => {
  const valid = async () => withToken(toSend(await requests.valid(operation)), token);
  const refused = (name: string, response: Awaited<ReturnType<typeof send>>, statuses: number[]) => {
    const problem = refusalError(operation, response);
    if (problem) return `${name}: ${problem}`;
    return statuses.includes(response.status)
      ? undefined
      : `${name}: ${response.status} ${codesOf(response)}`;
  };
  const sendAll = async (cases: [name: string, request: Sent][], statuses: number[]) => {
    const before = await stored(api);
    const problems = await inParallel(cases, async ([name, request]) =>
      send(api.baseUrl, request).then(
        (response) => refused(name, response, statuses),
        (error: Error) => `${name}: ${error.message}`,
      ),
    );
    expect(problems.filter(Boolean), advice('refusal', operation)).toEqual([]);
    expect(await stored(api), advice('unchanged', operation)).toEqual(before);
  };

  test('refuses bad forms, and stores nothing', async () => {
    const request = await valid();
    await sendAll(
      formsFor(operation).map(([name, body]) => [`a form ${name}`, { ...request, body }]),
      [400],
    );
  });

  test('refuses a form of random bytes', async () => {
    const request = await valid();
    const bodies = [form(filePart('x', 'caf\xe9')), form(filePart(), textPart('tags', 'caf\xe9'))];
    await sendAll(
      bodies.map((body) => [body, { ...request, body: Buffer.from(body, 'latin1') }]),
      [400],
    );
  });

  test('refuses a media type that is not a form', async () => {
    const request = await valid();
    const as = (type: string) => ({ ...request, headers: { ...request.headers, 'Content-Type': type } });
    await sendAll(
      Object.entries(badFormTypes).map(([name, type]) => [name, as(type)]),
      [400, 415],
    );
  });

  test('refuses too large a file, with and without a Content-Length', async () => {
    const request = await valid();
    const body = form(filePart('x'.repeat(uploadLimit + 1)));
    const { 'Content-Length': _, ...headers } = request.headers ?? {};
    await sendAll(
      [
        ['whole', { ...request, body }],
        ['in chunks', { ...request, headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body }],
      ],
      [413],
    );
    const before = await stored(api);
    const head = headOf({ ...request, headers: { ...headers, 'Content-Length': 5_000_000_000 } });
    for (const bytes of [head, `${head}${body}`])
      expect(refused('announced', await raw(api.baseUrl, bytes), [413])).toBeUndefined();
    expect(await stored(api)).toEqual(before);
  });

  test('refuses bytes that are not HTTP, and stores nothing', async () => {
    const request = await valid();
    const body = form(filePart());
    const { 'Content-Length': _, ...headers } = request.headers ?? {};
    const head = (more: Record<string, string> = {}) =>
      headOf({ ...request, body, headers: { ...headers, ...more } });
    const headWith = (line: string) => head().replace('\r\n\r\n', `\r\n${line}\r\n\r\n`);
    const chunked = head().replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const before = await stored(api);
    // Node itself responds, without a body.
    for (const [name, bytes] of Object.entries({
      'a chunk size that is no number': `${chunked}zz\r\n${body}\r\n0\r\n\r\n`,
      'a negative chunk size': `${chunked}-5\r\n${body}\r\n0\r\n\r\n`,
      'a length that is no number': `${head({ 'Content-Length': 'abc' })}${body}`,
      'a length and chunks': `${headWith('Transfer-Encoding: chunked')}0\r\n\r\n`,
      'two lengths': `${headWith('Content-Length: 1')}${body}`,
    }))
      expect((await raw(api.baseUrl, bytes)).status, name).toBe(400);
    for (const [name, bytes, after] of [
      ['cut off, the connection ended', `${head()}${body.slice(0, -20)}`, 'end'],
      ['cut off, the connection reset', `${head()}${body.slice(0, -20)}`, 'reset'],
      ['longer announced than sent', `${head({ 'Content-Length': '5000' })}${body}`, 'end'],
      ['chunks cut off', `${chunked}fff\r\n${body}`, 'end'],
    ] as const) {
      const { status } = await sendRaw(Number(new URL(api.baseUrl).port), [bytes], after);
      // No response, or a refusal.
      expect([0, 400], name).toContain(status || 0);
    }
    // What is refused may be removed after the response.
    await expect.poll(() => stored(api)).toEqual(before);
  });

  test('stores a name that looks like a path as a name, and the file in the blob store', async () => {
    const names = {
      '../../x': 'x',
      '/etc/passwd': 'passwd',
      'C:\\\\a\\\\b': 'b',
      '..%2f..%2fx': '..%2f..%2fx',
      '<img src=x>': '<img src=x>',
    };
    const before = (await stored(api))['files'] as string[];
    for (const [given, name] of Object.entries(names)) {
      const { text, status } = await send(api.baseUrl, {
        ...(await valid()),
        body: form(filePart('x', given)),
      });
      expect(status, text).toBe(201);
      expect(Object.values(parsed(text) as object)).toContain(name);
    }
    const after = (await stored(api))['files'] as string[];
    const added = after.filter((file) => !before.includes(file));
    expect(added.length).toBeGreaterThanOrEqual(Object.keys(names).length);
    for (const path of added) {
      expect(path).toMatch(pathOfBlob);
      expect(await readFile(path, 'utf8')).toBe('x');
    }
  });
});

test('the platform still works', async () => {
  for (const operation of uploads)
    assertAccepted(operation, await requests.send(toSend(await requests.valid(operation))));
  expect(
    api.log.filter(({ msg }) => msg === 'failed'),
    'a caller could make the platform log an error of its own',
  ).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
