import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sourceLocator } from '../../scripts/contract/locator.ts';
import { placedBreaks } from '../../scripts/spec/breaking/placed.ts';
import type { Review } from '../../scripts/spec/review/review.ts';
import { sarifOf } from '../../scripts/spec/review/sarif.ts';
import { summaryOf } from '../../scripts/spec/review/summary.ts';
import { sarifErrors } from './sarif.ts';

const place = { file: 'spec/paths/users.yaml', line: 3, column: 5 };
const score = { score: 92, operations: [] };
const review: Review = {
  base: 'main (0000000)',
  findings: [
    {
      ...place,
      rule: 'contract/no-defs',
      message: 'Move the schemas in `$defs` to spec/schemas.',
      severity: 'error',
      also: [{ file: 'spec/paths/link.yaml', line: 9, column: 1 }],
    },
    {
      ...place,
      rule: 'tag-description',
      message: 'Tag needs a description',
      severity: 'warn',
      fix: 'Say what.',
    },
  ],
  comparison: {
    released: '3.0.0',
    breaks: [{ ...place, rule: 'response-removed', where: '/link post responses 201', message: 'Removed.' }],
    isNextMajor: false,
    changes: [{ kind: 'added', subject: 'schema', name: 'User', text: '`locale` (string, optional)' }],
    score: { base: score, head: { ...score, score: 91.5 } },
  },
};

