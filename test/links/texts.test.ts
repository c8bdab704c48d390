import { expect, test } from 'vitest';
import { textsOf } from '../../server/src/pages/links/texts.ts';

/** All that stands in a value: texts, and what functions make of an example. */
function saidIn(value: unknown): string[] {
  if (typeof value === 'function') return [String(value('x', 'y'))];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(saidIn);
  return [String(value)];
}

test('French breaks no line before a colon, a question or an exclamation mark, nor inside quotation marks', () => {
  const said = saidIn(textsOf.fr);
  // After a quotation mark of JSON a colon is JSON's own.
  expect(said.filter((text) => /[^\u00a0"][:!?;»](\s|$)|«[^\u00a0]/.test(text))).toEqual([]);
  expect(`${textsOf.fr.reference}${textsOf.fr.colon}1`).toBe('Référence\u00a0: 1');
});
