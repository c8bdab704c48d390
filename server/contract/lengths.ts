import { _, type KeywordCxt } from 'ajv';

/**
 * `minLength` and `maxLength` count Unicode code points, for which ajv iterates over the string, twice if both are
 * set. A string has at most as many code points as UTF-16 units and at least half as many, which usually decides.
 * Otherwise the keyword stays as ajv defines it: its order and its messages.
 */
export function optimizeLengths(ajv: { getKeyword(keyword: string): unknown }): void {
  for (const keyword of ['minLength', 'maxLength']) {
    const definition = ajv.getKeyword(keyword) as { code?: (context: KeywordCxt) => void };
    if (typeof definition?.code !== 'function')
      throw new Error(`ajv has changed: it does not define ${keyword}.`);
    definition.code = lengthCode;
  }
}

/** A string of these formats contains no surrogate pairs; any other is invalid anyway. */
const plainFormats: ReadonlySet<unknown> = new Set(['uuid', 'date-time']);

function lengthCode(context: KeywordCxt): void {
  const { keyword, data, schema: bound, parentSchema, gen } = context;
  if (plainFormats.has(parentSchema['format'])) {
    context.fail(keyword === 'maxLength' ? _`${data}.length > ${bound}` : _`${data}.length < ${bound}`);
    return;
  }
  const count = gen.scopeValue('func', { ref: countCodePoints });
  context.fail(
    keyword === 'maxLength'
      ? _`${data}.length > ${bound} && ${count}(${data}) > ${bound}`
      : _`${data}.length < ${bound} || (${data}.length < ${bound * 2} && ${count}(${data}) < ${bound})`,
  );
}

/** A leading surrogate. V8 stores Latin text in bytes, where none can occur. */
const beyondOneUnit = /[\ud800-\udbff]/;

/** Counts like ajv: a lone surrogate is one. */
function countCodePoints(text: string): number {
  if (!beyondOneUnit.test(text)) return text.length;
  let count = 0;
  for (const _point of text) count++;
  return count;
}
