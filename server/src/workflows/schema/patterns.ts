import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';

/**
 * Regular expressions that come from outside, run in linear time. A `pattern` of JSON Schema is a JavaScript regular
 * expression with the flag `u`; it is parsed as one and translated, node by node, to the syntax of RE2. Classes
 * such as `\s` and `.` are written out as code points, because RE2 means less by them. No group captures: a schema only asks whether a text matches.
 */
export interface LinearPattern {
  test(text: string): boolean;
  /** Characters and classes with all repeats written out. A test takes some so many steps for each character. */
  size: number;
}

/** UTF-16 units of a pattern. */
export const longestPattern = 2000;
/** Characters and classes of a pattern with all repeats written out: `(ab){1,20}` has 40. */
export const largestPattern = 5000;
/** RE2 repeats nothing more often in one go. */
const mostRepeats = 1000;

/** A pattern that cannot be used; the message says why, to follow "the pattern …". */
export class PatternError extends Error {
  override name = 'PatternError';
}

/** @throws PatternError for what is no regular expression, and for what does not run in linear time */
export function linearPattern(source: string): LinearPattern {
  const { size, translation } = translate(source);
  let program: RE2JS;
  try {
    program = RE2JS.compile(translation);
  } catch (error) {
    throw new PatternError(reasonOf((error as Error).message));
  }
  return { test: (text) => program.test(text), size };
}

/**
 * The size that a pattern has once it is compiled, which takes a hundred times as long.
 *
 * @throws PatternError as compiling it does
 */
export function patternSize(source: string): number {
  return translate(source).size;
}

function translate(source: string): { size: number; translation: string } {
  const { alternatives } = parse(source);
  const size = sizeOfAlternatives(alternatives);
  if (size > largestPattern) {
    throw new PatternError(
      `is too large: written out it has ${size} characters, and may have ${largestPattern}`,
    );
  }
  return { size, translation: alternativesText(alternatives) };
}

function sizeOfAlternatives(alternatives: AST.Alternative[]): number {
  return alternatives.reduce(
    (size, { elements }) => elements.reduce((sum, element) => sum + sizeOf(element), size + 1),
    0,
  );
}

function sizeOf(element: AST.Element): number {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return sizeOfAlternatives(element.alternatives);
    case 'Quantifier':
      return (
        sizeOf(element.element) * Math.max(element.min, Number.isFinite(element.max) ? element.max : 1, 1)
      );
    default:
      return 1;
  }
}

/** RE2's own words are about the translation. */
function reasonOf(message: string): string {
  if (message.includes('repeat')) return `repeats something more than ${mostRepeats} times`;
  return message.includes('character class range')
    ? `names an unknown script; ${classHint}`
    : 'is nested too deeply';
}

function parse(source: string): AST.Pattern {
  if (source.length > longestPattern) throw new PatternError(`is longer than ${longestPattern} characters`);
  try {
    return new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    throw new PatternError(
      `is not a regular expression: ${(error as Error).message.replace(/^.*\/u: /s, '')}`,
    );
  }
}

function alternativesText(alternatives: AST.Alternative[]): string {
  return alternatives.map(({ elements }) => elements.map(elementText).join('')).join('|');
}

function elementText(element: AST.Element): string {
  switch (element.type) {
    case 'Character':
      return characterText(element.value);
    case 'CharacterSet':
    case 'CharacterClass':
      return `[${classText(element)}]`;
    case 'Group':
      if (element.modifiers) throw new PatternError(`has flags inside, ${shown(element)}`);
      return `(?:${alternativesText(element.alternatives)})`;
    case 'CapturingGroup':
      return `(?:${alternativesText(element.alternatives)})`;
    case 'Quantifier':
      return repeated(element);
    case 'Assertion':
      return assertionText(element);
    case 'Backreference':
      throw new PatternError(`has a backreference, ${shown(element)}, which does not run in linear time`);
    default:
      throw new PatternError(`has a part that is not supported, ${shown(element)}`);
  }
}

