import { readdir, readFile } from 'node:fs/promises';
import { errorCodesOf } from '../../../server/contract/index.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { acceptances } from '../../spec/breaking/acceptances.ts';
import { compareVersions, releaseDates, releases } from '../../spec/breaking/releases.ts';
import { changelogEntry } from '../../spec/diff/changelog.ts';
import { differences } from '../../spec/diff/changes.ts';
import { contractPages } from '../contract/contract-pages.ts';

/**
 * The changelog, newest release first, as Markdown: the differences between consecutive releases, and from the last
 * release to the current contract.
 */
export async function changelog(current: Contract, redocly: Redocly): Promise<string> {
  const released = await releasedContracts();
  const last = released.at(-1);
  const isAhead = last && JSON.stringify(last) !== JSON.stringify(current);
  const all = last === undefined || isAhead ? [...released, current] : released;
  const dates = await releaseDates();
  const accepted = await acceptances(new URL('../../../', import.meta.url));
  const entries: string[] = [];
  for (const [index, contract] of all.entries()) {
    const previous = all[index - 1];
    const written =
      index < released.length ? await writtenEntry(String(contract.info['version'])) : undefined;
    const entry = previous
      ? withoutDocumentation(
          written ??
            changelogEntry(
              previous,
              contract,
              await differences(previous, contract, redocly, index < released.length ? [] : accepted),
            ),
        )
      : firstEntry(contract);
    // A release that changes only descriptions has no entry.
    if (entry.includes('\n')) entries.push(dated(entry, dates));
  }
  return [introduction, ...entries.reverse().map(linksTo(current))].join('\n\n');
}

const introduction = `The differences between released contracts. [Versioning and deprecation](#/versioning) explains how releases are \
numbered and how long deprecated operations and fields stay.`;

/** The entry that `npm run spec:release` wrote, which may have been edited. */
async function writtenEntry(version: string): Promise<string | undefined> {
  return readFile(new URL(`${version}.md`, releases), 'utf8').catch(() => undefined);
}

/** Changes to texts alone do not affect callers. */
function withoutDocumentation(entry: string): string {
  return entry.replace(/\n### Documentation\n\n(?:- .*\n)+/, '').trim();
}

/** Links the operations, events, error codes and guides of a contract where an entry names them. */
function linksTo(contract: Contract): (entry: string) => string {
  const { guides, groups } = contractPages(contract);
  const routes = groups.flatMap((group) => group.routes);
  const targets = new Map([
    ...routes
      .flatMap(({ operation }) => Object.values(operation.responses).flatMap(errorCodesOf))
      .map((code) => [code, `#/errors#${code}`] as const),
    ...routes.map(({ operation: { tags, operationId }, path, isEvent }) => {
      return [isEvent ? path : operationId, `#/${tags[0]}/${operationId.toLowerCase()}`] as const;
    }),
  ]);
  const guideOf = new Map(guides.map(({ name, title }) => [title, `#/${name}`]));
  const link = (text: string, to: string | undefined) => (to ? `[${text}](${to})` : text);
  return (entry) =>
    entry
      .replaceAll(/`([\w.]+)`/g, (code, name: string) => link(code, targets.get(name)))
      .replaceAll(/Guide “([^”]+)”/g, (text, title: string) => link(text, guideOf.get(title)));
}

/** Adds the release date below the heading, if it is known. */
function dated(entry: string, dates: Record<string, string>): string {
  return entry.replace(/^## (.+)$/m, (heading, version: string) => {
    const date = dates[version];
    return date
      ? `${heading}\n\nReleased on ${new Date(date).toLocaleDateString('en-GB', longDate)}.`
      : heading;
  });
}

const longDate = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

function firstEntry(contract: Contract): string {
  const { version, groups } = contractPages(contract);
  const routes = groups.flatMap((group) => group.routes);
  const events = routes.filter(({ isEvent }) => isEvent).length;
  return `## ${version}

The first release: ${routes.length - events} operations and ${events} events.

${groups.map(({ title, description }) => `- **${title}.** ${description}`).join('\n')}`;
}

/** Ordered by version. */
async function releasedContracts(): Promise<Contract[]> {
  const names = (await readdir(releases).catch(() => [])).filter((name) =>
    /^\d+\.\d+\.\d+\.json$/.test(name),
  );
  names.sort(compareVersions);
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(new URL(name, releases), 'utf8')) as Contract),
  );
}
