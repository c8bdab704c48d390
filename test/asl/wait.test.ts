import { describe, expect, test } from 'vitest';
import { definitionOf, endingOf, execute, only } from './run.ts';

const input = { seconds: 30, at: '2027-03-01T10:00:00Z', text: 'soon' };

/** The seconds that a Wait takes, as the next state sees them. */
async function waited(fields: object): Promise<number | undefined> {
  const definition = definitionOf({ S: { Type: 'Wait', ...fields, Next: 'E' }, E: { Type: 'Succeed' } });
  const { entered } = await execute(definition, { input });
  return entered.find(([state]) => state === 'E')?.[1];
}

describe('Wait', () => {
  test.each<[what: string, fields: object, seconds: number]>([
    ['Seconds', { Seconds: 10 }, 10],
    ['no Seconds at all', { Seconds: 0 }, 0],
    ['an expression for Seconds', { Seconds: '{% $states.input.seconds * 2 %}' }, 60],
    ['days', { Seconds: 2_592_000 }, 2_592_000],
    ['until a Timestamp', { Timestamp: '2027-03-01T09:00:05Z' }, 5],
    ['until a Timestamp with an offset', { Timestamp: '2027-03-01T11:00:05+02:00' }, 5],
    ['until a Timestamp with fractions', { Timestamp: '2027-03-01T09:00:00.250Z' }, 0.25],
    ['until an expression for Timestamp', { Timestamp: '{% $states.input.at %}' }, 3_600],
    ['not for a Timestamp that has passed', { Timestamp: '2020-01-01T00:00:00Z' }, 0],
    ['until a Timestamp in 30 days', { Timestamp: '2027-03-31T09:00:00Z' }, 2_592_000],
    ['a stored literal that older releases accepted', { Seconds: 2_592_001 }, 2_592_001],
    ['until a time reckoned from $now', { Timestamp: '{% $fromMillis($millis() + 7000) %}' }, 7],
  ])('waits: %s', async (_, fields, seconds) => {
    expect(await waited(fields)).toBe(seconds);
  });

  test.each<[what: string, fields: object]>([
    ['negative Seconds', { Seconds: '{% -1 %}' }],
    ['a fraction of Seconds', { Seconds: '{% 1.5 %}' }],
    ['Seconds as a string', { Seconds: "{% '10' %}" }],
    ['Seconds that are nothing', { Seconds: '{% $states.input.missing %}' }],
    ['more Seconds than an execution runs', { Seconds: '{% 2592001 %}' }],
    ['a Timestamp after the longest execution ends', { Timestamp: '2027-03-31T09:00:00.001Z' }],
    ['an expression for such a Timestamp', { Timestamp: '{% $fromMillis($millis() + 2592001000) %}' }],
    ['an invalid Timestamp', { Timestamp: '{% $states.input.text %}' }],
    ['a Timestamp without a zone', { Timestamp: "{% '2027-03-01T10:00:00' %}" }],
    ['a Timestamp with a lower-case t', { Timestamp: "{% '2027-03-01t10:00:00Z' %}" }],
    ['a Timestamp on a day that does not exist', { Timestamp: "{% '2027-02-30T10:00:00Z' %}" }],
    ['a Timestamp that is a number', { Timestamp: '{% 1 %}' }],
  ])('fails with States.QueryEvaluationError: %s', async (_, fields) => {
    const ending = await endingOf(only({ Type: 'Wait', ...fields }), { input });
    expect(ending).toMatchObject({ error: 'States.QueryEvaluationError' });
  });

  test('outputs its input or its Output, and assigns, after the wait', async () => {
    expect(await endingOf(only({ Type: 'Wait', Seconds: 1 }), { input })).toEqual({ output: input });
    const definition = definitionOf({
      S: {
        Type: 'Wait',
        Seconds: 1,
        Output: '{% $now() %}',
        Assign: { v: '{% $states.input.text %}' },
        Next: 'E',
      },
      E: { Type: 'Succeed', Output: ['{% $states.input %}', '{% $v %}'] },
    });
    expect(await endingOf(definition, { input })).toEqual({ output: ['2027-03-01T09:00:01.000Z', 'soon'] });
  });
});
