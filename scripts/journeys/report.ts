import { styleText } from 'node:util';
import type { Outcome } from './respect.ts';

const signs = { passed: '✓', failed: '✗', left_out: '–' } as const;
const colors = { passed: 'green', failed: 'red', left_out: 'dim' } as const;

/** What a person reads of an outcome: a line for each journey, and what failed below it. */
export function report({ to, journeys }: Outcome, inColor = false): string {
  const width = Math.max(...journeys.map(({ workflow }) => workflow.length));
  const painted = (result: keyof typeof signs, text: string) =>
    inColor ? styleText(colors[result], text) : text;
  const lines = journeys.flatMap(({ workflow, result, because, steps, milliseconds, faults }) => {
    const said = because ?? `${steps} steps, ${milliseconds} ms`;
    return [
      `  ${painted(result, `${signs[result]} ${workflow.padEnd(width)}`)}  ${said}`,
      ...faults.map((fault) => `      ${fault}`),
    ];
  });
  const count = (result: keyof typeof signs) =>
    journeys.filter((journey) => journey.result === result).length;
  const [passed, failed, left] = [count('passed'), count('failed'), count('left_out')];
  const sum = `${passed} passed, ${failed} failed, ${left} left out`;
  return `Journeys to ${to}\n\n${lines.join('\n')}\n\n${sum}\n`;
}
