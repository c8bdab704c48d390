import { nearest } from '../../generated/nearest.js';
import { errorMessages } from '../../generated/operations.ts';
import { type Refusal, refuse } from './declared.ts';

/** Longer paths are not compared. Those of the contract, with identifiers, have at most 150 characters. */
const longest = 200;
/** How many segments in front may be missing or superfluous, unless the rest is a path of the contract: `/users`. */
const mostOthers = 2;
/** How many paths are remembered. */
const mostFound = 1_000;
/** Identifiers have digits, and placeholders for them begin with a brace or a colon. */
const identifier = /\d|^[{:]/;

/** A segment of a path as it was sent, and the segment of the contract that is the same or similar. */
interface Segment {
  sent: string;
  meant: string | undefined;
}

/** For programs. The portal redirects whoever prefers HTML or Markdown. */
const root = `${errorMessages.path_not_found} The documentation is at \`/docs\`.`;

/** @param templates the paths of the contract */
export function createPathRefusal(templates: readonly string[]): (path: string) => Refusal<404> {
  const known = templates.map((template) => ({ template, segments: segmentsOf(template) }));
  const names = new Set(known.flatMap(({ segments }) => segments.filter((one) => !one.startsWith('{'))));
  const meant = (sent: string) => (names.has(sent) ? sent : nearest(sent, names));
  const nearTo = (path: string) => {
    const given = segmentsOf(path).map((sent) => ({
      sent,
      meant: identifier.test(sent) ? undefined : meant(sent),
    }));
    if (given.every((segment) => segment.meant === undefined)) return undefined;
    let near: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { template, segments } of known) {
      const differences = differencesBetween(given, segments);
      if (differences < least) [near, least] = [template, differences];
    }
    return near;
  };
  const refusalOf = (path: string) => {
    if (segmentsOf(path).length === 0) return refuse(404, 'path_not_found', { message: root });
    const near = nearTo(path);
    if (near === undefined) return refuse(404, 'path_not_found');
    return refuse(404, 'path_not_found', {
      message: `${errorMessages.path_not_found} Did you mean \`${near}\`?`,
    });
  };
  const found = new Map<string, Refusal<404>>();
  return (path) => {
    if (path.length > longest) return refuse(404, 'path_not_found');
    // The same wrong paths come again and again.
    let refusal = found.get(path);
    if (refusal === undefined) {
      if (found.size === mostFound) found.clear();
      refusal = refusalOf(path);
      found.set(path, refusal);
    }
    return refusal;
  };
}

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '');

/** How many segments differ, compared from the end. Infinite if too many do, or only identifiers are equal. */
function differencesBetween(given: readonly Segment[], wanted: readonly string[]): number {
  let [differences, matched, isNamed] = [0, 0, false];
  for (; matched < Math.min(given.length, wanted.length); matched++) {
    const { sent, meant } = given.at(-1 - matched) as Segment;
    const name = wanted.at(-1 - matched) as string;
    const isParameter = name.startsWith('{');
    if (!isParameter && meant !== name) break;
    if (isParameter ? !identifier.test(sent) : sent !== name) differences += 1;
    isNamed ||= !isParameter;
  }
  const others = given.length + wanted.length - 2 * matched;
  const isPrefixed = matched === wanted.length && differences === 0;
  return isNamed && (isPrefixed || others <= mostOthers) ? differences + others : Number.POSITIVE_INFINITY;
}
