import { CommandError } from '../../command-line/command.ts';
import type { Contract } from '../../contract/source.ts';
import { refused } from '../breaking/acceptances.ts';
import { changelogEntry } from '../diff/changelog.ts';
import type { Differences } from '../diff/changes.ts';
import { draftNotes } from './notes.ts';

export const levels = ['patch', 'minor', 'major'] as const;
export type Level = (typeof levels)[number];

export interface ReleasePlan {
  version: string;
  level: Level;
  /** The hand-written part of its changelog entry, to be completed. */
  notes: string;
  /** What the changelog entry is made from, in Markdown: headed by the version. */
  entry: string;
}

/**
 * Plans the next release: changes to texts and examples alone are a patch, additions a minor, breaking changes a major
 * version (spec/guides/versioning.md). Those that are accepted are like additions.
 *
 * @param differences from `last` to `current`
 * @param requested default: the lowest level that the changes allow
 * @param summary of the release for integrators; default: the notes ask for it
 * @throws {CommandError} if nothing has changed, or `requested` is too low
 */
export function planRelease(
  last: { version: string; contract: Contract },
  current: Contract,
  differences: Differences,
  requested?: Level,
  summary?: string,
): ReleasePlan {
  const { changes, breaks } = differences;
  const visible = changes.filter(({ kind }) => kind !== 'documentation').length;
  const breaking = refused(breaks).length;
  const needed = breaking > 0 ? 'major' : visible + breaks.length > 0 ? 'minor' : 'patch';
  if (changes.length + breaks.length === 0)
    throw new CommandError(`nothing has changed since ${last.version}.`);
  const level = requested ?? needed;
  if (levels.indexOf(level) < levels.indexOf(needed)) {
    const count = needed === 'major' ? breaking : visible + breaks.length;
    const what = needed === 'major' ? 'break clients' : 'add to the contract';
    throw new CommandError(
      `this is a ${needed} release, not a ${level} one: ${count} changes ${what} (npm run spec:diff lists them).`,
    );
  }
  const version = nextVersion(last.version, level);
  const next = { ...current, info: { ...current.info, version } };
  return {
    version,
    level,
    notes: draftNotes(last.version, differences, summary),
    entry: changelogEntry(last.contract, next, differences),
  };
}

export function nextVersion(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (level === 'major') return `${major + 1}.0.0`;
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
