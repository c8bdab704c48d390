import { styleText } from 'node:util';
import type { Outcome } from './respect.ts';

const signs = { passed: '✓', failed: '✗', skipped: '–' } as const;
const colors = { passed: 'green', failed: 'red', skipped: 'dim' } as const;

/** One line for each journey, and its errors below it. */
export function report({ to, journeys }: Outcome, inColor = false): string {
  const width = Math.max(...journeys.map(({ workflow }) => workflow.length));
  const painted = (result: keyof typeof signs, text: string) =>
    inColor ? styleText(colors[result], text) : text;
  const lines = journeys.flatMap(({ workflow, result, because, steps, milliseconds, errors }) => {
    const detail = because ?? `${steps} steps, ${milliseconds} ms`;
    return [
      `  ${painted(result, `${signs[result]} ${workflow.padEnd(width)}`)}  ${detail}`,
      ...errors.map((error) => `      ${error}`),
    ];
  });
  const count = (result: keyof typeof signs) =>
    journeys.filter((journey) => journey.result === result).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const sum = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  return `Journeys to ${to}\n\n${lines.join('\n')}\n\n${sum}\n`;
}
