import { describeGuard, type Guard } from './find.ts';
import type { NumberedGuard } from './instrument.ts';
import type { GuardKind } from './named.ts';
import type { Failure, TestRuns, Trial, TrialResult } from './runs.ts';

/** What the tests say about one guard. */
export interface Verdict {
  guard: Guard;
  /** The test that failed without it; undefined if none did. */
  killedBy: ({ file: string } & Failure) | undefined;
  /** How many tests, and test files as a whole, ran without it. */
  ran: number;
  /** Whether no further test is to be tried. */
  isDecided: boolean;
}

/** What may notice that a guard is missing: a test that evaluates it, or a file that evaluates it as a whole. */
interface Probe {
  file: string;
  /** Of the test; undefined: all tests of the file, from the time that it is loaded. */
  key: string | undefined;
  title: string;
  milliseconds: number;
  /** How many guards it evaluates. */
  guards: number;
}

interface Candidate {
  number: number;
  guard: Guard;
  /** Those that have not run without it. */
  left: Probe[];
  /** Those whose failure may be the fault of another guard that was missing before. */
  suspected: Probe[];
  /** Tests that ran without it, weighted by their duration: an average one counts 1. */
  spent: number;
  verdict: Verdict;
}

interface Options {
  tries: number;
  progress(line: string): void;
  signal?: AbortSignal | undefined;
}

/** A test that waits for what never comes has to fail early: after this and five times what it takes, */
const leastPatience = 4000;
/** but not later than this and what it takes. */
const mostPatience = 20_000;
/** How many tests run without a guard in the first round. Each later round doubles it. */
const firstTests = 2;
/** Of the tries of a guard, a whole file takes as many as this. */
const triesOfFile = 6;
const fileBatch = 32;
/** Files are shared out among the workers before a batch begins: in a small one, some of them would wait for others. */
const trialBatch = 500;

/**
 * Tries each guard with the tests that are most likely to notice, then with the next ones. One run of a file tries a
 * different guard in each of its tests. A test that fails runs again without the others, with and without the guard.
 */
