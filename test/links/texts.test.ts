import { expect, test } from 'vitest';
import { textsOf } from '../../server/src/pages/links/texts.ts';

/** All texts in a value; functions are called with sample arguments. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'function') return [String(value('x', 'y'))];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return [String(value)];
}

test('French texts have no-break spaces before punctuation and inside quotation marks', () => {
  const texts = textsIn(textsOf.fr);
  // A colon after a straight quotation mark belongs to JSON.
  expect(texts.filter((text) => /[^\u00a0"][:!?;»](\s|$)|«[^\u00a0]/.test(text))).toEqual([]);
  expect(`${textsOf.fr.reference}${textsOf.fr.colon}1`).toBe('Référence\u00a0: 1');
});
