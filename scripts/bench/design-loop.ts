/**
 * The time from a save of the contract to each part of the design loop's report, and the loop's memory, measured on a
 * copy of the project.
 */
import { readdir, readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { runSection } from '../command-line/section.ts';
import type { Report } from '../design/report.ts';
import { startDesign } from '../laboratory/design-process.ts';
import { copyProject } from '../laboratory/project-copy.ts';

/** The loop's limits on an idle machine, in milliseconds. */
export const promises = { findings: 2000, mock: 2000, gaps: 2000, types: 5000, portal: 5000 } as const;
/** The loop's limit after 50 saves, in MB. */
export const promisedMemory = 700;
type Part = keyof typeof promises | 'breaks' | 'broken';

export type DesignLoopResults = {
  saves: number;
  /** Milliseconds from the save until the part is reported. `broken`: until the findings of a broken save. */
  parts: Record<Part, { median: number; worst: number; promised?: number }>;
  /** Milliseconds until the first report after a cold start. */
  start: number;
  /** MB of memory (PSS) of all its processes after the last save; on Linux only. */
  memory: number | undefined;
  /** Load average of the machine over the last minute. */
  load: number;
};

const file = 'spec/paths/users.yaml';

/** Measures good saves and as many broken ones. @param progress called after each save */
export async function measureDesignLoop(
  saves: number,
  progress: (line: string) => void = () => {},
): Promise<DesignLoopResults> {
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
      progress(`save ${round} of ${saves}: ${JSON.stringify(times)}, ${await memoryOf(design.pid)} MB`);
      // The first save warms up.
      if (round === 0) continue;
      keep('broken', broken.times.findings);
      for (const [part, milliseconds] of Object.entries(times)) keep(part as Part, milliseconds);
    }
    const memory = await memoryOf(design.pid);
    return { saves, start, memory, load: loadavg()[0] ?? 0, parts: summary(found) };
  } finally {
    await design.stop();
    await project.remove();
  }
}

/**
 * The proportional set size of a process and all below it, in MB: pages that processes share are counted once.
 * Linux only.
 */
async function memoryOf(root: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]));
  }
  const isBelow = (pid: number): boolean => pid === root || (pid > 1 && isBelow(parents.get(pid) ?? 0));
  let kilobytes = 0;
  for (const pid of parents.keys()) {
    if (!isBelow(pid)) continue;
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
  }
  return Math.round(kilobytes / 1024);
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

/** The results as a table. */
export function designLoopText({ saves, start, memory, load, parts }: DesignLoopResults): string {
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2).padStart(7);
  const lines = Object.entries(parts).map(([part, { median, worst, promised }]) => {
    const bound = promised ? `   promised ${(promised / 1000).toFixed(0)}` : '';
    return `  ${part.padEnd(9)}${seconds(median)}${seconds(worst)}${bound}`;
  });
  return [
    `Design loop: seconds from a save to its report, over ${saves} good and ${saves} broken saves`,
    `  ${''.padEnd(9)} median  worst`,
    ...lines,
    `  memory of its processes: ${memory ?? 'unknown'} MB   promised ${promisedMemory} after 50 saves`,
    `  first report after the start: ${seconds(start).trim()} s; load of the machine: ${load.toFixed(1)}`,
  ].join('\n');
}

if (import.meta.main) {
  await runSection({
    tool: 'bench',
    name: 'design-loop',
    description: 'Measures the time from a save to each part of its report, on a copy of the project.',
    options: { saves: { description: 'good saves, and as many broken ones', full: 5, quick: 2 } },
    run: ({ saves }, { progress }) => measureDesignLoop(saves, progress),
    asText: designLoopText,
  });
}