export async function tryGuards(
  runs: TestRuns,
  guards: readonly NumberedGuard[],
  results: readonly TrialResult[],
  { tries, progress, signal }: Options,
) {
  const candidates = candidatesOf(guards, results);
  const byNumber = new Map(candidates.map((candidate) => [candidate.number, candidate]));
  const experience = newExperience(results);
  const byScore = (guard: Guard, probes: readonly Probe[]) => {
    const scores = new Map(probes.map((probe) => [probe, experience.scoreOf(guard, probe)]));
    return probes.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
  };
  const sound = new Map<string, boolean>();
  let trials = 0;
  const run = async (planned: readonly Trial[], onResult: (result: TrialResult) => void) => {
    for (let at = 0; at < planned.length; at += trialBatch) {
      await runs.run(planned.slice(at, at + trialBatch), onResult);
      trials += Math.min(trialBatch, planned.length - at);
      progress(
        `${trials} trials: ${candidates.filter(({ verdict }) => verdict.killedBy).length} noticed so far`,
      );
    }
  };
  const kill = ({ verdict }: Candidate, { file }: Trial, failure: TrialResult['failure']) => {
    if (!failure) return;
    verdict.killedBy = { file, ...failure };
    verdict.isDecided = true;
    experience.add(verdict.guard, file, true);
  };
  const open = () => candidates.filter(({ verdict }) => !verdict.isDecided);
  const decide = () => {
    for (const { verdict, left, spent } of open()) {
      verdict.isDecided = verdict.killedBy !== undefined || left.length === 0 || spent >= tries;
      if (verdict.isDecided && !verdict.killedBy) progress(missed(verdict));
    }
  };

  /** A test that fails alone with all guards needs those before it, and its failure says nothing. */
  const checkSound = async () => {
    const unknown = new Map<string, Probe>();
    for (const { suspected } of candidates)
      for (const probe of suspected) if (!sound.has(nameOf(probe))) unknown.set(nameOf(probe), probe);
    await run(
      [...unknown.values()].map((probe) => aloneWithout(0, probe)),
      ({ trial, failure }) => {
        const [key] = trial.tests?.keys() ?? [];
        sound.set(nameOf({ file: trial.file, key }), !failure);
      },
    );
  };
  const confirm = async () => {
    for (;;) {
      const planned = open().flatMap((candidate) => {
        candidate.suspected = candidate.suspected.filter((probe) => sound.get(nameOf(probe)) !== false);
        const probe = candidate.verdict.killedBy ? undefined : candidate.suspected.shift();
        return probe ? [aloneWithout(candidate.number, probe)] : [];
      });
      if (planned.length === 0) break;
      await run(planned, ({ trial, failure }) => {
        const [number = 0] = trial.tests?.values() ?? [];
        kill(byNumber.get(number) as Candidate, trial, failure);
      });
    }
  };

  try {
    for (let count = firstTests; open().length > 0; count *= 2) {
      const planned = planTests(open(), count, byScore);
      await run(planned, ({ trial, tests }) => {
        for (const { key, failure, milliseconds } of tests) {
          const candidate = byNumber.get(trial.tests?.get(key) ?? 0);
          if (!candidate) continue;
          candidate.verdict.ran++;
          candidate.spent += experience.weightOf(milliseconds);
          if (failure) candidate.suspected.push(probeOf(trial.file, key, results));
          else experience.add(candidate.guard, trial.file, false);
        }
      });
      await checkSound();
      await confirm();
      const files = planFiles(open(), byScore);
      await run(files, ({ trial, failure }) => {
        const candidate = byNumber.get(trial.guard) as Candidate;
        candidate.verdict.ran += triesOfFile;
        candidate.spent += triesOfFile;
        kill(candidate, trial, failure);
        if (!failure) experience.add(candidate.guard, trial.file, false);
      });
      decide();
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
  return { verdicts: candidates.map(({ verdict }) => verdict), trials };
}

export function missed({ guard, ran }: Pick<Verdict, 'guard' | 'ran'>): string {
  return `${describeGuard(guard)}: none of ${ran} tests that evaluate it fails`;
}

function nameOf({ file, key }: Pick<Probe, 'file' | 'key'>): string {
  return `${file} ${key}`;
}

function patienceFor(milliseconds: number): number {
  return Math.min(leastPatience + 5 * milliseconds, mostPatience + milliseconds);
}

/** One test of a file, with twice the time: on a busy machine it may have failed for want of it. */
function aloneWithout(guard: number, { file, key = '', milliseconds }: Probe): Trial {
  return {
    ...{ guard: 0, file, patience: 2 * patienceFor(milliseconds) },
    tests: new Map([[key, guard]]),
  };
}

/** The next tests of each guard, packed into as few runs of their files as a guard for each test allows. */
function planTests(open: readonly Candidate[], count: number, byScore: ByScore): Trial[] {
  const trials: { file: string; tests: Map<string, number>; patience: number }[] = [];
  for (const candidate of open) {
    const tests = candidate.left.filter(({ key }) => key !== undefined);
    const best = byScore(candidate.guard, tests).slice(0, count);
    candidate.left = candidate.left.filter((probe) => !best.includes(probe));
    for (const { file, key = '', milliseconds } of best) {
      let trial = trials.find((one) => one.file === file && !one.tests.has(key));
      if (!trial) {
        trial = { file, tests: new Map(), patience: 0 };
        trials.push(trial);
      }
      trial.tests.set(key, candidate.number);
      trial.patience = Math.max(trial.patience, patienceFor(milliseconds));
    }
  }
  return trials.map((trial) => ({ guard: 0, ...trial }));
}

/** Of the guards that no single test is left for, the next file as a whole. */
function planFiles(open: readonly Candidate[], byScore: ByScore): Trial[] {
  const waiting = open.filter(
    ({ left, verdict }) => !verdict.killedBy && left.length > 0 && left.every(({ key }) => key === undefined),
  );
  return waiting.slice(0, fileBatch).flatMap((candidate): Trial[] => {
    const { number, guard } = candidate;
    const [best, ...left] = byScore(guard, candidate.left);
    if (!best) return [];
    candidate.left = left;
    return [{ guard: number, file: best.file, patience: patienceFor(best.milliseconds) }];
  });
}

function probeOf(file: string, key: string, results: readonly TrialResult[]): Probe {
  const result = results.find(({ trial }) => trial.file === file);
  const { title = '', milliseconds = 0 } = result?.tests.find((test) => test.key === key) ?? {};
  return { file, key, title, milliseconds, guards: 0 };
}

/** A guard that is evaluated only while modules load has none: see `composedOnUse`. */
function candidatesOf(guards: readonly NumberedGuard[], results: readonly TrialResult[]): Candidate[] {
  return guards.map(([number, guard]): Candidate => {
    const tests = results.flatMap((result) => testProbes(result, number));
    const wholes = results
      .filter(({ reached }) => reached.setup.includes(number))
      .map(({ trial: { file }, milliseconds, reached }): Probe => {
        const evaluated = new Set([reached.setup, ...Object.values(reached.tests)].flat()).size;
        return { file, key: undefined, title: '', milliseconds, guards: evaluated };
      });
    const verdict = { guard, killedBy: undefined, ran: 0, isDecided: false };
    return { number, guard, left: [...tests, ...wholes], suspected: [], spent: 0, verdict };
  });
}

function testProbes({ trial: { file }, tests, reached }: TrialResult, number: number): Probe[] {
  return tests.flatMap(({ key, title, milliseconds }) => {
    const evaluated = reached.tests[key] ?? [];
    return evaluated.includes(number) ? [{ file, key, title, milliseconds, guards: evaluated.length }] : [];
  });
}

/** Those that are most likely to notice first. */
type ByScore = (guard: Guard, probes: readonly Probe[]) => Probe[];

/** What tests call it. */
const wordsOfKind: Record<GuardKind, string> = {
  permission: 'permission permits refuses',
  grant: 'permission grants holds role',
  tenancy: 'organization another own other',
  signature: 'signature forged key token',
  expiry: 'expires ends revoked over deadline late',
};

/** The score of a matching sweep: more than any words, and than long tests or tests of many guards lose. */
const aboutIt = 1000;
/** Decides who may do what. */
const access = 'server/src/store/access.ts';

/** The sweep that calls every operation as everybody, or with credentials that have ended. */
function sweepOf({ kind, file }: Guard): string | undefined {
  if (file === access && kind === 'expiry') return 'test/sweeps/anonymous.test.ts';
  return file === access || kind === 'permission' ? 'test/sweeps/authorization.test.ts' : undefined;
}

/** Which files noticed what, and which tests have the words of a guard, to choose the next tests by. */
function newExperience(results: readonly TrialResult[]) {
  const titles = results.flatMap(({ trial: { file }, tests }) =>
    tests.map(({ title }) => `${file} ${title}`),
  );
  const durations = results.flatMap(({ tests }) => tests.map(({ milliseconds }) => milliseconds));
  const average = durations.reduce((sum, milliseconds) => sum + milliseconds, 0) / durations.length;
  const weightOf = (milliseconds: number) => Math.min(10, milliseconds / average);
  const frequency = new Map<string, number>();
  for (const word of titles.flatMap((title) => [...wordsOf(title)]))
    frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const learnt = new Map<string, number>();
  return {
    add({ file }: Guard, test: string, hasNoticed: boolean) {
      const key = `${file} ${test}`;
      learnt.set(key, (learnt.get(key) ?? 0) + (hasNoticed ? 3 : -0.5));
    },
    weightOf,
    /** A test that has rare words of a guard, or evaluates few guards, is about them. */
    scoreOf(guard: Guard, { file: test, title, milliseconds, guards }: Probe): number {
      const { kind, file, within, text } = guard;
      const own = wordsOf(`${file} ${within} ${text} ${wordsOfKind[kind]}`);
      const common = [...wordsOf(`${test} ${title}`)].filter((word) => own.has(word));
      const rarity = common.map((word) => Math.log(titles.length / (frequency.get(word) ?? 1)));
      return (
        (learnt.get(`${file} ${test}`) ?? 0) +
        3 * rarity.reduce((sum, one) => sum + one, 0) +
        (test === sweepOf(guard) ? aboutIt : 0) -
        guards / 5 -
        weightOf(milliseconds)
      );
    },
  };
}

const words = new Map<string, ReadonlySet<string>>();

/** The words of names and texts by their stems, `isExpired` and `expiry` alike. */
function wordsOf(text: string): ReadonlySet<string> {
  let found = words.get(text);
  if (!found) {
    found = new Set(text.match(/[A-Z]?[a-z]{3,}/g)?.map((word) => word.toLowerCase().slice(0, 5)));
    words.set(text, found);
  }
  return found;
}
