/** Removes one guard after another and checks that a test notices. */
import { describeGuard, findGuards, isListed } from './guards/find.ts';
import { guardKinds, redundantGuards } from './guards/named.ts';
import { type GuardReport, proveGuards } from './guards/prove.ts';
import { missed } from './guards/trials.ts';
import { type Proof, runProofs } from './proof.ts';

await runProofs({
  name: 'guards',
  description: `Removes or weakens every guard in a copy of the project, one at a time: permissions of operations, grant rules,
conditions of SQL statements, signatures, expiry. Runs the tests that evaluate it, and checks that one fails. Ended
early, it prints what it found until then.`,
  options: {
    each: {
      description: 'how many guards of each kind, evenly chosen; 0: all',
      full: 0,
      quick: 4,
      minimum: 0,
    },
    only: { description: 'the guards whose line of the report contains this text', full: '' },
    tries: {
      description: 'how many tests of average duration run without a guard until it counts as missed',
      full: 150,
    },
    workers: { description: 'how many test files run at the same time', full: 6 },
  },
  async prove({ each, only, tries, workers }, { progress, signal }) {
    const found = findGuards().filter(
      (guard) =>
        describeGuard(guard).includes(only) && !redundantGuards.some((listed) => isListed(guard, listed)),
    );
    const guards = guardKinds.flatMap((kind) => {
      const ofKind = found.filter((guard) => guard.kind === kind);
      return each === 0 ? ofKind : evenly(ofKind, each);
    });
    return proofsOf(await proveGuards({ guards, tries, workers, progress, signal }));
  },
});

function evenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function proofsOf({ verdicts, unusable }: GuardReport): Proof[] {
  const rows = guardKinds.map((kind): Proof => {
    const ofKind = verdicts.filter(({ guard, isDecided }) => isDecided && guard.kind === kind);
    const survived = ofKind.filter(({ killedBy }) => !killedBy);
    return {
      tried: `${kind} removed or weakened`,
      times: ofKind.length,
      seen: `${ofKind.length - survived.length} noticed`,
      failures: survived.map(missed),
    };
  });
  const undecided = verdicts.filter(({ isDecided }) => !isDecided).length;
  return [
    ...rows,
    ...(unusable.length > 0 ? [unusableTests(unusable)] : []),
    ...(undecided > 0 ? [abortedBefore(undecided)] : []),
  ];
}

function abortedBefore(undecided: number): Proof {
  const tried = 'guards that were not decided';
  return { tried, times: undecided, failures: ['the proof was aborted before it had tried all guards'] };
}

function unusableTests(unusable: GuardReport['unusable']): Proof {
  return {
    tried: 'test files that fail with all guards, and were left out',
    times: unusable.length,
    seen: unusable.map(({ file }) => file).join(', '),
    failures: [],
  };
}
