import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Answer } from '../../scripts/design/answer.ts';
import { latestOnly } from '../../scripts/design/latest.ts';
import { mended, mending } from '../../scripts/design/mending.ts';
import { groupsOf, saveText, verdictOf } from '../../scripts/design/page/answer.js';
import { answerPrinter } from '../../scripts/design/terminal.ts';

const place = { file: 'spec/paths/users.yaml', line: 3, column: 5 };
const begun: Answer = {
  save: 4,
  files: [place.file],
  at: '2026-11-19T09:00:00.000Z',
  done: false,
  times: {},
};
const good: Answer = {
  ...{
    ...begun,
    done: true,
    findings: [],
    missing: [],
    mock: { url: 'http://127.0.0.1:4010' },
    portal: { version: 2 },
  },
  ...{ breaks: { released: '3.0.0', changes: [] }, types: { faults: [], written: ['types.ts'] } },
  times: { findings: 600, mock: 800, missing: 900, breaks: 1200, types: 3100, portal: 2500 },
};
const finding = { ...place, rule: 'operation-summary', message: 'No summary.', severity: 'error' as const };
const broken: Answer = { ...begun, done: true, findings: [mended(finding)], times: { findings: 600 } };
const lacking: Answer = {
  ...good,
  missing: [{ ...place, what: 'handler', operationId: 'createUser', mend: 'Write it.' }],
  breaks: {
    released: '3.0.0',
    changes: [{ ...place, rule: 'path-removed', where: '/link', message: 'Gone.' }],
  },
};

describe('the page', () => {
  test.each([
    ['checking', 'Checking …', begun],
    ['good', 'Good', good],
    ['broken', '1 finding: the portal and the mock are as before', broken],
    ['attention', 'Taken. 1 missing · 1 change that breaks clients of 3.0.0', lacking],
  ])('judges %s: %s', (kind, text, answer) => {
    expect(verdictOf(answer)).toEqual({ kind, text });
  });

  test('shows each finding with its place, its rule and how to mend it', () => {
    expect(groupsOf(broken)).toEqual([
      {
        title: '1 finding',
        items: [
          {
            ...{ place: 'spec/paths/users.yaml:3:5', rule: 'operation-summary', text: 'No summary.' },
            mend: mending['operation-summary'],
          },
        ],
      },
    ]);
    expect(groupsOf(good)).toEqual([]);
  });

  test('says what was saved, and how long each part took', () => {
    expect(saveText(broken)).toBe('Save 4: spec/paths/users.yaml — findings 0.6 s');
  });
});

describe('the terminal', () => {
  test('prints each part once, as soon as it is known', () => {
    const printed: string[] = [];
    const print = answerPrinter((line) => printed.push(line));
    for (const answer of [begun, { ...begun, findings: [], times: { findings: 600 } }, lacking, lacking])
      print(answer);
    expect(printed.filter((line) => line.includes('findings'))).toHaveLength(1);
    expect(printed.filter((line) => line.includes('createUser has no handler'))).toEqual([
      '      spec/paths/users.yaml:3:5 createUser has no handler',
    ]);
    expect(printed).toContain('  ✓ types    server and client fit; wrote types.ts  3.10 s');
  });
});

test('each rule of redocly.yaml says how it is mended, the own ones in their message', async () => {
  const { rules } = parse(await readFile('redocly.yaml', 'utf8')) as { rules: Record<string, unknown> };
  const foreign = Object.keys(rules).filter((rule) => !rule.startsWith('contract/'));
  expect(foreign.filter((rule) => !mending[rule])).toEqual([]);
});

test('of jobs that are asked for while one runs, the last one alone is done', async () => {
  const latest = latestOnly();
  const done: number[] = [];
  const ran = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      latest(async () => {
        await Promise.resolve();
        done.push(number);
      }),
    ),
  );
  expect(done).toEqual([4]);
  expect(ran).toEqual([false, false, false, true]);
});
