import { expect, test } from 'vitest';
import { boundary, filePart, form, part, textPart } from '../support/hostile/forms.ts';
import { sendRaw } from '../support/raw-requests.ts';
import { givenUploads, upload, uploadHead } from './support.ts';

/** What became of a form: the file and its fields, or the code of the error. */
async function outcomeOf(body: string | Buffer, type?: string): Promise<unknown> {
  const { port } = await givenUploads();
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const response = await sendRaw(port, [uploadHead(bytes.length, type), bytes]);
  const parsed = JSON.parse(response.body);
  if (response.status !== 200) return parsed.errors[0].code;
  return { name: parsed.file.name, type: parsed.file.contentType, size: parsed.file.size, ...parsed.fields };
}

const stored = { name: 'report.txt', type: 'text/plain', size: 5 };
const malformed = 'multipart_malformed';

test.each<[section: string, type: string, outcome: unknown]>([
  ['RFC 9110, 5.6.6: in any case', `Multipart/Form-Data; BOUNDARY=${boundary}`, stored],
  ['RFC 9110, 5.6.6: quoted', `multipart/form-data; boundary="${boundary}"`, stored],
  ['RFC 9110, 5.6.4: escaped', 'multipart/form-data; boundary="hand\\-written"', malformed],
  ['RFC 9110, 5.6.6: empty at the end', `multipart/form-data; boundary=${boundary};`, stored],
  ['RFC 9110, 5.6.6: empty, with spaces', `multipart/form-data; boundary=${boundary} ; `, stored],
  ['RFC 9110, 5.6.6: empty before', `multipart/form-data;; ;boundary=${boundary}`, stored],
  ['RFC 9110, 5.6.6: without spaces', `multipart/form-data;boundary=${boundary}`, stored],
  ['RFC 9110, 5.6.6: tabs', `multipart/form-data\t;\tboundary=${boundary}\t`, stored],
  [
    'RFC 9110, 5.6.6: after others',
    `multipart/form-data; a="b;c\\"; boundary=d"; boundary=${boundary}`,
    stored,
  ],
  ['RFC 9110, 5.6.6: no space before =', `multipart/form-data; boundary =${boundary}`, malformed],
  ['RFC 9110, 5.6.6: no space after =', `multipart/form-data; boundary= ${boundary}`, malformed],
  ['RFC 9110, 5.6.6: a value', `multipart/form-data; boundary=${boundary}; other`, malformed],
  ['RFC 9110, 5.6.6: no comma', `multipart/form-data; boundary=${boundary}, a=b`, malformed],
  ['RFC 9110, 5.6.4: closed quotation', `multipart/form-data; boundary="${boundary}`, malformed],
  ['RFC 9110, 5.6.4: nothing after it', `multipart/form-data; boundary="${boundary}"x`, malformed],
  ['RFC 6838, 4.3: once', `multipart/form-data; boundary=${boundary}; boundary=${boundary}`, malformed],
  ['RFC 2046, 5.1.1: at least 1 character', 'multipart/form-data; boundary=""', malformed],
  ['RFC 2046, 5.1.1: no space at the end', `multipart/form-data; boundary="${boundary} "`, malformed],
  ['RFC 2046, 5.1.1: at most 70', `multipart/form-data; boundary=${'b'.repeat(71)}`, malformed],
  ['RFC 2046, 5.1.1: its characters', 'multipart/form-data; boundary="a*b"', malformed],
  [
    'RFC 9110, 8.3: long parameters',
    `multipart/form-data; a=${'b'.repeat(500)}; boundary=${boundary}`,
    stored,
  ],
])('a boundary is read by %s', async (_section, type, outcome) => {
  expect(await outcomeOf(form(filePart()), type)).toEqual(outcome);
});

test.each([
  ['all of its characters', "'()+_,-./:=? a"],
  ['70 characters', 'b'.repeat(70)],
])('a boundary has %s (RFC 2046, 5.1.1)', async (_case, other) => {
  const body = form(filePart()).replaceAll(boundary, other);
  expect(await outcomeOf(body, `multipart/form-data; boundary="${other}"`)).toEqual(stored);
});

const [file, tags, end] = [filePart(), textPart('tags', 'a'), `--${boundary}--`];
const padded = (padding: string) =>
  form(file, tags).replaceAll(`--${boundary}\r\n`, `--${boundary}${padding}\r\n`);
