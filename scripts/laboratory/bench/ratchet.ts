/** This version next to the last release: a change that costs speed is noticed when it is made. */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import { earlierRelease } from '../earlier-release.ts';
import { type Running, runSection, type Values as SectionValues } from '../section.ts';
import { table } from '../table.ts';
import { executions, type OpenSide, requests, storage } from './ratchet/sides.ts';
import { pinLoad } from './requests/baselines.ts';
import { confidenceOf, rotated, type Spread } from './statistics.ts';
import { spread } from './text.ts';

interface Section {
  name: string;
  open: OpenSide;
  /** How many processes of each version take turns: two of the same version can differ by some percent for their lives. */
  processes: number;
}

const sections: Section[] = [
  { name: 'requests', open: requests, processes: 3 },
  { name: 'storage', open: storage, processes: 2 },
  { name: 'executions', open: executions, processes: 1 },
];
/** What a line may lose, as a share. */
const mayLose = 0.07;
/** Rounds of new processes before the first that counts: enough for the engine to compile hot code. */
const warmUp = 3;
const committed = fileURLToPath(new URL('ratchet.json', import.meta.url));

const options = {
  rounds: { description: 'rounds; the result is the median of their ratios', full: 12, quick: 6, minimum: 6 },
  update: {
    description: 'write the ratios to ratchet.json: what is not to be lost from now on',
    full: false,
  },
};

/** The ratios that were certainly reached, and are not to be lost: the lower ends of their intervals. */
interface Committed {
  /** The commit of the release that they are relative to. Of another, they say nothing. */
  release: string;
  machine: string;
  ratios: Record<string, number>;
}

interface Line {
  tried: string;
  /** This version's speed relative to the release's, with its 95 % confidence interval. */
  ratio: Spread;
  /** The ratio that was committed; 1 for a new release. */
  held: number;
  failures: string[];
}

async function measure({ rounds, update }: SectionValues<typeof options>, running: Running): Promise<Line[]> {
  if (!pinLoad()) running.progress('taskset is missing: the ratios of requests are less accurate');
  await using temporary = await temporaryDirectory('bench-ratchet');
  const release = await earlierRelease(join(temporary.path, 'release'));
  if (!release) {
    running.progress('nothing is compared: the clone has no history, so it has no earlier release');
    return [];
  }
  const folders = [new URL('./', import.meta.url), releaseFolder(release.directory)] as const;
  const before = JSON.parse(await readFile(committed, 'utf8')) as Committed;
  const held = before.release === release.commit ? before.ratios : {};
  const lines: Line[] = [];
  for (const section of sections) {
    for (const [name, ratios] of await ratiosOf(section, folders, rounds, running)) {
      const line = lineOf(`${section.name}, ${name}`, confidenceOf(ratios), held);
      running.progress(`${line.tried}: ${spread(line.ratio)}`);
      lines.push(line);
    }
  }
  if (update) await save(release.commit, lines);
  else if (lines.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
  return lines;
}

const releaseFolder = (directory: string) =>
  new URL('scripts/laboratory/bench/', pathToFileURL(`${directory}/`));

/** The ratios of each line, round by round. */
async function ratiosOf(
  { open, processes }: Section,
  folders: readonly [URL, URL],
  rounds: number,
  running: Running,
): Promise<Map<string, number[]>> {
  const all = new Map<string, number[]>();
  for (let first = 0; first < rounds; first += Math.ceil(rounds / processes)) {
    const part = Math.min(Math.ceil(rounds / processes), rounds - first);
    for (const [line, ratios] of await ratiosOfProcesses(open, folders, part, running))
      all.set(line, [...(all.get(line) ?? []), ...ratios]);
  }
  return all;
}

/** The same, of one process of each version. */
async function ratiosOfProcesses(
  open: OpenSide,
  [ours, theirs]: readonly [URL, URL],
  rounds: number,
  running: Running,
): Promise<Map<string, number[]>> {
  await using now = await open(ours, running);
  await using release = await open(theirs, running);
  const ratios = new Map<string, number[]>(now.lines.map((line) => [line, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [line, ofLine] of ratios) {
      const speeds = new Map<unknown, number>();
      for (const side of rotated([now, release], round + warmUp)) {
        running.signal.throwIfAborted();
        speeds.set(side, await side.measure(line));
      }
      if (round >= 0) ofLine.push((speeds.get(now) ?? 0) / (speeds.get(release) ?? 0));
    }
  }
  return ratios;
}

/** A line fails if it is certain that more was lost. */
function lineOf(tried: string, ratio: Spread, ratios: Record<string, number>): Line {
  const held = ratios[tried] ?? 1;
  const failures =
    ratio.upper < held * (1 - mayLose) ? [`${tried}: ${spread(ratio)} of the last release, was ${held}`] : [];
  return { tried, ratio, held, failures };
}

async function save(release: string, lines: readonly Line[]): Promise<void> {
  const [{ model } = { model: 'unknown' }] = cpus();
  const ratios = Object.fromEntries(lines.map(({ tried, ratio }) => [tried, Number(ratio.lower.toFixed(3))]));
  const written: Committed = { release, machine: `${cpus().length} × ${model}`, ratios };
  await writeFile(committed, `${JSON.stringify(written, null, 2)}\n`);
}

function asText(lines: Line[]): string {
  return table([
    ['Speed relative to the last release', 'ratio', 'committed', ''],
    ...lines.map(({ tried, ratio, held, failures }) => [
      tried,
      spread(ratio),
      held.toFixed(2),
      failures.length > 0 ? `lost more than ${Math.round(mayLose * 100)} %` : '',
    ]),
  ]);
}

await runSection({
  tool: 'bench',
  name: 'ratchet',
  description: `Measures requests, storage and executions of this version next to those of the last release, whose sources it takes from
the history. Both take turns in each round, and ratios are computed within the round; the result is their median with its
95 % confidence interval. Exit code 1: a line certainly lost more than ${Math.round(mayLose * 100)} % of the ratio that is committed in ratchet.json.`,
  options,
  run: measure,
  asText,
});
