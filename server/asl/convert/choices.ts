import { isObject, pointerTo } from '../../json/index.ts';
import { NotConvertible, parsePath } from './paths.ts';
import { existsSource, type Scope } from './select.ts';
import { attempt, pathValue, type Reporter, refuse } from './templates.ts';
import { asOperand, asSource, Expr, regexCharacter, type Value } from './values.ts';

/** The fields of a rule that are not part of its condition. */
const ruleFields = new Set(['Next', 'Comment', 'Assign', 'Output', 'Variable', 'QueryLanguage']);

/**
 * Converts the condition of a rule of a Choice to the source of an expression (specification: Choice State). A comparison
 * is false if the value has another type, as on AWS; it is also false if the value is missing, where AWS fails the state.
 */
export function conditionOf(rule: unknown, data: Value, pointer: string, report: Reporter): string {
  return conjunction(conditionsOf(rule, data, pointer, report));
}

/** A condition that is an alternative of others needs parentheses beside `and`. */
class Alternatives {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Condition = string | Alternatives;

/** All of the conditions, each once. */
function conjunction(conditions: Condition[]): string {
  const [first, ...others] = conditions;
  if (first instanceof Alternatives && others.length === 0) return first.source;
  const sources = conditions.map((each) => (each instanceof Alternatives ? `(${each.source})` : each));
  return [...new Set(sources)].join(' and ');
}

/** The conditions that a rule requires together. */
function conditionsOf(rule: unknown, data: Value, pointer: string, report: Reporter): Condition[] {
  const fields = isObject(rule) ? rule : {};
  const [operator, second] = Object.keys(fields).filter((name) => !ruleFields.has(name));
  if (operator === undefined || second !== undefined) {
    return [refuse(pointer, report, 'a rule must have exactly one comparison').source];
  }
  const at = pointer + pointerTo(operator);
  const operand = fields[operator];
  if (operator === 'Not') return [`$not(${conditionOf(operand, data, at, report)})`];
  if (operator !== 'And' && operator !== 'Or') {
    return comparison(operator, operand, fields['Variable'], { data, pointer, at, report });
  }
  const rules = Array.isArray(operand) ? operand : [operand];
  const parts = rules.map((each, index) => conditionsOf(each, data, at + pointerTo(index), report));
  if (operator === 'And' || parts.length === 1) return parts.flat();
  const sources = parts.map((each) => (each.length > 1 ? `(${conjunction(each)})` : conjunction(each)));
  return [new Alternatives(sources.join(' or '))];
}

interface Place {
  data: Value;
  pointer: string;
  at: string;
  report: Reporter;
}

function comparison(operator: string, operand: unknown, variable: unknown, place: Place): string[] {
  const { data, pointer, at, report } = place;
  const variablePointer = `${pointer}/Variable`;
  if (operator === 'IsPresent') {
    const present = (scope: Scope) => existsSource(parsePath(String(variable)), scope);
    const source = attempt(variablePointer, report, (scope) => new Expr(present(scope)), data);
    return [operand === true ? asSource(source) : `$not(${asSource(source)})`];
  }
  const left = asOperand(pathValue(variable, data, variablePointer, report));
  let conditions: string[] = [];
  const failed = attempt(
    at,
    report,
    () => {
      conditions = test(operator, operand, left, place);
      return null;
    },
    data,
  );
  return failed === null ? conditions : [asSource(failed)];
}

const typeNames: Record<string, string> = {
  IsNumeric: 'number',
  IsString: 'string',
  IsBoolean: 'boolean',
  IsNull: 'null',
};

function test(name: string, operand: unknown, left: string, place: Place): string[] {
  const type = Object.hasOwn(typeNames, name) ? typeNames[name] : undefined;
  if (type !== undefined) return [`$type(${left}) ${operand === true ? '=' : '!='} "${type}"`];
  if (name === 'IsTimestamp') {
    const conditions = isTimestamp(left);
    return operand === true ? conditions : [`$not(${conditions.join(' and ')})`];
  }
  return compare(name, operand, left, place);
}

const operators: Record<string, string> = {
  Equals: '=',
  LessThan: '<',
  GreaterThan: '>',
  LessThanEquals: '<=',
  GreaterThanEquals: '>=',
};
const types: Record<string, string> = { String: 'string', Numeric: 'number', Boolean: 'boolean' };

function compare(name: string, operand: unknown, left: string, { data, at, report }: Place): string[] {
  if (name === 'StringMatches' && typeof operand === 'string') {
    return [hasType(left, 'string'), `$contains(${left}, ${wildcardPattern(operand)})`];
  }
  const [, type = '', relation = '', path] =
    /^(String|Numeric|Boolean|Timestamp)(Equals|LessThan|GreaterThan|LessThanEquals|GreaterThanEquals)(Path)?$/.exec(
      name,
    ) ?? [];
  const operator = operators[relation];
  if (operator === undefined) throw new NotConvertible(`there is no comparison ${name}`);
  const right = path ? asOperand(pathValue(operand, data, at, report)) : asSource(operand as Value);
  if (type === 'Timestamp') {
    return [...isTimestamp(left), `$toMillis(${left}) ${operator} $toMillis(${right})`];
  }
  const test = `${left} ${operator} ${right}`;
  // Values of different types are never equal, but comparing their order is an error.
  return operator === '=' && !path ? [test] : [hasType(left, types[type] as string), test];
}

/** The profile of RFC 3339 that the specification prescribes. */
const timestampPattern = '/^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$/';

const isTimestamp = (source: string) => [
  hasType(source, 'string'),
  `$contains(${source}, ${timestampPattern})`,
];

const hasType = (source: string, type: string) => `$type(${source}) = "${type}"`;

/** A pattern in which `*` matches any characters, as a regular expression. A backslash escapes `*` and itself. */
function wildcardPattern(pattern: string): string {
  const parts = [...pattern.matchAll(/\\([*\\])|[\s\S]/gu)].map(([character, escaped]) =>
    character === '*' ? '[\\s\\S]*' : regexCharacter(escaped ?? character),
  );
  return `/^${parts.join('')}$/`;
}