function assertionText(assertion: AST.Assertion): string {
  switch (assertion.kind) {
    case 'start':
      return '\\A';
    case 'end':
      return '\\z';
    case 'word':
      return assertion.negate ? '\\B' : '\\b';
    default:
      throw new PatternError(
        `has a ${assertion.kind}, ${shown(assertion)}, which does not run in linear time: use several patterns with allOf, or not`,
      );
  }
}

/** RE2 repeats at most a thousand times; more is written as a sequence of repeats. */
function repeated({ element, min, max }: AST.Quantifier): string {
  const part = `(?:${elementText(element)})`;
  const times = (count: number, text: (count: number) => string) =>
    text(mostRepeats).repeat(Math.floor(count / mostRepeats)) +
    (count % mostRepeats > 0 ? text(count % mostRepeats) : '');
  const least = times(min, (count) => `${part}{${count}}`);
  if (max === Number.POSITIVE_INFINITY) return `${least}${part}*`;
  return `${least}${times(max - min, (count) => `${part}{0,${count}}`)}` || '(?:)';
}

type ClassLike = AST.CharacterClass | AST.CharacterSet;

/** What stands between the brackets of a class of RE2. */
function classText(node: ClassLike): string {
  if (node.type === 'CharacterSet') return setText(node);
  if (node.unicodeSets) throw new PatternError(`has a class that is not supported, ${shown(node)}`);
  const inside = node.elements.map(classElementText).join('');
  if (node.negate) return inside === '' ? everything : `^${inside}`;
  return inside === '' ? `^${everything}` : inside;
}

function classElementText(element: AST.ClassRangesCharacterClassElement): string {
  switch (element.type) {
    case 'Character':
      return characterText(element.value);
    case 'CharacterClassRange':
      return `${characterText(element.min.value)}-${characterText(element.max.value)}`;
    default:
      return setText(element);
  }
}

function setText(set: AST.CharacterSet): string {
  if (set.kind === 'property') return propertyText(set);
  const ranges = set.kind === 'any' ? outside(lineEnds) : rangesOf[set.kind];
  return (set.kind !== 'any' && set.negate ? outside(ranges) : ranges).map(rangeText).join('');
}

/**
 * RE2 has the general categories under their short names, and the scripts. Its tables and those of this Node are of
 * the same version of Unicode; a test holds them together.
 */
function propertyText({ key, value, negate, raw }: AST.UnicodePropertyCharacterSet): string {
  const name =
    value === null
      ? /^(?:[A-Z][a-z]?|LC|Any|Assigned)$/.test(key) && key
      : /^(?:Script|sc)$/.test(key)
        ? /^[A-Z][A-Za-z_]+$/.test(value) && value
        : /^(?:General_Category|gc)$/.test(key) && /^(?:[A-Z][a-z]?|LC)$/.test(value) && value;
  if (name) return `\\${negate ? 'P' : 'p'}{${name}}`;
  throw new PatternError(`has a class that is not supported, ${cut(raw)}; ${classHint}`);
}

const classHint = 'write categories as \\p{Lu} and scripts as \\p{Script=Greek}';

type Range = readonly [first: number, last: number];

const greatest = 0x10ffff;
/** What JavaScript means by them (ECMA-262, 22.2.2.9); RE2 knows less white space and fewer line ends. */
const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const rangesOf: Record<'digit' | 'word' | 'space', readonly Range[]> = {
  digit: [[0x30, 0x39]],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  space: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
};

/** What lies between ranges that are in order. */
function outside(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  const ends = [...ranges.map(([first]) => first - 1), greatest];
  return starts
    .map((first, index) => [first, ends[index] as number] as const)
    .filter(([first, last]) => first <= last);
}

const characterText = (codePoint: number) => `\\x{${codePoint.toString(16)}}`;
const rangeText = ([first, last]: Range) => `${characterText(first)}-${characterText(last)}`;
const everything = rangeText([0, greatest]);
const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const shown = ({ raw }: { raw: string }) => cut(raw);
