/** What the page says about an answer of the design loop, as plain values: no document needed. */

/**
 * @param {import('../answer.ts').Answer} answer
 * @returns {{kind: 'checking' | 'good' | 'broken' | 'attention', text: string}}
 */
export function verdictOf(answer) {
  const { findings } = answer;
  if (!findings) return { kind: 'checking', text: 'Checking …' };
  if (findings.length > 0) {
    return { kind: 'broken', text: `${count(findings, 'finding')}: the portal and the mock are as before` };
  }
  const open = groupsOf(answer).map(({ title }) => title);
  if (open.length > 0) return { kind: 'attention', text: `Taken. ${open.join(' · ')}` };
  if (!answer.done) return { kind: 'good', text: 'Taken; types and portal follow …' };
  return { kind: 'good', text: 'Good' };
}

/**
 * Which files were saved, and how long the answer took.
 *
 * @param {import('../answer.ts').Answer} answer
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
 * What asks for attention, in groups; none where all is well.
 *
 * @param {import('../answer.ts').Answer} answer
 * @returns {{title: string, items: {place?: string, rule?: string, text: string, mend?: string}[]}[]}
 */
export function groupsOf({ findings = [], missing = [], breaks, types, portal, mock }) {
  const groups = [
    {
      title: count(findings, 'finding'),
      items: findings.map((one) => ({
        place: placeOf(one),
        rule: one.rule,
        text: one.message,
        mend: one.mend,
      })),
    },
    {
      title: `${missing.length} missing`,
      items: missing.map((one) => ({
        ...{ place: placeOf(one), rule: one.what, mend: one.mend },
        text: `${one.operationId} has no ${one.what}.`,
      })),
    },
    {
      title: `${count(breaks?.changes ?? [], 'change')} that ${breaks?.changes.length === 1 ? 'breaks' : 'break'} clients of ${breaks?.released}`,
      items: (breaks?.changes ?? []).map((one) => ({
        ...{ place: placeOf(one), rule: one.rule },
        text: `${one.where}: ${one.message}`,
      })),
    },
    {
      title: count(types?.faults ?? [], 'type error'),
      items: (types?.faults ?? []).map((one) => ({ place: placeOf(one), rule: one.code, text: one.message })),
    },
    {
      title: 'Not done',
      items: [
        ['Mock', mock?.fault],
        ['Portal', portal?.fault],
        ['Types', types?.fault],
        ['Comparison with the last release', breaks?.fault],
      ].flatMap(([part, fault]) => (fault ? [{ text: `${part}: ${fault}` }] : [])),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

function placeOf({ file, line, column }) {
  return `${file}:${line}:${column}`;
}

function count(list, noun) {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
}
