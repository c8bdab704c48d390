import { isExpression } from '../expressions.ts';
import { type Bounds, describeBounds, fitsBounds, parseTimestamp } from '../fields.ts';
import type { FieldCheck } from './checker.ts';
import { checkString, template } from './expressions.ts';

/** A string that is written for people. */
export const comment: FieldCheck = (value, path, { report }) => {
  if (typeof value !== 'string') report(path, 'Must be a string');
};

/** A string that is a JSONata string or stands for itself. */
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

/** A number within bounds, as a literal. */
export function number(limits: Bounds): FieldCheck {
  return (value, path, { report }) => {
    if (!fitsBounds(value, limits)) report(path, `Must be ${describeBounds(limits)}`);
  };
}

/** A number within bounds, or a JSONata string that is checked when it is evaluated. */
export function numberOrExpression(limits: Bounds): FieldCheck {
  const literal = number(limits);
  const expression = template();
  return (value, ...rest) => (isExpression(value) ? expression(value, ...rest) : literal(value, ...rest));
}

export const timestamp: FieldCheck = (value, path, checker, scope) => {
  if (isExpression(value)) return checkString(value, path, checker, scope);
  if (typeof value !== 'string' || !parseTimestamp(value)) {
    checker.report(path, 'Must be an RFC 3339 timestamp such as 2027-03-01T09:00:00Z, or a JSONata string');
  }
};

/** What Condition takes: a JSONata string or a boolean (specification: Choice State). */
export const condition: FieldCheck = (value, path, checker, scope) => {
  if (isExpression(value)) checkString(value, path, checker, scope);
  else if (typeof value !== 'boolean') checker.report(path, 'Must be a JSONata string or a boolean');
};

/** What Items takes: an array, or a JSONata string that gives one (specification: Map State). */
export const items: FieldCheck = (value, path, checker, scope) => {
  if (Array.isArray(value) || isExpression(value)) template()(value, path, checker, scope);
  else checker.report(path, 'Must be an array or a JSONata string');
};

export const resource: FieldCheck = (value, path, { report, resources }) => {
  if (typeof value === 'string' && resources.has(value)) return;
  const known = [...resources].join(', ');
  report(
    path,
    `${typeof value === 'string' ? `‘${value}’ is no supported task` : 'Must be a task'}: ${known}`,
  );
};
