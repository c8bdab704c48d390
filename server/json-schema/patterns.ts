import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';

/**
 * Runs untrusted regular expressions in linear time. A `pattern` of JSON Schema is a JavaScript regular expression with
 * the flag `u`; it is parsed as such and translated to the syntax of RE2. Classes such as `\s` and `.` are translated
 * to code points, because those of RE2 are smaller. Groups do not capture, because a schema only tests for a match.
 */
export interface LinearPattern {
  test(text: string): boolean;
  /** Characters and classes, counting repetitions: about the number of steps for each character of a text. */
  size: number;
}

/** UTF-16 units of a pattern. */
const maxPatternLength = 2000;
/** Characters and classes of a pattern, counting repetitions: `(ab){1,20}` has 40. */
const maxPatternSize = 5000;
/** The limit of RE2 for one repetition. */
const maxRepeats = 1000;

/** The pattern cannot be used. The message completes "the pattern …". */
export class PatternError extends Error {
  override name = 'PatternError';
}

/** @throws PatternError if the source is not a regular expression or does not run in linear time */
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
 * The size of a pattern, without compiling it, which would take a hundred times as long.
 *
 * @throws PatternError as `linearPattern`, except for errors of the compiler
 */
export function patternSize(source: string): number {
  return translate(source).size;
}

function translate(source: string): { size: number; translation: string } {
  const { alternatives } = parse(source);
  const size = sizeOfAlternatives(alternatives);
  if (size > maxPatternSize) {
    throw new PatternError(
      `is too large: with its repetitions it has ${size} characters; the limit is ${maxPatternSize}`,
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

/** RE2's messages refer to the translation. */
function reasonOf(message: string): string {
  if (message.includes('repeat')) return `repeats something more than ${maxRepeats} times`;
  return message.includes('character class range')
    ? `names an unknown script; ${classHint}`
    : 'is nested too deeply';
}

function parse(source: string): AST.Pattern {
  if (source.length > maxPatternLength)
    throw new PatternError(`is longer than ${maxPatternLength} characters`);
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

/** Splits repetitions beyond the limit of RE2 into a sequence. */
function repeated({ element, min, max }: AST.Quantifier): string {
  const part = `(?:${elementText(element)})`;
  const times = (count: number, text: (count: number) => string) =>
    text(maxRepeats).repeat(Math.floor(count / maxRepeats)) +
    (count % maxRepeats > 0 ? text(count % maxRepeats) : '');
  const least = times(min, (count) => `${part}{${count}}`);
  if (max === Number.POSITIVE_INFINITY) return `${least}${part}*`;
  return `${least}${times(max - min, (count) => `${part}{0,${count}}`)}` || '(?:)';
}

type ClassLike = AST.CharacterClass | AST.CharacterSet;

/** The content of a class of RE2, between the brackets. */
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
  const ranges = set.kind === 'any' ? complement(lineEnds) : rangesOf[set.kind];
  return (set.kind !== 'any' && set.negate ? complement(ranges) : ranges).map(rangeText).join('');
}

/**
 * RE2 supports general categories by their short names, and scripts. A test checks that its Unicode version matches
 * that of Node.
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

const maxCodePoint = 0x10ffff;
/** As in JavaScript (ECMA-262, 22.2.2.9); RE2 has fewer white space characters and line ends. */
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

/** The complement of sorted ranges. */
function complement(ranges: readonly Range[]): Range[] {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  const ends = [...ranges.map(([first]) => first - 1), maxCodePoint];
  return starts
    .map((first, index) => [first, ends[index] as number] as const)
    .filter(([first, last]) => first <= last);
}

const characterText = (codePoint: number) => `\\x{${codePoint.toString(16)}}`;
const rangeText = ([first, last]: Range) => `${characterText(first)}-${characterText(last)}`;
const everything = rangeText([0, maxCodePoint]);
const cut = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const shown = ({ raw }: { raw: string }) => cut(raw);
