/** Parts of forms, and forms that are malformed. */

export const boundary = 'hand-written';

/** One part with these headers. */
export function part(headers: string, content = ''): string {
  return `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`;
}

export const textPart = (name: string, value: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, value);
export const filePart = (content = 'bytes', name = 'report.txt', type = 'text/plain') =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}`, content);
export const form = (...parts: string[]) => `${parts.join('')}--${boundary}--\r\n`;

const disposition = 'Content-Disposition: form-data; name="file"; filename="a"';
const open = `--${boundary}\r\n`;
const many = (count: number, one: string) => Array<string>(count).fill(one);
const surplus = textPart('surplus', '1');

/** Forms that are malformed, or not as the operation declares them. */
export const badForms: Record<string, string> = {
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
  'with a malformed header': form(part(`${disposition}\r\nno colon`, 'x')),
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
  'with a line feed in the media type': form(filePart('x', 'a', 'text/plain\nSet-Cookie: a=b')),
  'with a carriage return in the media type': form(filePart('x', 'a', 'text/plain\rSet-Cookie: a=b')),
  'with an escape sequence in the media type': form(filePart('x', 'a', 'text/plain; a="\u001b[31m"')),
};

/** Only for operations with tags. */
export const badTags: Record<string, string[]> = {
  'with an empty tag': [''],
  'with a tag too long': ['x'.repeat(65)],
  'with a tag much too long': ['x'.repeat(60_000)],
  'with 21 tags': many(21, 'a'),
  'with NUL in a tag': ['a\0b'],
  'with a tag that is a file': [],
};

/** Media types of a body that is a form with this boundary. */
export const badFormTypes = {
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
