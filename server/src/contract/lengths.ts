import { _, type KeywordCxt } from 'ajv';

/**
 * `minLength` and `maxLength` count Unicode code points, which ajv does character by character, twice for
 * a value with both bounds. A text has at most as many code points as UTF-16 units and at least half as
 * many, and mostly that decides. The definition of ajv stays as it is otherwise: its place in the order of
 * keywords, its words.
 */
export function quickenLengths(ajv: { getKeyword(keyword: string): unknown }): void {
  for (const keyword of ['minLength', 'maxLength']) {
    const definition = ajv.getKeyword(keyword) as { code?: (context: KeywordCxt) => void };
    if (typeof definition?.code !== 'function')
      throw new Error(`ajv has changed: it does not define ${keyword}.`);
    definition.code = lengthCode;
  }
}

/** A text that has one of these formats has no character of two units; any other is refused all the same. */
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

/** The first half of a surrogate pair. Text in Latin script is stored in bytes, where it cannot occur. */
const beyondOneUnit = /[\ud800-\udbff]/;

/** As ajv counts: a lone surrogate is one. */
function countCodePoints(text: string): number {
  if (!beyondOneUnit.test(text)) return text.length;
  let count = 0;
  for (const _point of text) count++;
  return count;
}
