/** What the page says about a report of the design loop, as plain values: no document needed. */

/**
 * @param {import('../report.ts').Report} report
 * @returns {{kind: 'checking' | 'good' | 'broken' | 'attention', text: string}}
 */
export function verdictOf(report) {
  const { findings, done } = report;
  if (!findings) return { kind: 'checking', text: 'Checking …' };
  const titles = groupsOf(report).map(({ title }) => title);
  if (findings.length > 0)
    return { kind: 'broken', text: `${titles.join(' · ')}: portal and mock stay as they were` };
  if (titles.length > 0) return { kind: 'attention', text: `Accepted. ${titles.join(' · ')}` };
  if (!done) return { kind: 'good', text: 'Accepted; types and portal follow …' };
  return { kind: 'good', text: 'Good' };
}

/**
 * Which files were saved, and how long each part of the report took.
 *
 * @param {import('../report.ts').Report} report
 * @returns {string}
 */
export function saveText({ save, files, times }) {
  const named =
    files.length > 3 ? `${files.slice(0, 3).join(', ')} and ${files.length - 3} more` : files.join(', ');
  const parts = Object.entries(times).map(
    ([part, milliseconds]) => `${part} ${(milliseconds / 1000).toFixed(1)} s`,
  );
  const what = save === 0 ? 'As it was found' : `Save ${save}: ${named}`;
  return parts.length > 0 ? `${what} — ${parts.join(', ')}` : what;
}

/**
 * One problem. `also`: where else it is.
 *
 * @typedef {{place?: string, rule?: string, text: string, fixes?: string[], schema?: string, also?: string[]}} Item
 */

/**
 * The problems of each part of a report.
 *
 * @param {import('../report.ts').Report} report
 * @returns {Record<'findings' | 'gaps' | 'breaks' | 'types', Item[]>}
 */
export function itemsOf({ findings = [], gaps = [], breaks, types }) {
  return {
    findings: findings.map(({ rule, message, fix, schema, also = [], ...place }) => ({
      place: placeOf(place),
      rule,
      text: message,
      fixes: fix ? [fix] : [],
      ...(schema && { schema: placeOf(schema) }),
      also: also.map(placeOf),
    })),
    gaps: gaps.map(({ message, fixes, ...place }) => ({ place: placeOf(place), text: message, fixes })),
    breaks: refused(breaks).map(({ rule, where, message, ...place }) => ({
      place: placeOf(place),
      rule,
      text: `${where}: ${message}`,
    })),
    types: (types?.errors ?? []).map(({ code, message, also = [], ...place }) => ({
      place: placeOf(place),
      rule: code,
      text: message,
      also: also.map(placeOf),
    })),
  };
}

/**
 * What needs attention, in groups; none if all is well.
 *
 * @param {import('../report.ts').Report} report
 * @returns {{title: string, items: Item[]}[]}
 */
export function groupsOf(report) {
  const { findings = [], gaps = [], breaks, types, portal, mock } = report;
  const items = itemsOf(report);
  const groups = [
    { title: countOfCauses(findings, 'finding'), items: items.findings },
    { title: count(gaps.length, 'gap'), items: items.gaps },
    { title: breaksTitle(breaks), items: items.breaks },
    { title: countOfCauses(types?.errors ?? [], 'type error'), items: items.types },
    {
      title: 'Not done',
      items: [
        ['Mock', mock?.error],
        ['Portal', portal?.error],
        ['Types', types?.error],
        ['Comparison with the last release', breaks?.error],
      ].flatMap(([part, error]) => (error ? [{ text: `${part}: ${error}` }] : [])),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

/**
 * `2 changes that break clients of 3.0.0`.
 *
 * @param {import('../report.ts').Report['breaks']} breaks
 */
export function breaksTitle(breaks) {
  const { length } = refused(breaks);
  return `${count(length, 'change')} that ${length === 1 ? 'breaks' : 'break'} clients of ${breaks?.released ?? ''}`;
}

/** Those that are not accepted. */
const refused = (breaks) => (breaks?.changes ?? []).filter(({ accepted }) => accepted === undefined);

function placeOf({ file, line, column }) {
  return `${file}:${line}:${column}`;
}

/** `236 findings of 2 causes`; the causes only if there are fewer of them. */
export function countOfCauses(entries, noun) {
  const all = entries.length + entries.flatMap(({ also = [] }) => also).length;
  return all === entries.length
    ? count(all, noun)
    : `${count(all, noun)} of ${count(entries.length, 'cause')}`;
}

export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
