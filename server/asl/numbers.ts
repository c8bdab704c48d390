import type jsonata from 'jsonata';
import { quoted, refusal } from './failure.ts';

/** JSONata's functions of these names. */
export interface NumberFunctions {
  formatNumber(value: number, picture: string, options?: object): string;
  formatInteger(value: number, picture: string): string;
  formatBase(value: number, radix?: number): string;
  parseInteger(text: string, picture: string): number;
}

/** Above, JavaScript writes a number with an exponent. */
const maxWritten = 1e21;

/**
 * Registers the functions that convert between numbers and text: JSONata's, except that a number which they cannot write
 * and a text which they cannot read completely are errors.
 *
 * @param own JSONata's functions
 */
export function registerNumberFunctions(expression: jsonata.Expression, own: NumberFunctions): void {
  expression.registerFunction('formatNumber', formatNumber, '<n-so?:s>');
  expression.registerFunction('formatInteger', formatInteger, '<n-s:s>');
  expression.registerFunction('formatBase', formatBase, '<n-n?:s>');
  expression.registerFunction('parseInteger', parseInteger, '<s-s:n>');

  function formatNumber(value: number | undefined, picture: string, options?: object) {
    if (value === undefined) return undefined;
    const text = own.formatNumber(value, picture, options);
    // Of a percentage, 1e19 is already too large.
    const isLarge = Math.abs(value) >= maxWritten / 1_000;
    if (isLarge && /e[^\de]*\+|Infinity/.test(text)) throw tooLarge('formatNumber', value);
    return text;
  }

  function formatInteger(value: number | undefined, picture: string) {
    if (value === undefined) return undefined;
    const text = own.formatInteger(value, picture);
    if (text === '')
      throw refusal(`$formatInteger cannot write ${value} with the picture ${quoted(picture)}.`);
    if (Math.abs(value) >= maxWritten && /e[^\de]*\+/.test(text)) throw tooLarge('formatInteger', value);
    return text;
  }

  function formatBase(value: number | undefined, radix?: number) {
    if (value === undefined) return undefined;
    const text = own.formatBase(value, radix);
    if (Math.abs(value) >= maxWritten && text.includes('+')) throw tooLarge('formatBase', value);
    return text;
  }

  function parseInteger(text: string | undefined, picture: string) {
    if (text === undefined) return undefined;
    const value = own.parseInteger(text, picture);
    if (Number.isFinite(value) && isRead(text, value, picture)) return value;
    throw refusal(`$parseInteger cannot read ${quoted(text)} with the picture ${quoted(picture)}.`);
  }
}

function tooLarge(name: string, value: number) {
  return refusal(`$${name} cannot write ${value}, which is too large.`);
}

/** Whether all of the text is the number. JSONata reads its beginning, and words and letters however they continue. */
function isRead(text: string, value: number, picture: string): boolean {
  const [, primary = '', modifier = ''] = /^(.*?)(;[^;]*)?$/s.exec(picture) ?? [];
  if (/^a$/i.test(primary)) return /^[a-z]+$/i.test(text);
  // Digits of other scripts have no simple check.
  if (!/\d/.test(primary)) return true;
  const number = modifier.includes('o') ? text.replace(/(st|nd|rd|th)$/, '') : text;
  const others = [...number.replace(/^[-+]/, '')].filter((character) => !/\d/.test(character));
  return (
    others.every((each) => primary.includes(each)) && Number(number.replace(/\D/g, '')) === Math.abs(value)
  );
}
