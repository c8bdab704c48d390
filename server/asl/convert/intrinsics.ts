import { NotConvertible, Reader, readPath } from './paths.ts';
import { type Scope, valueOfPath } from './select.ts';
import {
  asOperand,
  asSource,
  Expr,
  lacksValue,
  mayLackValue,
  quoted,
  regexCharacter,
  type Value,
} from './values.ts';

/**
 * Converts the value of a field whose name ends with `.$`: a path or an intrinsic function.
 *
 * @throws NotConvertible
 */
export function valueOfQuery(text: string, scope: Scope): Value {
  const reader = new Reader(text.trim());
  const value = readArgument(reader, scope);
  if (!reader.ended) throw reader.fail();
  if (value instanceof Text) return value.plain;
  return value;
}

/** A string argument with its escapes, which States.Format reads. */
class Text {
  readonly #raw: string;

  constructor(raw: string) {
    this.#raw = raw;
  }

  get plain(): string {
    return unescaped(this.#raw);
  }

  /** The texts between the placeholders `{}`. */
  get parts(): string[] {
    const parts = [''];
    for (const [each] of this.#raw.matchAll(/\\[\s\S]|\{\}|[\s\S]/gu)) {
      if (each === '{}') parts.push('');
      else parts.push(parts.pop() + unescaped(each));
    }
    return parts;
  }
}

const unescaped = (raw: string) => raw.replaceAll(/\\([\s\S])/gu, '$1');

function readArgument(reader: Reader, scope: Scope): Value | Text {
  const call = reader.take(/States\.(\w+)\s*\(\s*/uy);
  if (call)
    return invoke(
      call[1] as string,
      reader.nested(() => readArguments(reader, scope)),
      scope,
    );
  const text = reader.take(/'((?:[^'\\]|\\[\s\S])*)'/uy);
  if (text) return new Text(text[1] as string);
  const word = reader.take(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b/uy);
  if (word) return JSON.parse(word[0]);
  return valueOfPath(readPath(reader), scope);
}

function readArguments(reader: Reader, scope: Scope): (Value | Text)[] {
  const found: (Value | Text)[] = [];
  if (reader.take(/\s*\)/uy)) return found;
  for (;;) {
    found.push(readArgument(reader, scope));
    if (reader.take(/\s*\)/uy)) return found;
    if (!reader.take(/\s*,\s*/uy)) throw reader.fail();
  }
}

const single = { single: true };
const operation = (source: string) => new Expr(source, { atomic: false, single: true });

type Intrinsic = (values: Value[], scope: Scope) => Value;

/** A function of JSONata or of the platform that takes the same arguments. */
const named =
  (name: string, result = {}): Intrinsic =>
  (values) =>
    new Expr(`$${name}(${values.map(asSource).join(', ')})`, result);

/** The intrinsic functions (specification: Appendix B), with their number of arguments. */
const intrinsics: Record<string, { arity: number[]; convert: Intrinsic }> = {
  StringToJson: { arity: [1], convert: named('parse') },
  JsonToString: { arity: [1], convert: named('string', single) },
  ArrayPartition: { arity: [2], convert: named('partition') },
  ArrayContains: {
    arity: [2],
    convert: ([list = [], item = null]) =>
      new Expr(`$exists(${asOperand(list)}[$ = ${asOperand(item)}])`, single),
  },
  ArrayRange: { arity: [3], convert: named('range') },
  ArrayGetItem: {
    arity: [2],
    convert: ([list = [], index = 0]) => new Expr(`${asOperand(list)}[${asSource(index)}]`),
  },
  ArrayLength: { arity: [1], convert: named('count', single) },
  ArrayUnique: { arity: [1], convert: named('distinct') },
  Base64Encode: { arity: [1], convert: named('base64encode', single) },
  Base64Decode: { arity: [1], convert: named('base64decode', single) },
  Hash: { arity: [2], convert: named('hash', single) },
  JsonMerge: { arity: [3], convert: merge },
  MathRandom: { arity: [2, 3], convert: random },
  MathAdd: { arity: [2], convert: ([a = 0, b = 0]) => operation(`${asOperand(a)} + ${asOperand(b)}`) },
  StringSplit: { arity: [2], convert: split },
  UUID: { arity: [0], convert: named('uuid', single) },
};

/** Functions whose JSONata has a value even if an argument has none. */
const tolerant = new Set(['Format', 'Array', 'ArrayContains', 'ArrayLength', 'JsonMerge', 'StringSplit']);

