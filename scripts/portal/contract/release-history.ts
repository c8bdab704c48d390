/** What changed from release to release, and so in each operation and event. */
import { routesOf } from '../../../server/contract/index.ts';
import { isObject } from '../../../server/json/index.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import { acceptances } from '../../spec/breaking/acceptances.ts';
import { normalized } from '../../spec/breaking/normalized.ts';
import { releaseDates, releasedContract, releaseVersions } from '../../spec/breaking/releases.ts';
import { maximumNames, toDo, versionName } from '../../spec/diff/changelog.ts';
import { byKind, type Change, changesIn, differences } from '../../spec/diff/changes.ts';
import { notesOf } from '../../spec/release/notes.ts';
import type { ContractPages, DescribedRoute, RouteHistory } from './contract-pages.ts';

export interface Release {
  /** `3.1.0`, or `Since 3.0.0` for what has no version yet. */
  name: string;
  /** As `2026-11-21`; none before the release. */
  date?: string | undefined;
  contract: Contract;
  /** From the release before it, without those of texts, which do not affect callers. None if there is none before it. */
  changes?: Change[] | undefined;
  /** The part by hand, in Markdown; before the release, what callers must do as far as it is known. */
  notes: string;
}

/** The releases, oldest first, and then the contract as it is if callers can tell it from the last one. */
export async function releaseHistory(current: Contract, redocly: Redocly): Promise<Release[]> {
  const dates = await releaseDates();
  const released: Release[] = [];
  for (const name of await releaseVersions()) {
    const contract = await releasedContract(name);
    const before = released.at(-1)?.contract;
    const changes = before && visible(changesIn(normalized(before), normalized(contract)));
    released.push({ name, date: dates[name], contract, changes, notes: await notesOf(name) });
  }
  const last = released.at(-1)?.contract;
  if (!last) return [{ name: String(current.info['version']), contract: current, notes: '' }];
  if (JSON.stringify(last) === JSON.stringify(current)) return released;
  const accepted = await acceptances(new URL('../../../', import.meta.url));
  const found = await differences(last, current, redocly, accepted);
  const changes = visible(found.changes);
  if (changes.length + found.breaks.length === 0) return released;
  const next = { name: versionName(last, current), contract: current, changes, notes: toDo(found) ?? '' };
  return [...released, next];
}

const visible = (changes: Change[]) => changes.filter(({ kind }) => kind !== 'documentation');

/** The fragment of a release in the changelog. */
export function anchorOf({ name }: Pick<Release, 'name'>): string {
  return name.toLowerCase().replaceAll(/\W+/g, '-');
}

/** Adds to every operation and event when it came, if not with the first release, and when it last changed. */
export function withHistory(pages: ContractPages, releases: Release[]): ContractPages {
  // The same header comes with other statuses in other operations.
  const sharedText = ({ text }: Change) => text.replaceAll(/\d+(?:, \d+)*/g, '');
  const sharers = releases.map(({ changes = [] }) => Map.groupBy(changes, sharedText));
  const historyOf = (route: DescribedRoute): RouteHistory => {
    const name = route.isEvent ? route.path : route.operation.operationId;
    const added = releases.find(({ contract }) => namesIn(contract).includes(name));
    const last = releases.findLastIndex((release) => release !== added && own(release, route).length > 0);
    const changed = releases[last];
    return {
      added: added && added !== releases[0] ? `${when('Added', added)}.` : undefined,
      changed: changed && {
        heading: `Changed ${sinceOrIn(changed)} ${versionOf(changed)}`,
        text: `${when('Changed', changed)}: ${textOf(own(changed, route))}`,
      },
    };
  };
  /**
   * The changes of an operation and of the schemas that it uses that callers notice. The rules of values, and what many
   * operations share, are in the changelog alone.
   */
  function own(release: Release, { operation, path, isEvent }: DescribedRoute): Change[] {
    const shared = sharers[releases.indexOf(release)];
    const schemas = schemasOf(operation, release.contract);
    return (release.changes ?? []).filter((change) => {
      const { subject, name, isRule } = change;
      if (isRule) return false;
      if (subject === 'schema') return schemas.has(name);
      const isOwn = isEvent
        ? subject === 'event' && name === path
        : subject === 'operation' && name === operation.operationId;
      return isOwn && (shared?.get(sharedText(change))?.length ?? 0) <= maximumNames;
    });
  }
  const groups = pages.groups.map((group) => ({
    ...group,
    routes: group.routes.map((route) => ({ ...route, history: historyOf(route) })),
  }));
  return { ...pages, groups };
}

/** `Added in 3.1.0`, linked; before the release, `Added since 3.0.0`. */
const when = (what: string, release: Release) =>
  `${what} ${sinceOrIn(release)} [${versionOf(release)}](/docs/changelog#${anchorOf(release)})`;

const sinceOrIn = ({ name }: Release) => (name.startsWith('Since ') ? 'since' : 'in');
const versionOf = ({ name }: Release) => name.replace('Since ', '');

const maximumTexts = 4;

/** The first few changes, what is new first, each without its explanation, and the number of the others. */
function textOf(changes: Change[]): string {
  const inOrder = byKind(changes).flatMap(([, some]) => some);
  const others = inOrder.length - maximumTexts;
  const shown = inOrder.slice(0, maximumTexts).map(clauseOf).join('; ');
  return others > 0 ? `${shown}; and ${others} more.` : `${shown}.`;
}

/** A change within a sentence about the operation. */
function clauseOf({ kind, subject, name, text }: Change): string {
  const [sentence = ''] = /^.*?(?=\.(?:\s|$)|$)/.exec(text) ?? [];
  const isThing = (kind === 'added' || kind === 'removed') && /^(?:`|the |an? |all of )/.test(sentence);
  const clause = isThing
    ? `${kind} ${sentence}`
    : sentence.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  if (subject !== 'schema') return clause;
  return /^it\b/.test(clause) ? clause.replace('it', `\`${name}\``) : `${clause} in \`${name}\``;
}

const namesOfContracts = new WeakMap<Contract, string[]>();

function namesIn(contract: Contract): string[] {
  const known = namesOfContracts.get(contract);
  if (known) return known;
  const names = [
    ...routesOf(contract).map(({ operation }) => operation.operationId),
    ...routesOf(contract, 'webhooks').map(({ path }) => path),
  ];
  namesOfContracts.set(contract, names);
  return names;
}

/** The names of the schemas that a part of the contract refers to, directly or through others. */
function schemasOf(
  part: unknown,
  contract: Contract,
  found = new Set<string>(),
  seen = new Set(),
): Set<string> {
  if (Array.isArray(part)) for (const one of part) schemasOf(one, contract, found, seen);
  else if (isObject(part)) {
    for (const [key, value] of Object.entries(part)) {
      if (key !== '$ref' || typeof value !== 'string') schemasOf(value, contract, found, seen);
      else if (!seen.has(value)) {
        seen.add(value);
        const [, , kind = '', name = ''] = value.split('/');
        if (kind === 'schemas') found.add(name);
        const components = contract.components as Record<string, Record<string, unknown>>;
        schemasOf(components[kind]?.[name], contract, found, seen);
      }
    }
  }
  return found;
}