describe('the SARIF log', () => {
  test('is valid SARIF 2.1.0, with every place of a finding as a result', () => {
    const log = sarifOf(review, '3.0.0');
    expect(sarifErrors(log)).toEqual([]);
    const [{ results, tool }] = (log as { runs: [Run] }).runs;
    expect(
      results.map(({ ruleId, level, locations: [{ physicalLocation }] }) => [
        ruleId,
        level,
        physicalLocation.artifactLocation.uri,
        physicalLocation.region.startLine,
      ]),
    ).toEqual([
      ['contract/no-defs', 'error', 'spec/paths/users.yaml', 3],
      ['contract/no-defs', 'error', 'spec/paths/link.yaml', 9],
      ['tag-description', 'warning', 'spec/paths/users.yaml', 3],
      ['breaking/response-removed', 'error', 'spec/paths/users.yaml', 3],
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  test('explains each rule', () => {
    const [{ tool }] = (sarifOf(review, '3.0.0') as { runs: [Run] }).runs;
    const texts = Object.fromEntries(tool.driver.rules.map(({ id, help }) => [id, help.markdown]));
    expect(texts['contract/no-defs']).toMatch(
      /^Disallows `\$defs`: [\s\S]*Good:[\s\S]*Bad: a schema with \$defs\.[\s\S]*\$defs:\n {2}Part:/,
    );
    expect(texts['tag-description']).toMatch(/^Say what belongs to the tag\./);
    expect(texts['breaking/response-removed']).toMatch(/^Within a major version/);
  });

  test('is empty, and valid, for a contract without findings', () => {
    const log = sarifOf({ base: 'main', findings: [] }, '3.0.0');
    expect(sarifErrors(log)).toEqual([]);
  });

  test('the schema refuses what is not SARIF', () => {
    expect(sarifErrors({ version: '2.1.0', runs: [{ results: [{}] }] })).not.toEqual([]);
  });
});

describe('the summary', () => {
  test('names what prevents a merge, with places and fixes', () => {
    const text = summaryOf(review);
    expect(text).toContain('**Fix before merging: 2 findings, 1 change that breaks clients.**');
    expect(text).toContain(
      '- `spec/paths/users.yaml:3:5` Tag needs a description. Say what. (tag-description)',
    );
    expect(text).toContain('Also in `spec/paths/link.yaml:9:1`.');
    expect(text).toContain(
      '- `spec/paths/users.yaml:3:5` `/link post responses 201`: Removed. (response-removed)',
    );
    expect(text).toContain(
      '## Changes since main (0000000)\n\n### Added\n\n- `User`: `locale` (string, optional)',
    );
    expect(text).toContain('| Score | 91.5 of 100 (−0.5) |');
  });

  test('reports the same change to all operations once', () => {
    const operations = ['listUsers', 'getUser'].map((name) => ({
      kind: 'added',
      subject: 'operation',
      name,
    }));
    const changes = operations.map((one) => ({ ...one, text: 'can respond with 418.' }));
    const scored = operations.map(({ name }) => ({
      operationId: name,
      route: name,
      score: 92,
      subscores: {},
    }));
    const both = { ...score, operations: scored };
    const comparison = { ...review.comparison, changes, score: { base: both, head: both } };
    expect(summaryOf({ ...review, comparison } as Review)).toContain(
      '### Added\n\n- All operations: can respond with 418.',
    );
  });

  test('ends no question with a period', () => {
    const message = 'Property `sumary` is not expected here. Did you mean `summary`?';
    const text = summaryOf({
      ...review,
      findings: [{ ...place, rule: 'struct', message, severity: 'error' }],
    });
    expect(text).toContain('Did you mean `summary`? (struct)');
  });

  test('allows breaking changes in a new major version', () => {
    const comparison = { ...(review.comparison as NonNullable<Review['comparison']>), isNextMajor: true };
    const text = summaryOf({ ...review, findings: [], comparison });
    expect(text).toContain('**Nothing prevents a merge.**');
    expect(text).toContain('| 1 (clients of 3.0.0; allowed in a new major version) |');
  });

  test('says that a contract that cannot be bundled was not compared', () => {
    const text = summaryOf({ base: 'main', findings: review.findings });
    expect(text).toContain('❌');
    expect(text).toContain('it was not compared');
  });
});

describe('the workflow of pull requests', () => {
  const file = '.github/workflows/contract-review.yaml';
  const text = readFileSync(file, 'utf8');
  const { jobs, on, permissions } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('runs on changes to spec/, never with the rights of the base', () => {
    expect(Object.keys(on)).toEqual(['pull_request']);
    expect(on.pull_request.paths).toContain('spec/**');
    expect(permissions).toEqual({});
    expect(jobs['review']?.permissions).toEqual({ contents: 'read' });
    expect(text).not.toMatch(/\$\{\{[^}]*secrets\./);
  });

  test('pins every action to a commit', () => {
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(3);
    for (const action of actions) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('runs only commands that exist, and only where the code of the pull request may run', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands[0]).toBe('npm ci');
    for (const command of commands.filter((one) => one !== 'npm ci')) {
      const [, name = '', args = ''] = /^npm run --silent (\S+) -- ([^>]*)/.exec(command) ?? [];
      expect(scripts, command).toHaveProperty([name]);
      const [file = ''] = /scripts\/\S+\.ts/.exec(scripts[name] ?? '') ?? [];
      const source = readFileSync(file, 'utf8');
      for (const [option] of args.matchAll(/--\w+/g)) expect(source).toContain(`'${option} <`);
    }
    expect(jobs['annotate']?.steps.filter(({ run }) => run)).toEqual([]);
    // What has a token that may write runs code of the base.
    const [checkout] = jobs['comment']?.steps ?? [];
    expect(checkout?.with?.['ref']).toMatch(/github\.event\.pull_request\.base\.sha/);
  });

  test('uploads files that the command writes', () => {
    const source = readFileSync('scripts/spec/review/main.ts', 'utf8');
    const [, name] = /sarif_file: review\/(\S+)/.exec(text) ?? [];
    expect(source).toContain(`'${name}'`);
  });
});

type Run = {
  tool: { driver: { rules: { id: string; help: { markdown: string } }[] } };
  results: {
    ruleId: string;
    ruleIndex: number;
    level: string;
    locations: [{ physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }];
  }[];
};

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Workflow = {
  on: { pull_request: { paths: string[] } };
  permissions: object;
  jobs: Record<string, { permissions: object; steps: Step[] }>;
};

test.each([
  [
    'enum-values-added',
    '/organizations/users get responses 200 content application/json schema properties content items properties profile properties status',
    /^ +enum: \[ACTIVE/,
  ],
  [
    'required-properties-added',
    '/organizations/users/{userId}/role put requestBody content application/json schema',
    /^ +required: \[roleId\]/,
  ],
  ['operation-removed', '/organizations/users', /^ +\/organizations\/users:/],
])('%s is at the line that has changed, not where the schema is used', (rule, where, expected) => {
  const [placed] = placedBreaks(
    [{ rule, where, message: '' }],
    sourceLocator(new URL('../../', import.meta.url)),
  );
  const lines = readFileSync(placed?.file ?? '', 'utf8').split('\n');
  expect(lines[(placed?.line ?? 0) - 1]).toMatch(expected);
});
