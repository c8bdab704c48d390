import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Contract } from '../../scripts/contract/source.ts';
import { groupsOf } from '../../scripts/design/page/verdict.js';
import { type Acceptance, acceptances, judged } from '../../scripts/spec/breaking/acceptances.ts';
import { verdictOn } from '../../scripts/spec/breaking/breaks.ts';
import { planRelease } from '../../scripts/spec/release/plan.ts';
import { isAcceptable, type Review } from '../../scripts/spec/review/review.ts';
import { sarifOf } from '../../scripts/spec/review/sarif.ts';
import { summaryOf } from '../../scripts/spec/review/summary.ts';
import { bundle } from '../support/contract.ts';
import { sarifErrors } from './sarif.ts';

const gone = { rule: 'path-removed', where: '/link post', message: 'Gone.' };
const narrow = { rule: 'enum-values-removed', where: '/users get', message: 'Fewer values.' };
const at = { file: 'spec/accepted-changes.yaml', line: 1, column: 3 };
const acceptance: Acceptance = { ...at, rule: gone.rule, where: gone.where, reason: 'Nobody calls it.' };

async function acceptedIn(text: string | undefined): Promise<Acceptance[]> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-accepted-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, 'spec'));
  if (text !== undefined) await writeFile(join(directory, 'spec/accepted-changes.yaml'), text);
  return acceptances(pathToFileURL(`${directory}/`));
}

describe('the file of accepted changes', () => {
  test.each([undefined, '', '# None.\n', '[]\n'])('accepts nothing: %j', async (text) => {
    expect(await acceptedIn(text)).toEqual([]);
  });

  test('gives the rule, the place and the reason of each', async () => {
    const text = '- rule: path-removed\n  where: /link post\n  reason: >-\n    Nobody\n    calls it.\n';
    expect(await acceptedIn(text)).toEqual([acceptance]);
  });

  test.each([
    ['rule: path-removed\n', 'spec/accepted-changes.yaml:1:1 It is a list'],
    [
      '- rule: a\n  where: b\n  reason: c\n- rule: a\n  where: b\n',
      'spec/accepted-changes.yaml:4:3 An entry has',
    ],
    ['- rule: a\n  where: b\n  reason: ""\n', 'spec/accepted-changes.yaml:1:3 An entry has'],
    ['- rule: a\n  where: b\n  reason: c\n  until: d\n', 'spec/accepted-changes.yaml:1:3 An entry has'],
    ['- path-removed\n', 'spec/accepted-changes.yaml:1:3 An entry has'],
    ['- rule: [\n', 'spec/accepted-changes.yaml:2:1 Flow sequence'],
  ])('is refused at its line: %j', async (text, message) => {
    await expect(acceptedIn(text)).rejects.toThrow(message);
  });
});

describe('an accepted change', () => {
  const breaks = judged([gone, narrow], [acceptance]);

  test('has its reason, and no other has', () => {
    expect(breaks).toEqual([{ ...gone, accepted: 'Nobody calls it.' }, narrow]);
    expect(verdictOn(breaks, '3.0.0')).toBe('2 changes break clients of 3.0.0; 1 of them is accepted.');
  });

  test('is refused if it is none, so that it cannot accept a later one', () => {
    expect(() => judged([narrow], [acceptance])).toThrow(
      'spec/accepted-changes.yaml:1:3 No change path-removed at /link post breaks clients: remove the entry.',
    );
  });

  test('lets a minor version be released, whose changelog gives the reason', () => {
    const contract = bundle as Contract;
    const plan = (accepted: Acceptance[]) =>
      planRelease({ version: '3.0.0', contract }, contract, {
        changes: [],
        breaks: judged([gone], accepted),
      });
    expect(plan([]).level).toBe('major');
    expect(plan([acceptance])).toMatchObject({
      version: '3.1.0',
      notes: expect.stringContaining('- `/link post`: Gone. **Accepted:** Nobody calls it.'),
    });
  });

  const score = { score: 92, operations: [] };
  const review = (some: typeof breaks): Review => ({
    base: 'main',
    findings: [],
    comparison: {
      released: '3.0.0',
      breaks: some.map((one) => ({ ...one, file: 'spec/openapi.yaml', line: 1, column: 1 })),
      isNextMajor: false,
      changes: [],
      score: { base: score, head: score },
    },
  });

  test('does not prevent a merge, and a reviewer reads the reason', () => {
    expect(isAcceptable(review(breaks))).toBe(false);
    const accepted = review(breaks.slice(0, 1));
    expect(isAcceptable(accepted)).toBe(true);
    const summary = summaryOf(accepted);
    expect(summary).toContain('| Breaking changes | 1 (clients of 3.0.0; 1 accepted) |');
    expect(summary).toMatch(/^- .*Gone\. \(path-removed\) \*\*Accepted:\*\* Nobody calls it\.$/m);
  });

  test('is suppressed in the SARIF log, with the reason', () => {
    const log = sarifOf(review(breaks), '3.0.0') as { runs: [{ results: { suppressions?: object[] }[] }] };
    expect(sarifErrors(log)).toEqual([]);
    expect(log.runs[0].results.map(({ suppressions }) => suppressions)).toEqual([
      [{ kind: 'external', status: 'accepted', justification: 'Nobody calls it.' }],
      undefined,
    ]);
  });

  test('is no problem on the page of the design loop', () => {
    const titles = (some: typeof breaks) => {
      const changes = some.map((one) => ({ ...one, file: 'spec/openapi.yaml', line: 1, column: 1 }));
      const report = {
        save: 1,
        files: [],
        at: '',
        done: true,
        times: {},
        breaks: { released: '3.0.0', changes },
      };
      return groupsOf(report).map(({ title }) => title);
    };
    expect(titles(breaks.slice(0, 1))).toEqual([]);
    expect(titles(breaks)).toEqual(['1 change that breaks clients of 3.0.0']);
  });
});
