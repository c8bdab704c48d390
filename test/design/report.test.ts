import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fixHints, grouped } from '../../scripts/contract/lint/finding.ts';
import type { Finding } from '../../scripts/contract/source.ts';
import { latestOnly } from '../../scripts/design/latest-only.ts';
import { groupsOf, saveText, verdictOf } from '../../scripts/design/page/verdict.js';
import type { Report } from '../../scripts/design/report.ts';
import { designServer } from '../../scripts/design/server.ts';
import { reportPrinter } from '../../scripts/design/terminal.ts';

const place = { file: 'spec/paths/users.yaml', line: 3, column: 5 };
const started: Report = {
  save: 4,
  files: [place.file],
  at: '2026-11-19T09:00:00.000Z',
  done: false,
  times: {},
};
const good: Report = {
  ...started,
  done: true,
  findings: [],
  gaps: [],
  mock: { url: 'http://127.0.0.1:4010' },
  portal: { version: 2 },
  breaks: { released: '3.0.0', changes: [] },
  types: { errors: [], written: ['generated/types.ts'] },
  times: { findings: 600, mock: 800, gaps: 900, breaks: 1200, types: 3100, portal: 2500 },
};
const finding: Finding = { ...place, rule: 'operation-summary', message: 'No summary.', severity: 'error' };
const broken: Report = { ...started, done: true, findings: grouped([finding]), times: { findings: 600 } };
const incomplete: Report = {
  ...good,
  gaps: [{ ...place, message: 'createUser has no handler', fixes: ['Write it.'] }],
  breaks: {
    released: '3.0.0',
    changes: [{ ...place, rule: 'path-removed', where: '/link', message: 'Gone.' }],
  },
};
const schema = { file: 'spec/schemas/identifiers.yaml', line: 1, column: 1 };
const wrongExamples = [5, 7, 16].map(
  (line): Finding => ({
    schema,
    file: 'spec/examples/users.yaml',
    line,
    column: 13,
    rule: 'no-invalid-media-type-examples',
    message: `Example value must conform to the schema: \`${line === 5 ? 'id' : 'roleId'}\` property must match format "email".`,
    severity: 'error',
  }),
);

describe('the page', () => {
  test.each([
    ['checking', 'Checking …', started],
    ['good', 'Good', good],
    ['broken', '1 finding: portal and mock stay as they were', broken],
    ['attention', 'Accepted. 1 gap · 1 change that breaks clients of 3.0.0', incomplete],
  ])('shows the verdict %s: %s', (kind, text, report) => {
    expect(verdictOf(report)).toEqual({ kind, text });
  });

  test('shows each finding with its place, its rule and how to fix it', () => {
    const fixes = [fixHints['operation-summary']];
    const item = { place: 'spec/paths/users.yaml:3:5', rule: 'operation-summary', text: 'No summary.' };
    expect(groupsOf(broken)).toEqual([{ title: '1 finding', items: [{ ...item, fixes, also: [] }] }]);
    expect(groupsOf(good)).toEqual([]);
  });

  test('shows what was saved, and how long each part took', () => {
    expect(saveText(broken)).toBe('Save 4: spec/paths/users.yaml — findings 0.6 s');
  });
});

describe('the terminal', () => {
  const linesOf = (...reports: Report[]) => {
    const printed: string[] = [];
    const print = reportPrinter((line) => printed.push(line));
    for (const report of reports) print(report);
    return printed;
  };

  test('prints each part once, as soon as it is known', () => {
    const early: Report = { ...started, findings: [], times: { findings: 600 } };
    const printed = linesOf(started, early, incomplete, incomplete);
    expect(printed.filter((line) => line.includes('findings'))).toHaveLength(1);
    expect(printed.filter((line) => line.includes('createUser has no handler'))).toEqual([
      '      spec/paths/users.yaml:3:5 createUser has no handler',
    ]);
    expect(printed).toContain('  ✓ types    server and client compile; wrote generated/types.ts  3.10 s');
  });

  test('prints findings of one cause once, with a line for each other place', () => {
    const printed = linesOf({ ...started, findings: grouped(wrongExamples), times: { findings: 600 } });
    expect(printed.slice(2)).toEqual([
      '  ✗ findings 3 findings of 1 cause; portal, mock and generated/ stay as they were  0.60 s',
      `      spec/examples/users.yaml:5:13 no-invalid-media-type-examples ${wrongExamples[0]?.message}`,
      `        → ${fixHints['no-invalid-media-type-examples']}`,
      '      spec/schemas/identifiers.yaml:1:1 the schema',
      '      spec/examples/users.yaml:7:13 the same',
      '      spec/examples/users.yaml:16:13 the same',
    ]);
  });
});

test('every Redocly rule of redocly.yaml has a fix hint', async () => {
  const { rules } = parse(await readFile('redocly.yaml', 'utf8')) as { rules: Record<string, unknown> };
  const notOurs = Object.keys(rules).filter((rule) => !rule.startsWith('contract/') && rules[rule] !== 'off');
  expect(notOurs.filter((rule) => !fixHints[rule])).toEqual([]);
});

test('a queue runs only the last of the jobs that are requested while another runs', async () => {
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

describe('a place in the page', () => {
  const opened: string[] = [];
  const { server } = designServer({
    root: new URL('file:///'),
    onShown() {},
    async openInEditor(place) {
      opened.push(place);
      return place.startsWith('gone') ? 'No editor was found: set EDITOR.' : undefined;
    },
  });
  const ask = async (
    place: string,
    headers: Record<string, string> = { 'Sec-Fetch-Site': 'same-origin' },
  ) => {
    const { port } = server.address() as AddressInfo;
    const query = new URLSearchParams({ place }).toString();
    const response = await fetch(`http://127.0.0.1:${port}/design/open?${query}`, {
      method: 'POST',
      headers,
    });
    return [response.status, await response.text()];
  };
  beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
  afterAll(() => void server.close());

  test('opens in the editor', async () => {
    expect(await ask('spec/openapi.yaml:3:1')).toEqual([204, '']);
    expect(await ask('gone.yaml:3:1')).toEqual([500, 'No editor was found: set EDITOR.']);
    expect(opened).toEqual(['spec/openapi.yaml:3:1', 'gone.yaml:3:1']);
  });

  test.each([
    ['for a program', 'spec/openapi.yaml:3:1', {}],
    ['for another port of this machine', 'spec/openapi.yaml:3:1', { 'Sec-Fetch-Site': 'same-site' }],
    ['outside of the project', '../secret.txt:1:1', undefined],
    ['by an absolute path', '/etc/passwd:1:1', undefined],
    ['without a line', 'spec/openapi.yaml', undefined],
    ['with anything else', 'spec/a.yaml; rm -rf:1:1', undefined],
  ])('is not opened %s', async (_how, place, headers) => {
    const before = opened.length;
    expect(await ask(place, headers)).toEqual([403, '']);
    expect(opened).toHaveLength(before);
  });
});
