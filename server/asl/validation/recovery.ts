import { isObject } from '../../json/index.ts';
import { bounds } from '../fields.ts';
import type { Checker, FieldCheck, Fields } from './checker.ts';
import { assignments, template } from './expressions.ts';
import { anyString, exactly, number } from './fields.ts';
import { listOf } from './objects.ts';
import { at } from './problems.ts';

/** The reserved error names (specification: Appendix A; AWS). */
export const reservedErrors: ReadonlySet<string> = new Set(
  `ALL BranchFailed DataLimitExceeded ExceedToleratedFailureThreshold HeartbeatTimeout Http.Socket IntrinsicFailure
  ItemReaderFailed NoChoiceMatched ParameterPathFailure Permissions QueryEvaluationError ResultPathMatchFailure
  ResultWriterFailed Runtime TaskFailed Timeout`
    .split(/\s+/)
    .map((name) => `States.${name}`),
);

const errorEquals: FieldCheck = (value, path, { report }) => {
  if (!Array.isArray(value) || value.length === 0) {
    return report(path, 'Must be an array of at least one error name');
  }
  for (const [index, name] of value.entries()) {
    if (typeof name !== 'string' || name === '') report(at(path, index), 'An error name must be a string');
    else if (name.startsWith('States.') && !reservedErrors.has(name)) {
      report(at(path, index), `Unknown error ${name}; names that start with States. are reserved`);
    }
  }
  if (value.includes('States.ALL') && value.length > 1)
    report(path, 'States.ALL must be the only error name');
};

const retrierFields: Fields = {
  Comment: anyString,
  ErrorEquals: errorEquals,
  IntervalSeconds: number(bounds.taskSeconds),
  MaxAttempts: number(bounds.attempts),
  BackoffRate: number({ minimum: 1, maximum: Number.MAX_VALUE, fractional: true }),
  MaxDelaySeconds: number(bounds.taskSeconds),
  JitterStrategy: exactly('FULL', 'NONE'),
};

const catcherFields: Fields = {
  Comment: anyString,
  ErrorEquals: errorEquals,
  Next: anyString,
  Output: template('errorOutput'),
  Assign: assignments('errorOutput'),
};

/** Specification: Error Handling. Nothing after States.ALL would ever match. */
function withAllLast(check: FieldCheck): FieldCheck {
  return (value, path, checker, scope) => {
    check(value, path, checker, scope);
    if (Array.isArray(value)) checkAllLast(value, path, checker);
  };
}

function checkAllLast(list: unknown[], path: string, { report }: Checker): void {
  for (const [index, each] of list.slice(0, -1).entries()) {
    const names = isObject(each) ? each['ErrorEquals'] : undefined;
    if (Array.isArray(names) && names.includes('States.ALL')) {
      report(at(path, index), 'States.ALL is allowed in the last one only');
    }
  }
}

export const retry = withAllLast(listOf(retrierFields, ['ErrorEquals'], 'Retrier', 0));
export const catchers = withAllLast(listOf(catcherFields, ['ErrorEquals', 'Next'], 'Catcher', 0));
