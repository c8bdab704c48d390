/** The time from a save of the contract to each part of the design loop's report, on a copy of the project. */

import type { Report } from '../../design/report.ts';
import { type DesignProcess, startDesign } from '../design-process.ts';
import { copyProject, type ProjectCopy } from '../project-copy.ts';
import { runSection } from '../section.ts';

/** The loop's limits on an idle machine, in milliseconds. */
const promises = { findings: 1000, mock: 2000, gaps: 2000, types: 5000, portal: 5000 } as const;
type Part = keyof typeof promises | 'breaks' | 'broken';

interface Results {
  saves: number;
  /** Milliseconds from the save until the part is reported. `broken`: until the findings of a broken save. */
  parts: Record<Part, { median: number; worst: number; promised?: number }>;
  /** Milliseconds from a save of each kind to its findings, and those of all kinds together. */
  kinds: Record<string, { median: number; worst: number }>;
  all: { median: number; p95: number };
  /** Milliseconds until the first report after a cold start. */
  start: number;
}

const file = 'spec/paths/users.yaml';

/** The kinds of edits: a file, and what each save changes in it. */
const kinds: Record<string, [file: string, change: (text: string, round: number) => string]> = {
  'a path': [file, (text, round) => text.replace('summary: List the users', `$& ${round}`)],
  'a schema': [
    'spec/schemas/users.yaml',
    (text, round) => text.replace("The user's profile.", `$& ${round}.`),
  ],
  'an example': ['spec/examples/users.yaml', (text, round) => text.replace('summary: ', `$&${round} `)],
  'a wrong example': [
    'spec/examples/users.yaml',
    (text, round) => text.replace('status: ACTIVE', `status: ACTIVE${round}`),
  ],
  'an event': ['spec/webhooks/users.yaml', (text, round) => text.replace('Sent when', `${round}: sent when`)],
  'a guide': ['spec/guides/errors.md', (text, round) => `${text}\nOnce more: ${round}.\n`],
  'a journey': ['spec/arazzo/send-a-link.yaml', (text, round) => `${text}# ${round}\n`],
  'the table of contents': [
    'spec/openapi.yaml',
    (text, round) => text.replace('x-displayName: Webhooks', `$& ${round}`),
  ],
  'a new file': ['spec/schemas/benchmark.yaml', (_, round) => `Unused${round}:\n  type: string\n`],
  'a rule': ['spec/rules/no-defs.js', (text, round) => `${text}// ${round}\n`],
  'the settings': ['redocly.yaml', (text, round) => `${text}# ${round}\n`],
};

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
    await project.save(file, text);
    const byKind = await measureKinds(saves, { project, design, progress });
    const all = Object.values(byKind)
      .flat()
      .toSorted((left, right) => left - right);
    const at = (share: number) => all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;
    return {
      ...{ saves, start, parts: summary(found) },
      kinds: Object.fromEntries(Object.entries(byKind).map(([kind, times]) => [kind, summaryOf(times)])),
      all: { median: at(0.5), p95: at(0.95) },
    };
  } finally {
    await design.stop();
    await project.remove();
  }
}

/** The times to the findings, in milliseconds, by kind of edit. Each save waits until all of the last one is reported. */
async function measureKinds(
  saves: number,
  {
    project,
    design,
    progress,
  }: { project: ProjectCopy; design: DesignProcess; progress(line: string): void },
): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (const [kind, [name, change]] of Object.entries(kinds)) {
    const text = await project.read(name).catch(() => '');
    for (let round = 1; round <= saves; round++) {
      await design.report(design.lastSave, ({ done }) => done);
      const from = design.lastSave + 1;
      await project.save(name, change(text, round));
      const { times } = await design.report(from, ({ findings }) => findings !== undefined);
      found[kind] = [...(found[kind] ?? []), times.findings ?? 0];
    }
    progress(`${kind}: ${found[kind]?.join(', ')} ms`);
    const from = design.lastSave + 1;
    await (text === '' ? project.discard(name) : project.save(name, text));
    await design.report(from, ({ done }) => done);
  }
  return found;
}

function summaryOf(times: readonly number[]): { median: number; worst: number } {
  const sorted = times.toSorted((left, right) => left - right);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
}

function summary(found: Map<Part, number[]>): Results['parts'] {
  const parts = [...found].map(([part, all]) => {
    const promised = (promises as Partial<Record<Part, number>>)[part];
    return [part, { ...summaryOf(all), ...(promised && { promised }) }];
  });
  return Object.fromEntries(parts);
}

function asText({ saves, start, parts, kinds, all }: Results): string {
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
    `Seconds to the findings by kind of edit, over ${saves} saves each; promised: median 1, p95 2`,
    ...Object.entries(kinds).map(
      ([kind, { median, worst }]) => `  ${kind.padEnd(22)}${seconds(median)}${seconds(worst)}`,
    ),
    `  all kinds: median ${seconds(all.median).trim()}, p95 ${seconds(all.p95).trim()}`,
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