const both = { ...stored, tags: ['a'] };

test.each<[section: string, body: string, outcome: unknown]>([
  ['5.1.1: a space after a boundary', padded(' '), both],
  ['5.1.1: spaces and tabs after a boundary', padded(' \t \t'), both],
  ['5.1.1: 1,000 spaces after a boundary', padded(' '.repeat(1000)), both],
  ['5.1.1: spaces after the last boundary', form(file, tags).replace(end, `${end} \t`), both],
  ['5.1.1: no line end after the last boundary', `${file}${tags}${end}`, both],
  ['5.1.1: a preamble', `This is a form.\r\n--not it\r\n${form(file, tags)}`, both],
  ['5.1.1: an empty line before', `\r\n${form(file, tags)}`, both],
  ['5.1.1: an epilogue', `${form(file, tags)}That was a form.\r\n--${boundary}\r\n`, both],
  ['5.1.1: an epilogue that is a form', `${form(file, tags)}${form(tags, file)}`, both],
  [
    '5.1.1: a boundary within a line is content',
    form(filePart(`a --${boundary}\r\n`), tags),
    { ...both, size: 18 },
  ],
  ['5.1.1: text after a boundary', padded(' x'), malformed],
  ['5.1.1: dashes after padding', `${file}${tags}--${boundary} --\r\n`, malformed],
  ['5.1.1: another boundary that begins like it', form(filePart(`a\r\n--${boundary}x\r\n`), tags), malformed],
  [
    '5.1.1: padding before a boundary',
    form(file, tags).replaceAll(`--${boundary}\r\n`, ` --${boundary}\r\n`),
    'body_invalid',
  ],
])('a delimiter is read by RFC 2046, %s', async (_section, body, outcome) => {
  expect(await outcomeOf(body)).toEqual(outcome);
});

test.each([
  ['padding', padded(' \t ')],
  ['an epilogue', form(file, tags) + form(tags, file)],
])('%s may arrive byte by byte', async (_what, sent) => {
  const { port } = await givenUploads();
  const { status, body } = await sendRaw(port, [uploadHead(sent.length), ...sent]);
  expect([status, JSON.parse(body).fields]).toEqual([200, { tags: ['a'] }]);
});

const typed = (type: string) => form(filePart('bytes', 'report.txt', type));
const unknown = { ...stored, type: 'application/octet-stream' };

test.each<[what: string, type: string, outcome: unknown]>([
  ['text/csv', 'text/csv', { ...stored, type: 'text/csv' }],
  ['with a parameter', 'text/csv; charset=utf-8', { ...stored, type: 'text/csv; charset=utf-8' }],
  ['with an empty parameter', 'text/csv;', { ...stored, type: 'text/csv;' }],
  ['with a quoted parameter', 'text/csv; a="b;c"', { ...stored, type: 'text/csv; a="b;c"' }],
  ['folded', 'text/csv;\r\n a=b', { ...stored, type: 'text/csv; a=b' }],
  ['empty', '', unknown],
  ['no media type', 'foo', unknown],
  ['without a subtype', 'text/', unknown],
  ['without a type', '/csv', unknown],
  ['with two subtypes', 'text/csv/x', unknown],
  ['a range', '*/*', unknown],
  ['with a space', 'text /csv', unknown],
  ['with a parameter without a value', 'text/csv; a', unknown],
  ['with a space before =', 'text/csv; a =b', unknown],
  ['with an open quotation', 'text/csv; a="b', unknown],
  ['with a parameter twice', 'text/csv; a=b; A=c', unknown],
  ['a list', 'text/csv, text/plain', unknown],
  ['longer than 255 characters', `text/csv; a=${'b'.repeat(300)}`, unknown],
])('the media type of a file, %s, is stored or application/octet-stream', async (_what, type, outcome) => {
  expect(await outcomeOf(typed(type))).toEqual(outcome);
});

const disposed = (disposition: string) =>
  form(part(`Content-Disposition: ${disposition}\r\nContent-Type: text/plain`, 'bytes'));
const named = (name: string) => ({ ...stored, name });

