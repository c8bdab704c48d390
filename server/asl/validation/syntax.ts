import { isObject, type Json } from '../../json/index.ts';
import { missingInContext } from '../context.ts';
import type { Readable } from './checker.ts';

/** The problems of an expression, and the variables that it reads. */
export interface Findings {
  problems: Set<string>;
  /** What is always undefined here, but not on AWS. */
  warnings: Set<string>;
  variables: string[];
  /** The names below each `$states.context` that is read. */
  contextPaths: string[][];
}

/** A node of JSONata's syntax tree, whose published type is incomplete. */
interface Node {
  type?: string;
  value?: unknown;
  steps?: Node[];
  procedure?: Node;
  arguments?: Node[];
  lhs?: unknown;
  focus?: string;
  index?: string | Node;
}

/**
 * Checks the syntax tree of an expression (specification: JSONata Restrictions, Reserved "states" Variable).
 * There is no input document, so `$$`, and at the top level `$` and unqualified names, are undefined.
 */
export function inspect(tree: unknown, readable: readonly Readable[]): Findings {
  const problems = new Set<string>();
  const warnings = new Set<string>();
  const variables = new Set<string>();
  const contextPaths: string[][] = [];
  const local = new Set<string>();

  const walkAll = (value: unknown, top: boolean): void => {
    if (Array.isArray(value)) for (const each of value) walkAll(each, top);
    else if (typeof value === 'object' && value !== null) walk(value, top);
  };

  const walk = (node: Node, top: boolean): void => {
    if (typeof node.focus === 'string') local.add(node.focus);
    if (typeof node.index === 'string') local.add(node.index);
    const name = typeof node.value === 'string' ? node.value : '';
    if (node.type === 'variable') {
      visitVariable(name, node, top);
      return;
    }
    if (top && unqualified.has(node.type ?? '')) {
      problems.add(unqualifiedProblem(node.type === 'name', name));
    }
    if (node.type === 'bind') bindLocal(node.lhs);
    if (node.type === 'lambda') for (const argument of node.arguments ?? []) bindLocal(argument);
    if (node.type === 'path') visitPath(node.steps ?? [], top);
    if (isCallOf(node, 'eval')) problems.add('$eval is not available; use $parse for JSON');
    const [argument] = isCallOf(node, 'error') ? (node.arguments ?? []) : [];
    if (argument?.type === 'string' && String(argument.value).startsWith(notConverted)) {
      warnings.add(`${argument.value}. \`wrp definition convert\` left this to be replaced`);
    }
    for (const [key, child] of Object.entries(node)) {
      if (key !== 'steps') walkAll(child, top && keepsContext(node, key));
    }
  };

  const bindLocal = (node: unknown): void => {
    const { type, value } = (node ?? {}) as Node;
    if (type === 'variable' && typeof value === 'string') local.add(value);
  };

  const visitVariable = (name: string, node: Node, top: boolean): void => {
    if (name === '$') problems.add('$$ is undefined: there is no input document; use $states.input');
    else if (name === '' && top) problems.add('$ is undefined here: use $states.input');
    else if (name !== '' && name !== 'states') variables.add(name);
    const { type: _, value: __, ...rest } = node;
    walkAll(Object.values(rest), false);
  };

  const visitPath = (steps: Node[], top: boolean): void => {
    // Only the first step is at the top level; each other step is evaluated against the previous one.
    for (const [index, step] of steps.entries()) walk(step, top && index === 0);
    const [first, second] = steps;
    if (first?.type !== 'variable' || first.value !== 'states' || second?.type !== 'name') return;
    const problem = problemOfStates(String(second.value), readable);
    if (problem) problems.add(problem);
    const names = second.value === 'context' ? namesOf(steps.slice(2)) : [];
    contextPaths.push(names);
    const missing = missingInContext(names);
    if (!missing) return;
    const { owner, name, fields } = missing;
    const [where, known] = [['$states.context', ...owner].join('.'), fields.join(', ')];
    warnings.add(`${where} has no field ‘${name}’; the fields here are ${known}`);
  };

  walkAll(tree, true);
  return { problems, warnings, contextPaths, variables: [...variables].filter((name) => !local.has(name)) };
}

/** The start of the message of `$error` in place of what could not be converted. */
export const notConverted = 'Not converted: ';

/** The value of a syntax tree that is a literal. An array or object is empty, whatever its members. */
export function literalOf(tree: unknown): Json | undefined {
  if (!isObject(tree)) return undefined;
  const { type, value, position: _, expressions, lhs: __, ...rest } = tree;
  if (Object.keys(rest).length > 0) return undefined;
  if (type === 'block' && Array.isArray(expressions) && expressions.length === 1)
    return literalOf(expressions[0]);
  if (type === 'unary') return value === '[' ? [] : value === '{' ? {} : undefined;
  return type === 'number' || type === 'string' || type === 'value' ? (value as Json) : undefined;
}

/** The names that the first steps of a path select. */
function namesOf(steps: Node[]): string[] {
  const end = steps.findIndex(({ type }) => type !== 'name');
  return steps.slice(0, end < 0 ? undefined : end).map(({ value }) => String(value));
}

/** Nodes that refer to the current context. */
const unqualified = new Set(['name', 'wildcard', 'descendant']);

function unqualifiedProblem(isName: boolean, name: string): string {
  if (!isName) return `‘${name}’ is undefined here: use $states.input.${name}`;
  if (name === 'undefined') return 'JSONata has no ‘undefined’: write () for an argument that is left out';
  if (!/^[A-Za-z_]\w*$/.test(name)) return `‘${name}’ is undefined here: use $states.input.\`${name}\``;
  return `‘${name}’ is undefined here: use $states.input.${name}, or $${name} for a variable or function of that name`;
}

/** Parts of a node that are evaluated in another context than the node. */
const innerContexts = new Set(['predicate', 'stages', 'group', 'terms', 'pattern', 'update', 'delete']);

function keepsContext(node: Node, key: string): boolean {
  return !innerContexts.has(key) && !(node.type === 'lambda' && key === 'arguments');
}

function isCallOf(node: Node, name: string): boolean {
  return node.type === 'function' && node.procedure?.type === 'variable' && node.procedure.value === name;
}

function problemOfStates(field: string, readable: readonly Readable[]): string | undefined {
  switch (field) {
    case 'input':
    case 'context':
      return undefined;
    case 'result':
      if (readable.includes(field)) return undefined;
      return '$states.result is available in the Output and Assign of Task, Parallel and Map only';
    case 'errorOutput':
      if (readable.includes(field)) return undefined;
      return '$states.errorOutput is available in the Output and Assign of a Catcher only';
    default:
      return `$states has no field ‘${field}’; the fields here are ${['input', 'context', ...readable].join(', ')}`;
  }
}
