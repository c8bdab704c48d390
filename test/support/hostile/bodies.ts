/** Bodies that are expensive to parse, to validate or to store. */

const mebibyte = 1 << 20;
export const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));
export const properties = (count: number, make: (index: number) => unknown) =>
  Object.fromEntries(times(count, (index) => [`p${index}`, make(index)]));

/** As many parts, separated by commas, as fit into a body of 1 MiB. */
function filled(
  before: string,
  part: (index: number) => string,
  after: string,
  room = mebibyte - 200,
): string {
  const parts: string[] = [];
  let length = before.length + after.length;
  for (let index = 0; ; index++) {
    const next = part(index);
    length += next.length + 1;
    if (length > room) return `${before}${parts.join()}${after}`;
    parts.push(next);
  }
}

const short = (index: number) => index.toString(36);
/** Well-formed JSON of a mebibyte, or as much of it as the platform accepts. */
export const expensiveBodies: Record<string, string> = {
  'as many names as fit': filled('{', (index) => `"${short(index)}":1`, '}'),
  'as many names as are accepted': JSON.stringify(properties(9_900, () => 1)),
  'names with escapes': `{${times(9_900, (index) => `"\\ud83d\\ude00${short(index)}":1`).join()}}`,
  'an object of its own for each name': filled('[', (index) => `{"${short(index)}":1}`, ']'),
  'as many objects in objects as are accepted': `[${times(4_900, (index) => `{"a${short(index)}":{"b${short(index)}":1}}`).join()}]`,
  'long texts': filled('[', (index) => `"${String(index).padStart(12, '0')}"`, ']'),
  'short texts': filled('[', (index) => `"${short(index)}"`, ']'),
  'small numbers': filled('[', () => '1', ']'),
  'as many small numbers as are accepted': `[${times(190_000, () => '1').join()}]`,
  'rows of a table': filled(
    '[',
    (index) => `{"id":${index},"amount":12.5,"date":"2026-01-01"}`,
    ']',
    400_000,
  ),
  'rows whose names are in no order': filled('[', () => '{"c":1,"b":1,"a":1}', ']'),
  'empty objects': filled('[', () => '{}', ']'),
  'lists in lists, 199 deep': filled('[', () => '['.repeat(198) + ']'.repeat(198), ']'),
  'numbers of 199 digits': filled('[', () => '1'.repeat(199), ']'),
  'one number': `[${'1'.repeat(mebibyte - 500)}]`,
  'one text': JSON.stringify('a'.repeat(mebibyte - 500)),
  'one text that is not in NFC': JSON.stringify('e\u0301'.repeat(mebibyte / 3 - 200)),
  'one text of escapes': `"${'\\u0061'.repeat(mebibyte / 6 - 100)}"`,
  'one address': JSON.stringify(`${'a.'.repeat(mebibyte / 2 - 400)}@`),
};
