import { setOwn } from '../../server/asl/size.ts';
import type { Json, JsonObject } from '../../server/json/index.ts';

/** Reproducible random choices. */
export interface Choices {
  /** An integer from 0, below the limit. */
  below(limit: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  of<Value>(values: readonly Value[]): Value;
}

/** The generator of Park and Miller. @param seed from 1 */
export function choicesOf(seed: number): Choices {
  let state = (seed * 7_919) % 2_147_483_647;
  const below = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  return {
    below,
    once: (times) => below(times) === 0,
    of: (values) => values[below(values.length)] as never,
  };
}

const names = [
  'A',
  'B c',
  '__proto__',
  'constructor',
  'toString',
  'ü',
  'x'.repeat(80),
  '‘{%’',
  '1',
  'length',
];
/** Those of the outermost scope, which no inner one may assign. */
const outer = ['v', 'w', '__proto__', 'größe'];
const inner = [
  ['x', 'constructor', 'y'],
  ['toString', 'x2', 'hasOwnProperty'],
];
const errors = [
  'Mine',
  'Http.Status.409',
  'States.Timeout',
  'States.DataLimitExceeded',
  'States.BranchFailed',
];
const sound = [
  '$states.input',
  '$states.context',
  '[$states.input.**]',
  '$v',
  '$exists($w.a) ? $w.a & $v : 1',
  '$fromMillis(0, (), "+0500")',
  '$now()',
  '$range(1, 5, 1)',
  '$partition([1..5], 2)',
  '$map([1..3], function($i) { $i * 2 })',
  '($f := function($n) { $n = 0 ? 0 : $f($n - 1) }; $f(20))',
  '$parse("{\\"__proto__\\": 1}")',
  '[1..50]',
  '-1',
  '2',
  '0.5',
  'true',
  'null',
  '"2027-03-01T09:00:00Z"',
  '{"a": {"b": [null]}, "list": [3, 1]}',
  '$sort([3, 1], function($l, $r) { $l > $r })',
];
/** Those that fail, or return what few fields accept. */
const odd = [
  '$states.input.a',
  '$states.input.list[0]',
  '$states.context.Map.Item.Value',
  '1 / 0',
  '$number("x")',
  '$fromMillis(1e20)',
  '$toMillis($states.input.a)',
  'function($x) { $x }',
  '$parse($states.input.a)',
  '$states.input ~> |$|{"b": 1}|',
  '$error("x")',
  '"\\u0000"',
  '"\\ud800"',
  '$states.input{$string(a): $}',
];

const expression = (choices: Choices) => `{% ${choices.of(choices.once(8) ? odd : sound)} %}`;

export function json(choices: Choices, depth = 2): Json {
  const plain: Json[] = [
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    '',
    'a',
    '2027-03-01T09:00:00Z',
    'a\u0000b',
    '\ud800',
  ];
  if (depth === 0 || choices.once(2)) return choices.of(plain);
  const items = Array.from({ length: choices.below(4) }, () => json(choices, depth - 1));
  if (choices.once(2)) return items;
  return Object.fromEntries(items.map((item) => [choices.of(['a', 'list', '__proto__', 'b']), item]));
}

function template(choices: Choices): Json {
  if (choices.once(4)) return json(choices);
  if (choices.once(3)) return { a: expression(choices), list: [expression(choices), 1] };
  return expression(choices);
}

/** Fields that a state may have, each with one chance in three. */
function some(choices: Choices, fields: Record<string, () => Json | undefined>): JsonObject {
  const chosen = Object.entries(fields).filter(() => choices.once(3));
  return Object.fromEntries(
    chosen.flatMap(([name, value]) => {
      const made = value();
      return made === undefined ? [] : [[name, made]];
    }),
  );
}

/** States with transitions among them. @param path makes names unique in the whole definition */
function scope(choices: Choices, depth: number, path: string): JsonObject {
  const all = Array.from(
    { length: 1 + choices.below(4) },
    (_, index) => `${names[index + depth * 2] ?? 'S'}${path}`,
  );
  const states = all.map((name, index) => {
    // Each state leads to the next one, so that all are reachable and one ends.
    const next = all[index + 1];
    return [
      name.slice(0, 80),
      state(choices, next?.slice(0, 80), all[0]?.slice(0, 80) as string, depth, `${path}${index}`),
    ];
  });
  return { StartAt: all[0]?.slice(0, 80) as string, States: Object.fromEntries(states) };
}

function state(
  choices: Choices,
  next: string | undefined,
  first: string,
  depth: number,
  path: string,
): JsonObject {
  const continued: JsonObject = next === undefined ? { End: true } : { Next: next };
  const to = choices.once(6) ? first : (next ?? first);
  const assign = () =>
    Object.fromEntries([
      [choices.of(/[pm]/.test(path) ? (inner[depth] as string[]) : outer), template(choices)],
    ]);
  const producing = some(choices, { Output: () => template(choices), Assign: assign });
  const numeric = (value: number) => () => (choices.once(2) ? value : expression(choices));
  const recovering = some(choices, {
    Retry: () =>
      choices.once(3) ? [] : [{ ErrorEquals: [choices.of(errors)], MaxAttempts: choices.below(3) }],
    Catch: () => {
      const ErrorEquals = [choices.of([...errors, 'States.ALL'])];
      const fields = { Output: () => '{% $states.errorOutput %}', Assign: assign };
      return choices.once(3) ? [] : [{ ErrorEquals, Next: to, ...some(choices, fields) }];
    },
  });
  const types = [
    'Pass',
    'Task',
    'Wait',
    ...(next === undefined ? ['Succeed', 'Fail'] : ['Choice', 'Choice']),
  ];
  if (depth > 0) types.push('Parallel', 'Map');
  const Type = choices.of(types);
  switch (Type) {
    case 'Pass':
      return { Type, ...continued, ...producing };
    case 'Succeed':
      return { Type, ...some(choices, { Output: () => template(choices) }) };
    case 'Fail':
      return { Type, ...some(choices, { Error: () => expression(choices), Cause: () => 'why' }) };
    case 'Wait':
      return choices.once(2)
        ? { Type, ...continued, ...producing, Seconds: numeric(1)() }
        : {
            Type,
            ...continued,
            ...producing,
            Timestamp: choices.of(['2027-03-01T09:00:00Z', expression(choices)]),
          };
    case 'Choice': {
      const Condition = choices.of([true, false, expression(choices)]);
      const rule = { Condition, Next: to, ...some(choices, { Output: () => template(choices) }) };
      return { Type, ...producing, Choices: [rule], ...(choices.once(3) ? {} : { Default: next ?? to }) };
    }
    case 'Task': {
      const fields = {
        Arguments: () => template(choices),
        TimeoutSeconds: numeric(600),
        HeartbeatSeconds: numeric(5),
      };
      const Resource = choices.of(['wrp:http:call', 'wrp:callback:wait', 'wrp:mail:send']);
      return { Type, Resource, ...continued, ...producing, ...recovering, ...some(choices, fields) };
    }
    case 'Parallel': {
      const Branches = [0, 1].map((branch) => scope(choices, depth - 1, `${path}p${branch}`));
      const fields = { Arguments: () => template(choices) };
      return { Type, Branches, ...continued, ...producing, ...recovering, ...some(choices, fields) };
    }
    default: {
      const fields = {
        Items: () => (choices.once(2) ? [json(choices), 2] : expression(choices)),
        ItemSelector: () => template(choices),
        MaxConcurrency: numeric(2),
        ToleratedFailureCount: numeric(1),
        ToleratedFailurePercentage: numeric(50),
      };
      const ItemProcessor = scope(choices, depth - 1, `${path}m`);
      return { Type, ItemProcessor, ...continued, ...producing, ...recovering, ...some(choices, fields) };
    }
  }
}

/** A definition that is valid in most cases. One in four has a field replaced or removed, which may still be valid. */
export function definition(choices: Choices): JsonObject {
  const { StartAt, States } = scope(choices, 2, '') as { StartAt: string; States: JsonObject };
  if (choices.once(4)) damage(States, choices);
  const begin = { Type: 'Pass', Assign: { v: 1, w: { a: 'b' } }, Next: StartAt };
  return { QueryLanguage: 'JSONata', StartAt: 'Begin', States: { Begin: begin, ...States } };
}

function damage(value: JsonObject, choices: Choices): void {
  const keys = Object.keys(value);
  const key = choices.of(keys.length === 0 ? ['a'] : keys);
  const inside = Object.hasOwn(value, key) ? value[key] : undefined;
  if (typeof inside === 'object' && inside !== null && !choices.once(4))
    damage(inside as JsonObject, choices);
  else if (choices.once(3)) delete value[key];
  else setOwn(value, key, choices.once(2) ? json(choices) : template(choices));
}