function invoke(name: string, found: (Value | Text)[], scope: Scope): Value {
  const isOptional = (each: Value | Text) => !(each instanceof Text) && mayLackValue(each);
  const optional = found.some(isOptional);
  const value = invoked(name, found, scope);
  if (!optional || !(value instanceof Expr)) return value;
  const hasDefault = name === 'Hash' && found.slice(1).some(isOptional);
  if (!tolerant.has(name) && !hasDefault) return new Expr(value.source, { ...value, optional });
  scope.note(lacksValue);
  return value;
}

function invoked(name: string, found: (Value | Text)[], scope: Scope): Value {
  if (name === 'Format') return format(found);
  const values = found.map((each) => (each instanceof Text ? each.plain : each));
  if (name === 'Array') return array(values);
  const intrinsic = Object.hasOwn(intrinsics, name) ? intrinsics[name] : undefined;
  if (!intrinsic) throw new NotConvertible(`there is no intrinsic function States.${name}`);
  if (!intrinsic.arity.includes(values.length)) {
    throw new NotConvertible(
      `States.${name} takes ${intrinsic.arity.join(' or ')} arguments, not ${values.length}`,
    );
  }
  return intrinsic.convert(values, scope);
}

function format([template, ...found]: (Value | Text)[]): Value {
  if (template === undefined) throw new NotConvertible('States.Format without a template');
  const values = found.map((each) => asOperand(each instanceof Text ? each.plain : each));
  if (!(template instanceof Text)) return new Expr(values.reduce(replaceFirst, asSource(template)), single);
  const { parts } = template;
  if (parts.length - 1 !== values.length) {
    throw new NotConvertible(
      `States.Format has ${parts.length - 1} placeholders for ${values.length} values`,
    );
  }
  if (values.length === 0) return parts.join('');
  const operands = parts.flatMap((part, index) => [
    ...(part === '' ? [] : [quoted(part)]),
    ...values.slice(index, index + 1),
  ]);
  return operands.length === 1
    ? new Expr(`$string(${operands[0]})`, single)
    : operation(operands.join(' & '));
}

/** Fills the next placeholder of a template that is not known before it is evaluated. */
const replaceFirst = (template: string, value: string) => `$replace(${template}, "{}", $string(${value}), 1)`;

/** JSONata flattens an item that is an array, unless it is written as an array constructor. */
function array(values: Value[]): Value {
  const isSafe = (value: Value) => !(value instanceof Expr) || value.single || value.source.startsWith('[');
  if (values.every(isSafe)) return values;
  const parts = values.map((value) => {
    const source = asSource(value);
    return isSafe(value) ? `[${source}]` : `($type(${source}) = "array" ? [[${source}]] : [${source}])`;
  });
  return new Expr(parts.reduce((joined, part) => `$append(${joined}, ${part})`));
}

function merge([first = {}, second = {}, deep]: Value[]): Value {
  if (deep !== false) throw new NotConvertible('States.JsonMerge supports the shallow merge (false) only');
  return new Expr(`$merge([${asSource(first)}, ${asSource(second)}])`, single);
}

function random([from = 0, to = 1, seed]: Value[], { note }: Scope): Value {
  if (seed !== undefined) note('States.MathRandom with a seed gives another number than on AWS');
  const range =
    typeof from === 'number' && typeof to === 'number' ? to - from : `(${asSource(to)} - ${asOperand(from)})`;
  const number = `$random(${seed === undefined ? '' : asSource(seed)})`;
  return new Expr(`$floor(${asOperand(from)} + ${number} * ${range})`, single);
}

/** Each character of the delimiter separates; empty parts are left out. */
function split([text = '', delimiter = '']: Value[]): Value {
  if (typeof delimiter !== 'string')
    return new Expr(`[${splitAtAny(asSource(text), asSource(delimiter))}[$ != ""]]`);
  const characters = [...delimiter];
  const separator =
    characters.length > 1 ? `/[${characters.map(regexCharacter).join('')}]/` : asSource(delimiter);
  return new Expr(`[$split(${asSource(text)}, ${separator})[$ != ""]]`);
}

/** JSONata has no regular expression from a string: all delimiters are replaced by the first one. */
function splitAtAny(text: string, delimiter: string): string {
  const first = `$substring(${delimiter}, 0, 1)`;
  const replace = `function($text, $character) { $replace($text, $character, ${first}) }`;
  return `$split($reduce($split(${delimiter}, ""), ${replace}, ${text}), ${first})`;
}