test.each<[section: string, disposition: string, outcome: unknown]>([
  ['RFC 9110, 5.6.6: in any case', 'FORM-DATA; NAME="file"; FileName="a"', named('a')],
  ['RFC 9110, 5.6.6: unquoted', 'form-data; name=file; filename=a', named('a')],
  ['RFC 9110, 5.6.6: empty parameters', 'form-data;; name="file"; ; filename="a";', named('a')],
  ['RFC 9110, 5.6.6: no spaces', 'form-data;name="file";filename="a"', named('a')],
  ['RFC 9110, 5.6.4: escapes', 'form-data; name="file"; filename="\\\\a\\"b"', named('a"b')],
  [
    'RFC 9110, 5.6.4: quoted parameters',
    'form-data; name="file"; filename="a; filename=b"',
    named('a; filename=b'),
  ],
  ['RFC 9110, 5.6.6: no space before =', 'form-data; name ="file"; filename="a"', malformed],
  ['RFC 9110, 5.6.6: no space after =', 'form-data; name= "file"; filename="a"', malformed],
  ['RFC 9110, 5.6.6: a value', 'form-data; name="file"; filename', malformed],
  ['RFC 9110, 5.6.2: a token has no space', 'form-data; name=file; filename=a b', malformed],
  ['RFC 9110, 5.6.4: an open quotation', 'form-data; name="file"; filename="a', malformed],
  ['RFC 6266, 4.1: a parameter once', 'form-data; name="file"; filename="a"; filename="b"', malformed],
  ['RFC 6266, 4.1: a name once', 'form-data; name="file"; name="note"; filename="a"', malformed],
  ['RFC 7578, 4.2: its type', 'attachment; name="file"; filename="a"', malformed],
  ['RFC 7578, 4.2: a name', 'form-data; filename="a"', malformed],
  ['RFC 7578, 4.2: no name*', `form-data; name="file"; name*=UTF-8''note; filename="a"`, named('a')],
  [
    'RFC 6266, 4.3: filename* first',
    `form-data; name="file"; filename="a"; filename*=UTF-8''%e2%82%ac`,
    named('€'),
  ],
  [
    'RFC 6266, 4.3: in any order',
    `form-data; name="file"; filename*=utf-8'en'%e2%82%ac; filename="a"`,
    named('€'),
  ],
  ['RFC 6266, 4.3: alone', `form-data; name="file"; filename*=ISO-8859-1''%e9`, named('é')],
  [
    'RFC 8187, 3.2.1: no escapes of escapes',
    `form-data; name="file"; filename*=UTF-8''a%2522b`,
    named('a%22b'),
  ],
  [
    'RFC 6266, 4.3: half an escape',
    `form-data; name="file"; filename="a"; filename*=UTF-8''%e2%8`,
    named('a'),
  ],
  ['RFC 6266, 4.3: no UTF-8', `form-data; name="file"; filename="a"; filename*=UTF-8''%ff`, named('a')],
  [
    'RFC 6266, 4.3: another charset',
    `form-data; name="file"; filename="a"; filename*=KOI8-R''%c1`,
    named('a'),
  ],
  ['RFC 6266, 4.3: no charset', 'form-data; name="file"; filename="a"; filename*=b', named('a')],
  ['RFC 6266, 4.3: a space', `form-data; name="file"; filename*=UTF-8''b c; filename="a"`, named('a')],
  ['RFC 6266, 4.3: nothing', `form-data; name="file"; filename="a"; filename*=`, named('a')],
  ['RFC 6266, 4.3: an empty name', `form-data; name="file"; filename="a"; filename*=UTF-8''`, named('a')],
  ['RFC 6266, 4.3: broken, and alone', `form-data; name="file"; filename*=UTF-8''%zz`, malformed],
  ['HTML, 4.10.21.8: escapes', 'form-data; name="file"; filename="a%22b%20c%2522"', named('a"b%20c%2522')],
  ['RFC 7578, 5.1: UTF-8', 'form-data; name="file"; filename="é\ufffd"', named('é\ufffd')],
])('a disposition is read by %s', async (_section, disposition, outcome) => {
  expect(await outcomeOf(disposed(disposition))).toEqual(outcome);
});

