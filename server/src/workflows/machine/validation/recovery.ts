import { isObject } from '../../../domain/objects.ts';
import { bounds } from '../fields.ts';
import type { Checker, FieldCheck, Fields } from './checker.ts';
import { assignments, template } from './expressions.ts';
import { comment, exactly, number } from './fields.ts';
import { listOf } from './objects.ts';
import { at } from './problems.ts';

/** Names with the prefix `States.`, which the language keeps for itself (specification: Appendix A; AWS). */
const reservedErrors = new Set(
  [
    ...['ALL', 'BranchFailed', 'DataLimitExceeded', 'ExceedToleratedFailureThreshold', 'HeartbeatTimeout'],
    ...['Http.Socket', 'IntrinsicFailure', 'ItemReaderFailed', 'NoChoiceMatched', 'ParameterPathFailure'],
    ...['Permissions', 'QueryEvaluationError', 'ResultPathMatchFailure', 'ResultWriterFailed', 'Runtime'],
    ...['TaskFailed', 'Timeout'],
  ].map((name) => `States.${name}`),
);

const errorEquals: FieldCheck = (value, path, { report }) => {
  if (!Array.isArray(value) || value.length === 0) {
    return report(path, 'Must be an array of at least one error name');
  }
  for (const [index, name] of value.entries()) {
    if (typeof name !== 'string' || name === '') report(at(path, index), 'An error name is a string');
    else if (name.startsWith('States.') && !reservedErrors.has(name)) {
      report(at(path, index), `There is no error ${name}; names with States. are the language's own`);
    }
  }
  if (value.includes('States.ALL') && value.length > 1) report(path, 'States.ALL stands alone');
};

const retrierFields: Fields = {
  Comment: comment,
  ErrorEquals: errorEquals,
  IntervalSeconds: number(bounds.taskSeconds),
  MaxAttempts: number(bounds.attempts),
  BackoffRate: number({ minimum: 1, maximum: Number.MAX_VALUE, fractional: true }),
  MaxDelaySeconds: number(bounds.taskSeconds),
  JitterStrategy: exactly('FULL', 'NONE'),
};

const catcherFields: Fields = {
  Comment: comment,
  ErrorEquals: errorEquals,
  Next: comment,
  Output: template('errorOutput'),
  Assign: assignments('errorOutput'),
};

/** Specification: Error Handling. What stands behind States.ALL would never be asked. */
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
      report(at(path, index), 'States.ALL stands in the last one');
    }
  }
}

export const retry = withAllLast(listOf(retrierFields, ['ErrorEquals'], 'Retrier'));
export const catchers = withAllLast(listOf(catcherFields, ['ErrorEquals', 'Next'], 'Catcher'));
