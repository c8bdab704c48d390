import { isObject } from '../../../domain/objects.ts';
import { bounds, defaultTimeoutSeconds } from '../fields.ts';
import type { Checker, Fields, ScopeFacts } from './checker.ts';
import { assignments, template } from './expressions.ts';
import {
  comment,
  condition,
  exactly,
  items,
  number,
  numberOrExpression,
  resource,
  text,
  timestamp,
} from './fields.ts';
import { branches, itemProcessor } from './nested.ts';
import { checkFields, listOf } from './objects.ts';
import { at } from './problems.ts';
import { catchers, retry } from './recovery.ts';

/** Names of states are checked where all of them are known. */
const stateName = comment;

const queryLanguage: Fields[string] = (value, path, { report }) => {
  if (value !== 'JSONata') report(path, 'Only the query language JSONata is supported; JSONPath is not');
};

const every: Fields = { Type: () => undefined, Comment: comment, QueryLanguage: queryLanguage };
const continued: Fields = { Next: stateName, End: exactly(true) };
const producing: Fields = { Output: template(), Assign: assignments() };
const withResult: Fields = { Output: template('result'), Assign: assignments('result') };
const recovering: Fields = { Retry: retry, Catch: catchers };
const ruleFields: Fields = { Comment: comment, Condition: condition, Next: stateName, ...producing };

interface TypeRules {
  fields: Fields;
  required: readonly string[];
}

const types = new Map<string, TypeRules>(
  Object.entries({
    Task: {
      fields: {
        ...every,
        ...continued,
        ...withResult,
        ...recovering,
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
        Choices: listOf(ruleFields, ['Condition', 'Next'], 'rule'),
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
    Parallel: {
      fields: {
        ...every,
        ...continued,
        ...withResult,
        ...recovering,
        Arguments: template(),
        Branches: branches,
      },
      required: ['Branches'],
    },
    Map: {
      fields: {
        ...every,
        ...continued,
        ...withResult,
        ...recovering,
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

/** Every field of a state against what its Type has. */
export function checkState(state: unknown, path: string, checker: Checker, scope: ScopeFacts): void {
  const type = isObject(state) ? state['Type'] : undefined;
  const rules = typeof type === 'string' ? types.get(type) : undefined;
  if (!isObject(state)) checker.report(path, 'A state is an object');
  else if (!rules) checker.report(at(path, 'Type'), `Type is one of ${[...types.keys()].join(', ')}`);
  else {
    checkFields(state, rules.fields, rules.required, path, checker, scope);
    checkTogether(state, path, checker);
  }
}

/** Fields that exclude or bound each other. */
function checkTogether(state: Record<string, unknown>, path: string, { report }: Checker): void {
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
    report(at(path, 'Error'), 'Error names with States. are the language’s own');
  }
}

/** The fields of the whole definition, beside StartAt and States. */
export const definitionFields: Fields = {
  Comment: comment,
  Version: exactly('1.0'),
  TimeoutSeconds: number(bounds.taskSeconds),
  QueryLanguage: () => undefined,
};
