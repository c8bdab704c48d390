/**
 * What a designer waits for: from a save of the contract to each part of the answer, over some saves of a copy of the
 * project.
 *
 *   node scripts/bench/design-loop.ts [--saves 5] [--json]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from '../command-line/run-command.ts';
import type { Answer } from '../design/answer.ts';
import { startDesign } from '../design/trial/process.ts';
import { trialProject } from '../design/trial/project.ts';

/** What the loop promises on a machine that does nothing else, in milliseconds. */
export const promises = { findings: 2000, mock: 2000, missing: 2000, types: 5000, portal: 5000 } as const;
type Part = keyof typeof promises | 'breaks' | 'broken';

export type DesignLoopResults = {
  saves: number;
  /** Milliseconds from the save until the part was known. `broken`: until the findings of a broken save. */
  parts: Record<Part, { median: number; worst: number; promised?: number }>;
  /** Until the first answer, with nothing loaded. */
  start: number;
  /** What else the machine did: processes that ran or waited, on the average of the last minute. */
  load: number;
};

const file = 'spec/paths/users.yaml';

/** Measures over good saves and as many broken ones. @param progress is told each save */
export async function measureDesignLoop(
  saves: number,
  progress: (line: string) => void = () => {},
): Promise<DesignLoopResults> {
  const project = await trialProject();
  const started = performance.now();
  const design = await startDesign(project.directory);
  const found = new Map<Part, number[]>();
  const keep = (part: Part, milliseconds: number | undefined) => {
    if (milliseconds !== undefined) found.set(part, [...(found.get(part) ?? []), milliseconds]);
  };
  try {
    await design.answer(0, ({ done }) => done);
    const start = Math.round(performance.now() - started);
    const text = await project.read(file);
    const saved = async (content: string, isWanted: (answer: Answer) => boolean) => {
      const from = design.lastSave + 1;
      await project.save(file, content);
      return design.answer(from, isWanted);
    };
    for (let round = 0; round <= saves; round++) {
      const broken = await saved(
        text.replace('summary:', 'sumary:'),
        ({ findings }) => findings !== undefined,
      );
      // Another operationId changes generated/, and with it every type that depends on it.
      const changed = text.replaceAll('operationId: listUsers', `operationId: listUsers${round % 2}`);
      const { times } = await saved(changed, ({ done, types }) => done && types !== undefined);
      progress(`save ${round} of ${saves}: ${JSON.stringify(times)}`);
      // The first save finds everything cold.
      if (round === 0) continue;
      keep('broken', broken.times.findings);
      for (const [part, milliseconds] of Object.entries(times)) keep(part as Part, milliseconds);
    }
    return { saves, start, load: loadavg()[0] ?? 0, parts: summary(found) };
  } finally {
    await design.stop();
    await project.remove();
  }
}

function summary(found: Map<Part, number[]>): DesignLoopResults['parts'] {
  const parts = [...found].map(([part, all]) => {
    const sorted = all.toSorted((left, right) => left - right);
    const promised = (promises as Partial<Record<Part, number>>)[part];
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return [part, { median, worst: sorted.at(-1) ?? 0, ...(promised && { promised }) }];
  });
  return Object.fromEntries(parts);
}

/** The results as people read them. */
export function designLoopText({ saves, start, load, parts }: DesignLoopResults): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2).padStart(7);
  const lines = Object.entries(parts).map(([part, { median, worst, promised }]) => {
    const bound = promised ? `   promised ${(promised / 1000).toFixed(0)}` : '';
    return `  ${part.padEnd(9)}${seconds(median)}${seconds(worst)}${bound}`;
  });
  return [
    `Design loop: seconds from a save to the answer, over ${saves} good and ${saves} broken saves`,
    `  ${''.padEnd(9)} median  worst`,
    ...lines,
    `  first answer after the start: ${seconds(start).trim()} s; load of the machine: ${load.toFixed(1)}`,
  ].join('\n');
}

if (import.meta.main) {
  await runCommand('design-loop', async () => {
    const { values } = parseArgs({
      options: {
        saves: { type: 'string', default: '5' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log('Usage: node scripts/bench/design-loop.ts [--saves 5] [--json]');
      return 0;
    }
    if (!/^[1-9]\d?$/.test(values.saves)) throw new CommandError('set --saves to a number from 1 to 99.');
    const results = await measureDesignLoop(Number(values.saves), (line) => console.error(line));
    console.log(values.json ? JSON.stringify(results, null, 2) : designLoopText(results));
    return 0;
  });
}