const inCharset = (type: string, bytes: number[]) =>
  Buffer.concat([
    Buffer.from(`${file}--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n${type}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from(`\r\n${end}`),
  ]);
const note = (text: string) => ({ ...stored, note: text });

test.each<[charset: string, bytes: number[], outcome: unknown]>([
  ['utf-8', [0xe2, 0x82, 0xac], note('€')],
  ['UTF8', [0xe2, 0x82, 0xac], note('€')],
  ['"utf-8"', [0xe2, 0x82, 0xac], note('€')],
  ['utf-8;', [0xe2, 0x82, 0xac], note('€')],
  ['utf-8', [0xef, 0xbf, 0xbd], note('\ufffd')],
  ['utf-8', [0xef, 0xbb, 0xbf, 0x61], note('\ufeffa')],
  ['utf-8', [0xe2, 0x82], 'body_invalid'],
  ['utf-8', [0x80], 'body_invalid'],
  ['utf-8', [0xed, 0xa0, 0x80], 'body_invalid'],
  ['windows-1252', [0x80, 0x93, 0xe9], note('€“é')],
  ['CP1252', [0x80], note('€')],
  ['latin1', [0x80], note('€')],
  ['iso-8859-1', [0xe9], note('é')],
  ['us-ascii', [0x61], note('a')],
  ['iso-8859-15', [0xa4], note('€')],
  ['windows-1251', [0xcf], note('П')],
  ['koi8-r', [0xf0], note('П')],
  ['macintosh', [0x8e], note('é')],
  ['shift_jis', [0x93, 0xfa], note('日')],
  ['euc-jp', [0xc6, 0xfc], note('日')],
  ['gb18030', [0xc8, 0xd5], note('日')],
  ['big5', [0xa4, 0xe9], note('日')],
  ['euc-kr', [0xc0, 0xcf], note('일')],
  ['utf-16le', [0xac, 0x20], note('€')],
  ['utf-16be', [0x20, 0xac], note('€')],
  ['utf-16le', [0x00, 0xd8], 'body_invalid'],
  ['shift_jis', [0x80, 0x93], 'body_invalid'],
  ['windows-1252', [0x00], 'body_invalid'],
  ['klingon', [0x61], 'body_invalid'],
  ['utf-7', [0x61], 'body_invalid'],
  ['base64', [0x61], 'body_invalid'],
  ['""', [0x61], 'body_invalid'],
  ['replacement', [0x61], 'body_invalid'],
])('a text in the charset %s (%j) is decoded by the Encoding Standard', async (charset, bytes, outcome) => {
  expect(await outcomeOf(inCharset(`Content-Type: text/plain; charset=${charset}`, bytes))).toEqual(outcome);
});

test.each<[what: string, header: string, bytes: number[], outcome: unknown]>([
  ['a charset within a quotation', 'Content-Type: text/plain; a="x; charset=latin1"', [0xe9], 'body_invalid'],
  ['a value that is no media type', 'Content-Type: foo; charset=latin1', [0xc3, 0xa9], note('é')],
  ['an empty media type', 'Content-Type:', [0xc3, 0xa9], note('é')],
  ['another media type', 'Content-Type: application/json; charset=latin1', [0xe9], note('é')],
  ['no media type', 'X-Other: 1', [0xc3, 0xa9], note('é')],
  ['an encoding that changes nothing', 'Content-Transfer-Encoding: 8BIT', [0xc3, 0xa9], note('é')],
  ['an encoding', 'Content-Transfer-Encoding: quoted-printable', [0x61], malformed],
  ['two media types', 'Content-Type: text/plain\r\nContent-Type: text/csv', [0x61], malformed],
  ['a header name with a space', 'X-Other : 1', [0x61], malformed],
])('a text with %s is read by RFC 7578', async (_what, header, bytes, outcome) => {
  expect(await outcomeOf(inCharset(header, bytes))).toEqual(outcome);
});

test('a form cannot set the charset of its texts: a field _charset_ is refused as unknown', async () => {
  expect(await outcomeOf(form(textPart('_charset_', 'utf-8'), file))).toBe('body_invalid');
});

test('a header of thousands of parameters that fail at their end is refused at once', async () => {
  const { port } = await givenUploads();
  for (const one of ['; filename*=a ', '; ', ';a="b"', '; a=b ']) {
    const disposition = `form-data; name="file"${one.repeat(Math.floor(14_000 / one.length))}!`;
    const startedAt = performance.now();
    await sendRaw(port, upload(disposed(disposition)));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  }
});
