import { describe, test } from 'vitest';
import { expectRefused, having, type Refused, task } from './refusals.ts';

describe('validateDefinition refuses a wrong Retry or Catch', () => {
  test.each<Refused>([
    ['no ErrorEquals', having({ ...task, Retry: [{}] }), '/States/S/Retry/0', 'ErrorEquals is missing'],
    [
      'an empty ErrorEquals',
      having({ ...task, Retry: [{ ErrorEquals: [] }] }),
      '/States/S/Retry/0/ErrorEquals',
      /at least one/,
    ],
    [
      'States.ALL with others',
      having({ ...task, Retry: [{ ErrorEquals: ['States.ALL', 'A'] }] }),
      '/States/S/Retry/0/ErrorEquals',
      'States.ALL must be the only error name',
    ],
    [
      'States.ALL before others',
      having({ ...task, Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['A'] }] }),
      '/States/S/Retry/0',
      /last/,
    ],
    [
      'an unknown reserved error',
      having({ ...task, Retry: [{ ErrorEquals: ['States.TimeOut'] }] }),
      '/States/S/Retry/0/ErrorEquals/0',
      /Unknown error States.TimeOut/,
    ],
    [
      'an interval of 0',
      having({ ...task, Retry: [{ ErrorEquals: ['A'], IntervalSeconds: 0 }] }),
      '/States/S/Retry/0/IntervalSeconds',
      /from 1/,
    ],
    [
      'a BackoffRate below 1',
      having({ ...task, Retry: [{ ErrorEquals: ['A'], BackoffRate: 0.5 }] }),
      '/States/S/Retry/0/BackoffRate',
      'Must be a number not below 1',
    ],
    [
      'another JitterStrategy',
      having({ ...task, Retry: [{ ErrorEquals: ['A'], JitterStrategy: 'HALF' }] }),
      '/States/S/Retry/0/JitterStrategy',
      'Must be "FULL" or "NONE"',
    ],
    ['a Retry in a Pass', having({ Type: 'Pass', Retry: [] }), '/States/S/Retry', /Unknown field Retry;/],
    [
      'a Catcher without Next',
      having({ ...task, Catch: [{ ErrorEquals: ['A'] }] }),
      '/States/S/Catch/0',
      'Next is missing',
    ],
  ])('%s', expectRefused);
});
