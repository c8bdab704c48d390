/** The time from a save of the contract to each part of the design loop's report, on a copy of the project. */

import type { Report } from '../../design/report.ts';
import { startDesign } from '../design-process.ts';
import { copyProject } from '../project-copy.ts';
import { runSection } from '../section.ts';

/** The loop's limits on an idle machine, in milliseconds. */
const promises = { findings: 2000, mock: 2000, gaps: 2000, types: 5000, portal: 5000 } as const;
type Part = keyof typeof promises | 'breaks' | 'broken';

interface Results {
  saves: number;
  /** Milliseconds from the save until the part is reported. `broken`: until the findings of a broken save. */
  parts: Record<Part, { median: number; worst: number; promised?: number }>;
  /** Milliseconds until the first report after a cold start. */
  start: number;
}

const file = 'spec/paths/users.yaml';

/** Measures good saves and as many broken ones. */
async function measure(saves: number, progress: (line: string) => void): Promise<Results> {
  const project = await copyProject();
  const started = performance.now();
  const design = await startDesign(project.directory);
  const found = new Map<Part, number[]>();
  const keep = (part: Part, milliseconds: number | undefined) => {
    if (milliseconds !== undefined) found.set(part, [...(found.get(part) ?? []), milliseconds]);
  };
  try {
    await design.report(0, ({ done }) => done);
    const start = Math.round(performance.now() - started);
    const text = await project.read(file);
    const saved = async (content: string, isWanted: (report: Report) => boolean) => {
      const from = design.lastSave + 1;
      await project.save(file, content);
      return design.report(from, isWanted);
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
      // The first save warms up.
      if (round === 0) continue;
      keep('broken', broken.times.findings);
      for (const [part, milliseconds] of Object.entries(times)) keep(part as Part, milliseconds);
    }
    return { saves, start, parts: summary(found) };
  } finally {
    await design.stop();
    await project.remove();
  }
}

function summary(found: Map<Part, number[]>): Results['parts'] {
  const parts = [...found].map(([part, all]) => {
    const sorted = all.toSorted((left, right) => left - right);
    const promised = (promises as Partial<Record<Part, number>>)[part];
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return [part, { median, worst: sorted.at(-1) ?? 0, ...(promised && { promised }) }];
  });
  return Object.fromEntries(parts);
}

function asText({ saves, start, parts }: Results): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2).padStart(7);
  const lines = Object.entries(parts).map(([part, { median, worst, promised }]) => {
    const bound = promised ? `   promised ${(promised / 1000).toFixed(0)}` : '';
    return `  ${part.padEnd(9)}${seconds(median)}${seconds(worst)}${bound}`;
  });
  return [
    `Design loop: seconds from a save to its report, over ${saves} good and ${saves} broken saves`,
    `  ${''.padEnd(9)} median  worst`,
    ...lines,
    `  first report after the start: ${seconds(start).trim()} s`,
  ].join('\n');
}

await runSection({
  tool: 'bench',
  name: 'design-loop',
  description: 'Measures the time from a save to each part of its report, on a copy of the project.',
  options: { saves: { description: 'good saves, and as many broken ones', full: 5, quick: 2 } },
  run: ({ saves }, { progress }) => measure(saves, progress),
  asText,
});
