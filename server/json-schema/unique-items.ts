import { _, type KeywordCxt } from 'ajv';

/**
 * Replaces `uniqueItems` by an implementation that hashes. ajv compares all pairs, which takes 13 seconds for 20,000
 * objects. Equality, the message and the reported pair are those of ajv.
 */
export function hashUniqueItems(ajv: { getKeyword(keyword: string): unknown }): void {
  const definition = ajv.getKeyword('uniqueItems') as { code?: (context: KeywordCxt) => void };
  if (typeof definition?.code !== 'function')
    throw new Error('ajv has changed: it does not define uniqueItems.');
  definition.code = uniqueItemsCode;
}

function uniqueItemsCode(context: KeywordCxt): void {
  const { gen, data, schema } = context;
  if (!schema) return;
  const find = gen.scopeValue('func', { ref: lastRepeated });
  const pair = gen.const('pair', _`${find}(${data})`);
  context.setParams({ i: _`${pair}.i`, j: _`${pair}.j` });
  context.fail(_`${pair} !== undefined`);
}

/** @returns the last item that repeats an earlier one, and the nearest one that it equals */
function lastRepeated(items: readonly unknown[]): { i: number; j: number } | undefined {
  // Two maps, because a string may equal the canonical text of an object.
  const [plain, structured] = [new Map<unknown, number>(), new Map<unknown, number>()];
  let found: { i: number; j: number } | undefined;
  for (const [i, item] of items.entries()) {
    const isPlain = typeof item !== 'object' || item === null;
    const [seen, key] = isPlain ? [plain, item] : [structured, canonical(item)];
    const j = seen.get(key);
    if (j !== undefined) found = { i, j };
    seen.set(key, i);
  }
  return found;
}

/** Equal text for equal JSON values, whatever the order of properties. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`);
  return `{${members.join()}}`;
}
