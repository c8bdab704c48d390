import { isObject } from '../../json/index.ts';
import { bounds, defaultTimeoutSeconds } from '../fields.ts';
import type { Checker, FieldCheck, Fields, ScopeVariables } from './checker.ts';
import { assignments, template } from './expressions.ts';
import {
  anyString,
  condition,
  exactly,
  items,
  number,
  numberOrExpression,
  resource,
  text,
  timestamp,
} from './fields.ts';
import { checkFields, listOf, withSuggestion } from './objects.ts';
import { at } from './problems.ts';
import { catchers, retry } from './recovery.ts';

/** Transitions are checked once all states are known. */
const stateName = anyString;

const queryLanguage: FieldCheck = (value, path, { report }) => {
  if (value !== 'JSONata') report(path, 'Only the query language JSONata is supported; JSONPath is not');
};

const every: Fields = { Type: () => undefined, Comment: anyString, QueryLanguage: queryLanguage };
const continued: Fields = { Next: stateName, End: exactly(true) };
const producing: Fields = { Output: template(), Assign: assignments() };
const withResult: Fields = { Output: template('result'), Assign: assignments('result') };
const recovering: Fields = { Retry: retry, Catch: catchers };
const ruleFields: Fields = { Comment: anyString, Condition: condition, Next: stateName, ...producing };

/** Specification: Parallel State. */
const branches: FieldCheck = (value, path, checker, scope) => {
  if (!Array.isArray(value) || value.length === 0) {
    return checker.report(path, 'Must be an array of at least one branch');
  }
  for (const [index, branch] of value.entries()) {
    const pointer = at(path, index);
    if (isObject(branch)) checker.checkScope(branch, { Comment: anyString }, pointer, scope);
    else checker.report(pointer, 'A branch must be an object with StartAt and States');
  }
};

/** Specification: Map State. */
const itemProcessor: FieldCheck = (value, path, checker, scope) => {
  if (!isObject(value)) return checker.report(path, 'Must be an object with StartAt and States');
  checker.checkScope(value, { Comment: anyString, ProcessorConfig: processorConfig }, path, scope);
};

const processorConfig: FieldCheck = (value, path, { report }) => {
  if (!isObject(value) || value['Mode'] !== 'INLINE') {
    return report(path, 'Must be {"Mode": "INLINE"}; the distributed Map is not supported');
  }
  for (const name of Object.keys(value)) {
    if (name !== 'Mode')
      report(at(path, name), `${name} is a field of the distributed Map, which is not supported`);
  }
};

/** The fields of Task, Parallel and Map. */
const working: Fields = { ...every, ...continued, ...withResult, ...recovering };

/** The fields of each type, and those that are required. */
const types = new Map<string, { fields: Fields; required: readonly string[] }>(
  Object.entries({
    Task: {
      fields: {
        ...working,
        Resource: resource,
        Arguments: template(),
        TimeoutSeconds: numberOrExpression(bounds.taskSeconds),
        HeartbeatSeconds: numberOrExpression(bounds.taskSeconds),
      },
      required: ['Resource'],
    },
    Pass: { fields: { ...every, ...continued, ...producing }, required: [] },
    Choice: {
      fields: {
        ...every,
        ...producing,
        Choices: listOf(ruleFields, ['Condition', 'Next'], 'rule', 1),
        Default: stateName,
      },
      required: ['Choices'],
    },
    Wait: {
      fields: {
        ...every,
        ...continued,
        ...producing,
        Seconds: numberOrExpression(bounds.waitSeconds),
        Timestamp: timestamp,
      },
      required: [],
    },
    Succeed: { fields: { ...every, Output: template() }, required: [] },
    Fail: { fields: { ...every, Error: text, Cause: text }, required: [] },
    Parallel: { fields: { ...working, Arguments: template(), Branches: branches }, required: ['Branches'] },
    Map: {
      fields: {
        ...working,
        Items: items,
        ItemSelector: template(),
        ItemProcessor: itemProcessor,
        MaxConcurrency: numberOrExpression(bounds.count),
        ToleratedFailureCount: numberOrExpression(bounds.count),
        ToleratedFailurePercentage: numberOrExpression(bounds.percentage),
      },
      required: ['ItemProcessor'],
    },
  }),
);

export const stateTypes: ReadonlySet<string> = new Set(types.keys());

/** Checks the fields of a state against those of its Type. */
export function checkState(state: unknown, path: string, checker: Checker, scope: ScopeVariables): void {
  const type = isObject(state) ? state['Type'] : undefined;
  const rules = typeof type === 'string' ? types.get(type) : undefined;
  if (!isObject(state)) checker.report(path, 'A state must be an object');
  else if (!rules) {
    const names = withSuggestion(String(type), [...types.keys()]);
    checker.report(at(path, 'Type'), `Type must be one of ${names}`);
  } else {
    checkFields(state, rules.fields, rules.required, path, checker, scope);
    checkCombination(state, path, checker);
  }
}

/** Checks fields that exclude or limit each other. */
function checkCombination(state: Record<string, unknown>, path: string, { report }: Checker): void {
  const { Type, Next, End, Seconds, Timestamp, TimeoutSeconds, HeartbeatSeconds, Error: error } = state;
  const ends = Type === 'Choice' || Type === 'Succeed' || Type === 'Fail';
  if (!ends && (Next === undefined) === (End === undefined))
    report(path, 'Must have exactly one of Next and End');
  if (Type === 'Wait' && (Seconds === undefined) === (Timestamp === undefined)) {
    report(path, 'Must have exactly one of Seconds and Timestamp');
  }
  const timeout = TimeoutSeconds ?? defaultTimeoutSeconds;
  if (typeof HeartbeatSeconds === 'number' && typeof timeout === 'number' && HeartbeatSeconds >= timeout) {
    report(at(path, 'HeartbeatSeconds'), `Must be smaller than TimeoutSeconds, which is ${timeout}`);
  }
  if (Type === 'Fail' && typeof error === 'string' && error.startsWith('States.')) {
    report(at(path, 'Error'), 'Error names that start with States. are reserved');
  }
}

/** The fields of a definition besides StartAt and States. */
export const definitionFields: Fields = {
  Comment: anyString,
  Version: exactly('1.0'),
  TimeoutSeconds: number(bounds.taskSeconds),
  QueryLanguage: () => undefined,
};
