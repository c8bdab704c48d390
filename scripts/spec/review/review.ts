import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { grouped, type ReportedFinding } from '../../contract/lint/finding.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import { type Contract, lintContract } from '../../contract/source.ts';
import { AcceptanceError, refused } from '../breaking/acceptances.ts';
import { isNextMajor } from '../breaking/breaks.ts';
import { breaksSince, type PlacedBreak } from '../breaking/placed.ts';
import { lastRelease } from '../breaking/releases.ts';
import { type Change, differences } from '../diff/changes.ts';
import { lastReleased, type Source, sourceNamed, workingTree } from '../diff/sources.ts';
import { type Score, scoreOf } from '../score/score.ts';

const run = promisify(execFile);

/** What a reviewer wants to know about spec/ as it is. */
export type Review = {
  /** The contract with which it is compared: a Git revision or a release. */
  base: string;
  findings: ReportedFinding[];
  /** Absent if spec/ cannot be bundled; the findings say why. */
  comparison?: Comparison;
};

export type Comparison = {
  /** The last release, whose clients must not break. Absent if nothing was released. */
  released?: string;
  /** Changes that break clients of the last release. */
  breaks: PlacedBreak[];
  /** Whether the major version is higher than that of the last release, so that changes may break clients. */
  isNextMajor: boolean;
  /** What differs from the base. */
  changes: Change[];
  score: { base: Score; head: Score };
};

/** Both contracts, for a report on every change. */
export type Contracts = { base: Contract; head: Contract };

/** Whether nothing keeps the contract from being merged. */
export function isAcceptable({ findings, comparison }: Review): boolean {
  return findings.length === 0 && comparison !== undefined && refusedBreaks(comparison).length === 0;
}

export function refusedBreaks({ breaks, isNextMajor: mayBreak }: Comparison): PlacedBreak[] {
  return mayBreak ? [] : refused(breaks);
}

/**
 * Reviews the contract in `spec/` of a directory.
 * @param base as for `spec:diff`; a Git revision stands for the commit at which its branch and this one parted
 * @throws {CommandError} if there is no such base
 */
export async function reviewOf(
  root: URL,
  base: string | undefined,
  redocly: Redocly,
): Promise<{ review: Review; contracts?: Contracts }> {
  const from = await baseNamed(root, base);
  const findings = grouped(await lintContract(root, redocly));
  const head = await workingTree(redocly).catch(() => undefined);
  if (!head) return { review: { base: from.name, findings: findings.length > 0 ? findings : [unbundled] } };
  const last = await lastRelease(new URL('spec/releases/', root));
  const { contract } = head;
  const breaks = last
    ? await breaksSince(last.contract, contract, { root, redocly }).catch((error) => {
        if (!(error instanceof AcceptanceError)) throw error;
        const { place, problem: message } = error;
        findings.push({ ...place, rule: 'accepted-changes', message, severity: 'error' });
        return [];
      })
    : [];
  const { changes } = await differences(from.contract, contract, redocly);
  const score = {
    base: await scoreOf(from.contract, redocly),
    head: await scoreOf(contract, redocly),
  };
  const comparison: Comparison = {
    ...(last && { released: last.version }),
    breaks,
    isNextMajor: last !== undefined && isNextMajor(last.version, contract),
    changes,
    score,
  };
  return {
    review: { base: from.name, findings, comparison },
    contracts: { base: from.contract, head: contract },
  };
}

const unbundled: ReportedFinding = {
  file: 'spec/openapi.yaml',
  line: 1,
  column: 1,
  rule: 'lint',
  message: 'The contract cannot be bundled.',
  severity: 'error',
};

async function baseNamed(root: URL, name: string | undefined): Promise<Source> {
  if (name === undefined) {
    for (const branch of ['origin/main', 'main']) {
      const commit = await parting(root, branch);
      if (commit) return named(await sourceNamed(commit, root), branch, commit);
    }
    return lastReleased(new URL('spec/releases/', root));
  }
  const commit = await parting(root, name);
  return commit ? named(await sourceNamed(commit, root), name, commit) : sourceNamed(name, root);
}

function named({ contract }: Source, branch: string, commit: string): Source {
  return { name: `${branch} (${commit.slice(0, 7)})`, contract };
}

/** The commit at which a branch and this one parted: later changes of that branch are not changes of this one. */
async function parting(root: URL, branch: string): Promise<string | undefined> {
  const options = { cwd: fileURLToPath(root) };
  const { stdout } = await run('git', ['merge-base', '--end-of-options', branch, 'HEAD'], options).catch(
    () => ({ stdout: '' }),
  );
  return stdout.trim() || undefined;
}
