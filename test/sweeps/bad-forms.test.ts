import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { boundary, filePart, form, part, textPart } from '../files/support.ts';
import { api as startApi } from '../support/api.ts';
import { isForm, type Operation, operations } from './support/contract.ts';
import { codesOf, parsed, refusalError } from './support/refusals.ts';
import { requestsOf, toSend, withToken } from './support/requests.ts';
import { headOf, inParallel, raw, type Sent, send } from './support/send.ts';
import { stored } from './support/stored.ts';

const uploadLimit = 10_000_000;
const api = await startApi({ uploadLimit });
const requests = requestsOf(api);
const { token } = api.world.owner;
const uploads = operations.filter(isForm);

const disposition = 'Content-Disposition: form-data; name="file"; filename="a"';
const open = `--${boundary}\r\n`;
const many = (count: number, one: string) => Array<string>(count).fill(one);
const surplus = textPart('surplus', '1');

/** Forms that are malformed, or not as the operation declares them. */
const forms: Record<string, string> = {
  'that is empty': '',
  'of nothing but its end': form(),
  'that is JSON': '{"file":"bytes"}',
  'that is a query': 'file=bytes',
  'cut in its boundary': open.slice(0, -4),
  'cut in a header': `${open}Content-Dispo`,
  'cut in its file': `${open}${disposition}\r\n\r\nbytes`,
  'cut before its end': filePart(),
  'cut in its end': form(filePart()).slice(0, -4),
  'with another boundary': form(filePart()).replaceAll(boundary, 'another'),
  'with a text posing as the file': form(textPart('file', 'bytes')),
  'with a text of a type posing as the file': form(
    part('Content-Disposition: form-data; name="file"\r\nContent-Type: text/plain', 'x'),
  ),
  'with a file without a name': form(filePart('x', '')),
  'with a text beside the file': form(filePart(), textPart('file', 'bytes')),
  'with two files': form(filePart(), filePart()),
  'with a file of another name': form(filePart().replace('name="file"', 'name="other"')),
  'with its file in another case': form(filePart().replace('name="file"', 'name="File"')),
  'with a file in a list': form(filePart().replace('name="file"', 'name="file[]"')),
  'with a file in an object': form(filePart().replace('name="file"', 'name="a[file]"')),
  'with a surplus text': form(filePart(), surplus),
  'with a surplus text first': form(surplus, filePart()),
  'with a surplus file': form(filePart(), filePart().replace('name="file"', 'name="surplus"')),
  'with nested names': form(filePart(), textPart(`tags${'[a]'.repeat(5_000)}`, '1')),
  'with the name of a prototype': form(filePart(), textPart('__proto__', '1'), textPart('constructor', '1')),
  'with a path to a prototype': form(filePart(), textPart('__proto__[polluted]', '1')),
  'of 10,000 parts': form(...many(10_000, surplus)),
  'of 10,000 parts behind its file': form(filePart(), ...many(10_000, textPart('tags', 'a'))),
  'of 100,000 empty parts': many(100_000, open).join(''),
  'with a part without a name': form(filePart(), part('Content-Disposition: form-data', 'x')),
  'with a part of no disposition': form(filePart(), part('X-Other: 1', 'x')),
  'with an attachment as a part': form(
    part('Content-Disposition: attachment; name="file"; filename="a"', 'x'),
  ),
  'with a header that is none': form(part(`${disposition}\r\nno colon`, 'x')),
  'with a header twice': form(part(`${disposition}\r\n${disposition}`, 'x')),
  'with 2,000 headers': form(
    part(`${disposition}\r\n${Array.from({ length: 2_000 }, (_, at) => `X-${at}: y`).join('\r\n')}`, 'x'),
  ),
  'with a header of 100,000 characters': form(part(`${disposition}\r\nX: ${'y'.repeat(100_000)}`, 'x')),
  'with NUL in a header': form(part(`${disposition}\r\nX: a\0b`, 'x')),
  'with an encoded file': form(part(`${disposition}\r\nContent-Transfer-Encoding: base64`, 'Ynl0ZXM=')),
  'with a form inside': form(
    part(`${disposition}\r\nContent-Type: multipart/mixed; boundary=inner\r\n${disposition}`, 'x'),
  ),
  'with NUL in the file name': form(filePart('x', 'a\0b')),
  'with a line break in the file name': form(filePart('x', 'a%0D%0ASet-Cookie: a=b')),
  'with a file name of a path only': form(filePart('x', '../../')),
  'with a file name of dots': form(filePart('x', '..')),
  'with a file name of 256 characters': form(filePart('x', 'a'.repeat(256))),
  'with a media type that is none': form(filePart('x', 'a', 'text')),
  'with a media type of two lines': form(filePart('x', 'a', 'text/plain\r\n Set-Cookie: a=b')),
  'with a line feed in the media type': form(filePart('x', 'a', 'text/plain\nSet-Cookie: a=b')),
  'with a carriage return in the media type': form(filePart('x', 'a', 'text/plain\rSet-Cookie: a=b')),
  'with a media type of 300 characters': form(filePart('x', 'a', `text/plain; a=${'b'.repeat(300)}`)),
  'with an escape sequence in the media type': form(filePart('x', 'a', 'text/plain; a="\u001b[31m"')),
};

