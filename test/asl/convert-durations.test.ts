import { describe, expect, test } from 'vitest';
import { convert, onAws } from './converted.ts';

const sqs = 'arn:aws:states:::sqs:sendMessage';

test('durations beyond the 30 days of an execution are reduced, and reported at their first place', () => {
  const year = 31_536_000;
  const month = 2_592_000;
  const document = onAws(
    {
      W: { Type: 'Wait', Seconds: year, Next: 'T' },
      T: {
        Type: 'Task',
        Resource: sqs,
        TimeoutSeconds: 99_999_999,
        HeartbeatSeconds: year,
        Parameters: { QueueUrl: 'https://sqs.example/q', MessageBody: { TimeoutSeconds: year } },
        Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 2, MaxDelaySeconds: year }],
        End: true,
      },
    },
    { TimeoutSeconds: year },
  );
  const { definition, findings } = convert(document);
  expect(definition).toMatchObject({
    TimeoutSeconds: month,
    States: {
      W: { Seconds: month },
      T: { TimeoutSeconds: 1500, Retry: [{ IntervalSeconds: 2, MaxDelaySeconds: month }] },
    },
  });
  expect(definition.States['T']).not.toHaveProperty('HeartbeatSeconds');
  expect(JSON.stringify(definition.States['T'])).toContain(`"TimeoutSeconds":${year}`);
  expect(findings).toContainEqual({
    kind: 'todo',
    pointer: '/States/W/Seconds',
    message: expect.stringContaining('30 days'),
  });
  expect(findings).toContainEqual({
    kind: 'note',
    pointer: '/States/T/TimeoutSeconds',
    message: expect.stringMatching(/30 days.*\(and 3 more\)$/),
  });
});

describe('the times of a task', () => {
  const callback = `${sqs}.waitForTaskToken`;
  const sync = 'arn:aws:states:::glue:startJobRun.sync';
  test.each<[resource: string, given: object, here: object, noted: string[]]>([
    [sqs, { TimeoutSeconds: 1500 }, { TimeoutSeconds: 1500 }, []],
    [sqs, { TimeoutSeconds: 1501 }, { TimeoutSeconds: 1500 }, ['TimeoutSeconds']],
    [sqs, { TimeoutSeconds: 60, HeartbeatSeconds: 10 }, { TimeoutSeconds: 60 }, ['HeartbeatSeconds']],
    [sqs, { HeartbeatSeconds: 100 }, {}, ['HeartbeatSeconds']],
    [sqs, { HeartbeatSecondsPath: '$.n' }, {}, ['HeartbeatSecondsPath']],
    [sync, {}, { TimeoutSeconds: 1500 }, []],
    [sync, { TimeoutSeconds: 120 }, { TimeoutSeconds: 120 }, []],
    [sync, { TimeoutSeconds: 7200 }, { TimeoutSeconds: 1500 }, ['TimeoutSeconds']],
    [callback, {}, { TimeoutSeconds: 2_505_600 }, []],
    [callback, { HeartbeatSeconds: 60 }, { TimeoutSeconds: 2_505_600, HeartbeatSeconds: 60 }, []],
    [callback, { HeartbeatSeconds: 2_505_600 }, { TimeoutSeconds: 2_505_600 }, []],
    [callback, { TimeoutSeconds: 2_592_000 }, { TimeoutSeconds: 2_505_600 }, []],
    [
      callback,
      { TimeoutSeconds: 7200, HeartbeatSeconds: 60 },
      { TimeoutSeconds: 7200, HeartbeatSeconds: 60 },
      [],
    ],
  ])('%s with %j has %j', (resource, given, here, noted) => {
    for (const QueryLanguage of 'HeartbeatSecondsPath' in given ? ['JSONPath'] : ['JSONPath', 'JSONata']) {
      const T = { Type: 'Task', Resource: resource, ...given, Next: 'E' };
      const { definition, findings } = convert(onAws({ T, E: { Type: 'Fail' } }, { QueryLanguage }));
      const { TimeoutSeconds, HeartbeatSeconds } = definition.States['T'] as {
        TimeoutSeconds?: unknown;
        HeartbeatSeconds?: unknown;
      };
      expect({ TimeoutSeconds, HeartbeatSeconds }).toEqual({
        TimeoutSeconds: undefined,
        HeartbeatSeconds: undefined,
        ...here,
      });
      expect(findings.filter(({ kind }) => kind === 'note').map(({ pointer }) => pointer)).toEqual(
        noted.map((field) => `/States/T/${field}`),
      );
    }
  });
});
