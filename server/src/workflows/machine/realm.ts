import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Context, constants, createContext, runInContext, Script } from 'node:vm';
import type jsonata from 'jsonata';
import { registerFunctions, type Surroundings } from './functions.ts';
import { maximumPayloadBytes } from './size.ts';

/** CPU milliseconds that the expressions of one field may take together. */
const evaluationMilliseconds = 1_000;
/** However busy the machine is. */
const longestMilliseconds = 20_000;

/** Evaluations inside each other; a call of a function of the expression's own takes about three. */
const evaluationDepth = 1_500;

/** Items that an expression may gather. */
const sequenceItems = 1_000_000;

/** UTF-16 units of a string on the way; doubling a string thirty times would otherwise fill the memory. */
const stringUnits = maximumPayloadBytes;

/** A JSONata expression that has been compiled. */
export type Compiled = jsonata.Expression;

export type Bindings = Record<string, unknown>;

/** Why an expression gave no value, and which of the given ones it was. */
export class ExpressionError extends Error {
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.index = index;
  }
}

interface Work {
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
  start: (work: Work) => void;
  surroundings: Surroundings;
}

let opened: Realm | undefined;

/**
 * JSONata in a JavaScript realm of its own, whose microtasks run inside the call that started them: an evaluation is
 * over when the call returns, and the call's time limit ends it wherever it is, in a regular expression that
 * backtracks for ever too. Opened once for the process: it holds code, never an execution's values.
 */
function realm(): Realm {
  opened ??= openRealm();
  return opened;
}

function openRealm(): Realm {
  const context = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' });
  const file = createRequire(import.meta.url).resolve('jsonata');
  const load = (code: string, filename: string) => runInContext(code, context, { filename });
  const library = `(() => { const module = { exports: {} }; const exports = module.exports;
    ${readFileSync(file, 'utf8')}
    return module.exports; })()`;
  const driver = `(work) => {
    (async () => {
      for (const expression of work.expressions) {
        work.results.push(await expression.evaluate(undefined, work.bindings));
      }
      work.done = true;
    })().catch((error) => { work.error = error; });
  }`;
  return {
    jsonata: load(library, file),
    start: load(driver, 'evaluate-expressions.js'),
    script: new Script('begin()', { filename: 'begin-evaluation.js' }),
    context,
    surroundings: { now: new Date(0), random: Math.random },
  };
}

/** @throws the compiler's error: `{message, position}`, the position in characters of the source. */
export function compile(source: string): Compiled {
  const here = realm();
  const compiled = here.jsonata(source, { stack: evaluationDepth, sequence: sequenceItems });
  registerFunctions(compiled, () => here.surroundings);
  bindHook(compiled, 'jsonata.__evaluate_exit', refuseLongString);
  return compiled;
}

/** Hooks are bound as variables whose names are symbols, which the library's types leave out. */
function bindHook(compiled: Compiled, name: string, hook: (...values: never[]) => void): void {
  compiled.assign(Symbol.for(name) as unknown as string, hook);
}

function refuseLongString(_expression: never, _input: never, _environment: never, result: never): void {
  const value: unknown = result;
  if (typeof value === 'string' && value.length > stringUnits) {
    throw new RangeError(`A string is longer than ${stringUnits} characters.`);
  }
}

/**
 * The values of expressions that see the same variables, in order.
 *
 * V8 limits wall time. On a busy machine that can pass with little CPU time used: then the evaluation is repeated, with
 * as much wall time as the limit of CPU time takes at the same pace.
 *
 * @param limited false for expressions that need no limit of time, which costs a thread of V8 for each evaluation
 * @throws ExpressionError
 */
export function evaluateAll(
  expressions: readonly Compiled[],
  bindings: Bindings,
  { limited = true, ...surroundings }: Surroundings & { limited?: boolean },
): unknown[] {
  const here = realm();
  here.surroundings = surroundings;
  const begin = () => ({ expressions, bindings, results: [] });
  let work: Work = begin();
  const before = process.threadCpuUsage();
  let interruption = run(here, work, limited ? evaluationMilliseconds : undefined);
  if (isTimeout(interruption)) {
    const { user, system } = process.threadCpuUsage(before);
    const used = Math.max((user + system) / 1_000, 1);
    if (used < evaluationMilliseconds / 2) {
      work = begin();
      const pace = evaluationMilliseconds / used;
      interruption = run(here, work, Math.ceil(Math.min(evaluationMilliseconds * pace, longestMilliseconds)));
    }
    if (isTimeout(interruption)) {
      throw new ExpressionError(
        `Not done after ${evaluationMilliseconds} milliseconds of CPU time.`,
        work.results.length,
      );
    }
  }
  if (work.done) return work.results;
  throw new ExpressionError(messageOf(interruption ?? work.error), work.results.length);
}

/** @returns what ended the work from outside, if anything did */
function run(here: Realm, work: Work, timeout: number | undefined): unknown {
  here.context.begin = () => here.start(work);
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

/** JSONata throws objects that are no errors; those of its realm are no `Error` of this one. */
export function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error ?? 'Not evaluated to the end.');
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof message !== 'string') return `Not evaluated (${String(code)}).`;
  return typeof code === 'string' ? `${message} (${code})` : message;
}