/** Only for operations with tags. */
const badTags: Record<string, string[]> = {
  'with an empty tag': [''],
  'with a tag too long': ['x'.repeat(65)],
  'with a tag much too long': ['x'.repeat(60_000)],
  'with 21 tags': many(21, 'a'),
  'with NUL in a tag': ['a\0b'],
  'with a tag that is a file': [],
};

function badForms(operation: Operation): [name: string, body: string][] {
  const bodies = Object.entries(forms);
  if (operation.body?.examples.some(({ value }) => 'tags' in (value as object)))
    for (const [name, tags] of Object.entries(badTags)) {
      const parts =
        tags.length > 0 ? tags.map((tag) => textPart('tags', tag)) : [filePart().replace('"file"', '"tags"')];
      bodies.push([name, form(filePart(), ...parts)], [`${name}, first`, form(...parts, filePart())]);
    }
  return bodies;
}

const types = {
  'no boundary': 'multipart/form-data',
  'an empty boundary': 'multipart/form-data; boundary=',
  'a boundary of 5,000 characters': `multipart/form-data; boundary=${'b'.repeat(5_000)}`,
  'a boundary in another parameter': `multipart/form-data; border=${boundary}`,
  'a mixture': `multipart/mixed; boundary=${boundary}`,
  relations: `multipart/related; boundary=${boundary}`,
  'a query': 'application/x-www-form-urlencoded',
  JSON: 'application/json',
  'two types': `multipart/form-data; boundary=${boundary}, text/plain`,
};

describe.each(uploads)('$id', (operation) => {
  const valid = async () => withToken(toSend(await requests.valid(operation)), token);
  const refused = (name: string, answer: Awaited<ReturnType<typeof send>>, statuses: number[]) => {
    const fault = refusalError(operation, answer);
    if (fault) return `${name}: ${fault}`;
    return statuses.includes(answer.status) ? undefined : `${name}: ${answer.status} ${codesOf(answer)}`;
  };
  const sendAll = async (cases: [name: string, request: Sent][], statuses: number[]) => {
    const before = await stored(api);
    const faults = await inParallel(cases, async ([name, request]) =>
      send(api.baseUrl, request).then(
        (answer) => refused(name, answer, statuses),
        (error: Error) => `${name}: ${error.message}`,
      ),
    );
    expect(faults.filter(Boolean), `${operation.id} must refuse these forms as its contract says`).toEqual(
      [],
    );
    expect(await stored(api), `${operation.id} stored something of a form that it refused`).toEqual(before);
  };

  test('refuses bad forms, and stores nothing', async () => {
    const request = await valid();
    await sendAll(
      badForms(operation).map(([name, body]) => [`a form ${name}`, { ...request, body }]),
      [400],
    );
  });

  test('refuses a form of random bytes', async () => {
    const request = await valid();
    const bodies = [
      form(filePart('x', 'caf\xe9')),
      form(filePart('x', 'a', 'text/pl\xe4in')),
      form(filePart(), textPart('tags', 'caf\xe9')),
    ];
    await sendAll(
      bodies.map((body) => [body, { ...request, body: Buffer.from(body, 'latin1') }]),
      [400],
    );
  });

  test('refuses a media type that is not a form', async () => {
    const request = await valid();
    const as = (type: string) => ({ ...request, headers: { ...request.headers, 'Content-Type': type } });
    await sendAll(
      Object.entries(types).map(([name, type]) => [name, as(type)]),
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
      expect(path).toMatch(/\/blobs\/production\/blobs\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
      expect(await readFile(path, 'utf8')).toBe('x');
    }
  });
});

test('the platform still works', async () => {
  for (const operation of uploads)
    expect((await requests.send(toSend(await requests.valid(operation)))).status).toBe(201);
  expect(
    api.log.filter(({ msg }) => msg === 'failed'),
    'a caller could make the platform log a fault of its own',
  ).toEqual([]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
