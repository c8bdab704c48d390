import { isExpression } from '../expressions.ts';
import { type Bounds, describeBounds, fitsBounds, parseTimestamp } from '../fields.ts';
import type { FieldCheck } from './checker.ts';
import { checkString, template } from './expressions.ts';
import { withSuggestion } from './objects.ts';

/** Any string. */
export const anyString: FieldCheck = (value, path, { report }) => {
  if (typeof value !== 'string') report(path, 'Must be a string');
};

/** A JSONata string or a literal string. */
export const text: FieldCheck = (value, path, checker, scope) => {
  if (typeof value === 'string') checkString(value, path, checker, scope);
  else checker.report(path, 'Must be a string or a JSONata string');
};

export function exactly(...values: unknown[]): FieldCheck {
  const list = values.map((value) => JSON.stringify(value)).join(' or ');
  return (value, path, { report }) => {
    if (!values.includes(value)) report(path, `Must be ${list}`);
  };
}

/** A literal number within bounds. */
export function number(limits: Bounds): FieldCheck {
  return (value, path, { report }) => {
    if (!fitsBounds(value, limits)) report(path, `Must be ${describeBounds(limits)}`);
  };
}

/** A number within bounds, or a JSONata string that is checked when it is evaluated. */
export function numberOrExpression(limits: Bounds): FieldCheck {
  const literal = number(limits);
  const expression = template();
  return (value, path, checker, scope) => {
    if (isExpression(value)) expression(value, path, checker, scope);
    else if (typeof value === 'string') {
      checker.report(path, `Must be ${describeBounds(limits)}, or a JSONata string${delimiters(value)}`);
    } else literal(value, path, checker, scope);
  };
}

/** What an author forgets who writes an expression as it is. */
function delimiters(value: unknown): string {
  return typeof value === 'string' ? ': put the expression into {% %}' : '';
}

export const timestamp: FieldCheck = (value, path, checker, scope) => {
  if (isExpression(value)) return checkString(value, path, checker, scope);
  if (typeof value !== 'string' || !parseTimestamp(value)) {
    checker.report(path, 'Must be an RFC 3339 timestamp such as 2027-03-01T09:00:00Z, or a JSONata string');
  }
};

/** Condition: a JSONata string or a boolean (specification: Choice State). */
export const condition: FieldCheck = (value, path, checker, scope) => {
  if (isExpression(value)) checkString(value, path, checker, scope);
  else if (typeof value !== 'boolean')
    checker.report(path, `Must be a JSONata string or a boolean${delimiters(value)}`);
};

/** Items: an array, or a JSONata string that returns one (specification: Map State). */
export const items: FieldCheck = (value, path, checker, scope) => {
  if (Array.isArray(value) || isExpression(value)) template()(value, path, checker, scope);
  else checker.report(path, `Must be an array or a JSONata string${delimiters(value)}`);
};

export const resource: FieldCheck = (value, path, { report, resources }) => {
  if (typeof value === 'string' && resources.has(value)) return;
  const hint = String(value).startsWith('arn:')
    ? '; `wrp definition convert FILE` replaces tasks of AWS'
    : '';
  report(path, `Must be a supported task: ${withSuggestion(String(value), [...resources])}${hint}`);
};
