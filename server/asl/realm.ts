import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Context, constants, createContext, runInContext, Script } from 'node:vm';
import type jsonata from 'jsonata';
import { strictUtc } from './dates.ts';
import {
  type ReplacedFunctions,
  registerFunctions,
  replacedFunctions,
  type Surroundings,
} from './functions.ts';
import { maximumPayloadBytes } from './size.ts';

/** CPU time limit of the expressions of one field. */
const evaluationMilliseconds = 1_000;
/** Wall time limit, even on a busy machine. */
const maxWallMilliseconds = 20_000;

/** Nested evaluations. A call of a function that the expression defines takes about three. */
const evaluationDepth = 1_500;

/** The longest sequence that an expression can build. */
const sequenceItems = 1_000_000;

/** UTF-16 units of an intermediate string. Doubling a string thirty times would otherwise fill the memory. */
const maxStringLength = maximumPayloadBytes;

export type Compiled = jsonata.Expression;

export type Bindings = Record<string, unknown>;

/** An evaluation failed. `index` is the position of the expression. */
export class ExpressionError extends Error {
  readonly index: number;
  /** Characters of the source before the error, if JSONata reports them. */
  readonly position: number | undefined;

  constructor(message: string, index: number, position?: unknown) {
    super(message);
    this.index = index;
    this.position = typeof position === 'number' ? position : undefined;
  }
}

interface Evaluation {
  expressions: readonly Compiled[];
  bindings: Bindings;
  results: unknown[];
  error?: unknown;
  done?: boolean;
}

interface Realm {
  jsonata: typeof jsonata;
  script: Script;
  context: Context & { begin?: () => void };
  start: (evaluation: Evaluation) => void;
  /** JSONata's functions that ours replace. */
  own: ReplacedFunctions;
  surroundings: Surroundings;
}

let opened: Realm | undefined;

/**
 * JSONata in a separate JavaScript realm, whose microtasks run inside the call that started them. So an evaluation is
 * done when the call returns, and the time limit of the call interrupts it anywhere, even in a regular expression that
 * backtracks endlessly. The process has one realm: it contains code only, no values of executions.
 */
function realm(): Realm {
  opened ??= openRealm();
  return opened;
}

function openRealm(): Realm {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' });
  (context['Date'] as DateConstructor).UTC = strictUtc;
  const file = createRequire(import.meta.url).resolve('jsonata');
  const load = (code: string, filename: string) => runInContext(code, context, { filename });
  const library = `(() => { const module = { exports: {} }; const exports = module.exports;
    ${readFileSync(file, 'utf8')}
    return module.exports; })()`;
  const driver = `(evaluation) => {
    (async () => {
      for (const expression of evaluation.expressions) {
        evaluation.results.push(await expression.evaluate(undefined, evaluation.bindings));
      }
      evaluation.done = true;
    })().catch((error) => { evaluation.error = error; });
  }`;
  const here = {
    jsonata: load(library, file),
    start: load(driver, 'evaluate-expressions.js'),
    script: new Script('begin()', { filename: 'begin-evaluation.js' }),
    context,
    surroundings: { now: new Date(0), random: Math.random, uuid: randomUUID },
  };
  return { ...here, own: ownFunctions(here) };
}

/** In an expression without ours, the value of a name is JSONata's function. */
function ownFunctions(here: Omit<Realm, 'own'>): ReplacedFunctions {
  const expressions = replacedFunctions.map((name) => here.jsonata(`$${name}`));
  const evaluation: Evaluation = { expressions, bindings: {}, results: [] };
  run(here, evaluation, undefined);
  const functions = evaluation.results as { implementation: unknown }[];
  return Object.fromEntries(
    functions.map(({ implementation }, index) => [replacedFunctions[index], implementation]),
  );
}

/** @throws the compiler's error, `{message, position}`; the position counts characters of the source */
export function compile(source: string): Compiled {
  const here = realm();
  const compiled = here.jsonata(source, { stack: evaluationDepth, sequence: sequenceItems });
  registerFunctions(compiled, () => here.surroundings, here.own);
  bindHook(compiled, 'jsonata.__evaluate_exit', refuseUnfit);
  return compiled;
}

/** Hooks are variables whose names are symbols, which the library's types do not include. */
function bindHook(compiled: Compiled, name: string, hook: (...values: never[]) => void): void {
  compiled.assign(Symbol.for(name) as unknown as string, hook);
}

/** JSON has neither NaN nor infinity, which compare as false and turn into text. */
function refuseUnfit(_expression: never, _input: never, _environment: never, result: never): void {
  const value: unknown = result;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`A result is ${value}, which is not a number of JSON.`);
  if (typeof value === 'string' && value.length > maxStringLength) {
    throw new RangeError(`A string is longer than ${maxStringLength} characters.`);
  }
}

/**
 * Evaluates expressions with the same variables, in order.
 *
 * V8 limits wall time, which can elapse on a busy machine with little CPU time used. In that case the evaluation is
 * repeated, with the wall time that the CPU time limit takes at the same pace.
 *
 * @param limited false for expressions that need no time limit, which costs a thread for each evaluation
 * @throws ExpressionError
 */
export function evaluateAll(
  expressions: readonly Compiled[],
  bindings: Bindings,
  { limited = true, ...surroundings }: Surroundings & { limited?: boolean },
): unknown[] {
  const here = realm();
  here.surroundings = surroundings;
  const newEvaluation = (): Evaluation => ({ expressions, bindings, results: [] });
  let evaluation = newEvaluation();
  const before = process.threadCpuUsage();
  let interruption = run(here, evaluation, limited ? evaluationMilliseconds : undefined);
  if (isTimeout(interruption)) {
    const { user, system } = process.threadCpuUsage(before);
    const used = Math.max((user + system) / 1_000, 1);
    if (used < evaluationMilliseconds / 2) {
      evaluation = newEvaluation();
      const wall = (evaluationMilliseconds * evaluationMilliseconds) / used;
      interruption = run(here, evaluation, Math.ceil(Math.min(wall, maxWallMilliseconds)));
    }
    if (isTimeout(interruption)) {
      throw new ExpressionError(
        `Not done after ${evaluationMilliseconds} milliseconds of CPU time.`,
        evaluation.results.length,
      );
    }
  }
  if (evaluation.done) return evaluation.results;
  const error = interruption ?? evaluation.error;
  const { position } = (error ?? {}) as { position?: unknown };
  throw new ExpressionError(messageOf(error), evaluation.results.length, position);
}

/** @returns the error that interrupted the evaluation, if any */
function run(
  here: Pick<Realm, 'context' | 'start' | 'script'>,
  evaluation: Evaluation,
  timeout: number | undefined,
): unknown {
  here.context.begin = () => here.start(evaluation);
  try {
    here.script.runInContext(here.context, timeout === undefined ? {} : { timeout });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    delete here.context.begin;
  }
}

function isTimeout(interruption: unknown): boolean {
  return (interruption as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** JSONata throws plain objects, and errors of its realm are not an `Error` of this one. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error ?? 'The evaluation did not finish.');
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof message !== 'string') return `The evaluation failed (${String(code)}).`;
  return typeof code === 'string' ? `${message} (${code})` : message;
}
