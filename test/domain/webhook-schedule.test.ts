import { describe, expect, test } from 'vitest';
import { pauseAfter, problemOfWebhookUrl } from '../../server/src/domain/webhooks.ts';

const hour = 3_600_000;
const pauses = (random?: number) =>
  Array.from({ length: 9 }, (_, index) => pauseAfter(index + 1, random) as number);
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

describe('the schedule of a delivery', () => {
  test('has ten attempts over three days, and none after that', () => {
    expect(sum(pauses(0.5)) / hour).toBeCloseTo(71.2, 1);
    expect(pauseAfter(10)).toBeUndefined();
  });

  test('waits longer each time, with a jitter of a tenth', () => {
    const [least, middle, most] = [pauses(0), pauses(0.5), pauses(1)];
    for (const [index, pause] of middle.entries()) {
      expect(least[index]).toBe(Math.round(pause * 0.9));
      expect(most[index]).toBe(Math.round(pause * 1.1));
      expect(pause).toBeGreaterThan((middle[index - 1] ?? 0) * 2);
    }
    expect(new Set(Array.from({ length: 20 }, () => pauseAfter(9))).size).toBeGreaterThan(1);
  });
});

describe('the URL of a webhook', () => {
  test.each(['https://a.example', 'http://10.0.0.1:8080/x?y=1', 'https://bücher.example/'])(
    'may be %s',
    (url) => {
      expect(problemOfWebhookUrl(url)).toBeUndefined();
    },
  );

  test.each([
    ['must be an http or https address', 'a.example'],
    ['must be an http or https address', 'ftp://a.example'],
    ['must not hold a user name or password', 'https://u:p@a.example'],
    ['must not have a fragment', 'https://a.example/#x'],
    ['must have at most 2000 characters', `https://a.example/${'x'.repeat(2_000)}`],
  ])('is refused with "%s": %s', (problem, url) => {
    expect(problemOfWebhookUrl(url)).toBe(problem);
  });
});
