import { errorCodesOf, routesOf } from '../../../server/contract/index.ts';
import { type Html, trusted } from '../../../server/src/domain/html.ts';
import type { Contract } from '../../contract/source.ts';
import { changeSections, headings, lines } from '../../spec/diff/changelog.ts';
import { byKind, type Change } from '../../spec/diff/changes.ts';
import { type ContractPages, contractPages } from '../contract/contract-pages.ts';
import type { Release } from '../contract/release-history.ts';

export const feedPath = '/docs/changelog.atom';

/** A release as the changelog shows it. */
export interface ChangelogEntry extends Pick<Release, 'name' | 'date'> {
  /** The part by hand, then the full list, in Markdown. */
  text: string;
}

const listTitle = 'Full list';

/** The entries of the changelog, newest first, with links to what they name. */
export function changelogEntries(releases: Release[], current: Contract): ChangelogEntry[] {
  const link = linksTo(current);
  return releases.toReversed().map(({ name, date, contract, changes, notes }) => {
    const list = changes ? changeList(changes, contract) : resourceList(contractPages(contract));
    return { name, date, text: link([notes, list].filter(Boolean).join('\n\n')) };
  });
}

/** The changelog as Markdown. */
export function changelog(entries: ChangelogEntry[]): string {
  const sections = entries.map(({ name, date, text }) => {
    return `## ${name}\n\n${date ? `Released on ${longDate(date)}.` : unreleased}\n\n${text}`;
  });
  return [introduction, ...sections].join('\n\n');
}

const introduction = `What is new in each release, and what you need to do. [Versioning and deprecation](#/versioning) explains the version \
numbers, and how long deprecated operations and fields keep working. [Subscribe](${feedPath}) in a feed reader.`;

const unreleased = 'Described in this documentation. The next release gives these changes a version number.';

/** Folds the full lists on the page. A link in what opens them would be a control in a control. */
export function foldLists(body: Html): Html {
  return trusted(
    body.markup
      .replaceAll('<p>Released on', '<p class="released">Released on')
      .replaceAll(
        new RegExp(`(<h3 id="[^"]*">${listTitle}[^<]*)<a class="anchor".*?</a></h3>(.*?)(?=<h2|$)`, 'gs'),
        '<details class="full-list"><summary>$1</h3></summary>$2</details>\n',
      ),
  );
}

/** A list of all changes, or a sentence if callers notice none. */
function changeList(changes: Change[], contract: Contract): string {
  const operations = routesOf(contract).length;
  const counts = byKind(changes).map(([kind, some]) => {
    return `${lines(kind, some, operations).length} ${headings[kind].toLowerCase()}`;
  });
  if (counts.length === 0) return 'Only descriptions and examples have changed.';
  return [`### ${listTitle}: ${counts.join(', ')}`, ...changeSections(changes, operations, '####')].join(
    '\n\n',
  );
}

/** What the first release has. */
function resourceList({ groups }: ContractPages): string {
  const routes = groups.flatMap((group) => group.routes);
  const events = routes.filter(({ isEvent }) => isEvent).length;
  const resources = groups.map(({ title, description }) => `- **${title}.** ${description}`);
  return `### ${listTitle}: ${routes.length - events} operations and ${events} events\n\n${resources.join('\n')}`;
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
      // Not in a link that is written by hand.
      .replaceAll(/(?<!\[)`([\w.]+)`/g, (code, name: string) => link(code, targets.get(name)))
      .replaceAll(/Guide “([^”]+)”/g, (text, title: string) => link(text, guideOf.get(title)));
}

function longDate(date: string): string {
  return new Date(date).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
