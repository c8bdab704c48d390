import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyProject } from '../../scripts/laboratory/project-copy.ts';
import { violations, widthOf } from '../portal/support.ts';
import { launchBrowser } from '../support/browser.ts';
import { problemsIn } from './problem-matcher.ts';
import { sarifErrors } from './sarif.ts';

const project = await copyProject();
const output = await mkdtemp(join(tmpdir(), 'wrp-review-'));
afterAll(() => Promise.all([project.remove(), rm(output, { recursive: true })]));

type Outcome = { code: number; stdout: string; stderr: string };

function run(program: string, args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: project.directory, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

const titleParameter = `      - name: title
        in: query
        description: Only a user with this title. Case matters.
        schema: { type: string, minLength: 1, maxLength: 100 }
        example: Agent
`;
const git = (...args: string[]) =>
  run('git', ['-c', 'user.name=designer', '-c', 'user.email=designer@example.com', ...args]);
/** Of the first parameter that is left of `listUsers`. */
const lineOfParameters = async () =>
  (await project.read('spec/paths/users.yaml'))
    .split('\n')
    .indexOf('      - $ref: ../parameters.yaml#/PageSize') + 1;
const review = (...args: string[]) => run(process.execPath, ['scripts/spec/review/main.ts', ...args]);

describe('spec:review', () => {
  beforeAll(async () => {
    await writeFile(join(project.directory, '.gitignore'), 'node_modules\n');
    await git('init', '-q', '-b', 'main');
    await git('add', '.');
    await git('commit', '-q', '-m', 'base');
  });

  test('accepts a contract that did not change: exit code 0', async () => {
    const { code, stdout } = await review();
    expect(stdout).toContain('Nothing prevents a merge');
    expect(stdout).toMatch(/\| Changes \| none since main \([0-9a-f]{7}\) \|/);
    expect(code).toBe(0);
  });

  test('reports a breaking change, an addition and a finding at their lines: exit code 1', async () => {
    await git('switch', '-q', '-c', 'design');
    await project.edit('spec/paths/users.yaml', (text) =>
      text
        .replace('      - $ref: ../parameters.yaml#/Page\n', '')
        .replace(/ +- \$ref: .*UserIfNoneMatch\n/, (reference) => reference + titleParameter)
        .replace(/ +summary: Reinstate .*\n/, ''),
    );
    await project.edit('spec/schemas/users.yaml', (text) =>
      text.replace(
        /^(User:[\s\S]*?\n {2}properties:\n)/m,
        '$1    locale:\n      description: Preferred language.\n      type: string\n      minLength: 2\n      maxLength: 35\n',
      ),
    );
    const { code, stdout } = await review('--base', 'main', '--output', output);
    expect(stdout).toContain('Fix before merging');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /- `spec\/paths\/users\.yaml:\d+:3` Operation object should contain `summary` field\. Say .* \(operation-summary\)\n/,
    );
    expect(stdout).toMatch(
      new RegExp(
        `- .spec/paths/users\\.yaml:${await lineOfParameters()}:9. .* .page. query parameter was removed\\. \\(parameter-removed\\)\\n`,
      ),
    );
    const added = stdout.slice(stdout.indexOf('### Added'), stdout.indexOf('### Removed'));
    expect(added.match(/^- .*/gm)).toEqual([
      '- `getUser` (`GET /organizations/users/{userId}`): the query parameter `title` (string, optional). Only a user with this title.',
      '- `User`: `locale` (string, optional)',
    ]);
    expect(stdout).toMatch(/- `listUsers` \(`GET \/organizations\/users`\): \d+\.\d \(\+1\.0\)/);
    expect(await readFile(join(output, 'summary.md'), 'utf8')).toBe(stdout);
    const log = JSON.parse(await readFile(join(output, 'review.sarif'), 'utf8'));
    expect(sarifErrors(log)).toEqual([]);
    const ruleIds = log.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(ruleIds.sort()).toEqual(['breaking/parameter-removed', 'operation-summary', 'unused']);
  });

  test('spec:breaking reports breaking changes at their lines, whatever the lint finds', async () => {
    await project.edit('spec/parameters.yaml', (text) =>
      text.replace(/(PageSize:\n {2}name: size\n {2}in: query\n)/, '$1  required: true\n'),
    );
    const { code, stdout } = await run(process.execPath, ['scripts/spec/breaking/main.ts']);
    expect(stdout).toMatch(
      new RegExp(
        `^spec/paths/users\\.yaml:${await lineOfParameters()}:9 .page. query parameter was removed\\.`,
        'm',
      ),
    );
    const line = (await project.read('spec/parameters.yaml')).split('\n').indexOf('PageSize:') + 4;
    expect(stdout).toMatch(
      new RegExp(`^spec/parameters\\.yaml:${line}:3 .size. query parameter became required\\.`, 'm'),
    );
    expect(stdout).toMatch(/^\d changes break clients of \d+\.\d+\.\d+\.\nAdd the new beside the old/m);
    expect(code).toBe(1);
    await git('checkout', '-q', 'spec/parameters.yaml');
  });

  test('a breaking change that is accepted prevents nothing; an acceptance of nothing is a finding', async () => {
    const breaking = (...args: string[]) =>
      run(process.execPath, ['scripts/spec/breaking/main.ts', '--json', ...args]);
    const { breaks } = JSON.parse((await breaking()).stdout) as { breaks: Record<string, string>[] };
    const entries = breaks.map(({ rule, where }) => ({ rule, where, reason: 'No client sends it.' }));
    const accept = (list: object[]) =>
      writeFile(join(project.directory, 'spec/accepted-changes.yaml'), JSON.stringify(list));
    await accept(entries);
    const { code, stdout } = await breaking();
    expect(JSON.parse(stdout).breaks).toEqual(
      breaks.map((one) => ({ ...one, accepted: 'No client sends it.' })),
    );
    expect(code).toBe(0);
    const diff = await run(process.execPath, ['scripts/spec/diff/main.ts', '--markdown']);
    expect(diff.stdout).toMatch(/^- .*`page` query parameter.* \*\*Accepted:\*\* No client/m);
    await accept([...entries, { rule: 'path-removed', where: '/link', reason: 'Gone.' }]);
    const reviewed = await review('--format', 'json');
    expect(JSON.parse(reviewed.stdout).findings).toContainEqual(
      expect.objectContaining({ rule: 'accepted-changes', file: 'spec/accepted-changes.yaml', line: 1 }),
    );
    await rm(join(project.directory, 'spec/accepted-changes.yaml'));
  });

  test('the editor finds the findings in the output of the lint', async () => {
    const { tasks } = JSON.parse(await readFile('.vscode/tasks.json', 'utf8'));
    const { problemMatcher } = tasks.find(({ label }: { label: string }) => label === 'lint');
    const { code, stderr } = await run(process.execPath, ['scripts/generate/main.ts']);
    expect(code).toBe(1);
    const problems = problemsIn(stderr.split('\n'), problemMatcher.pattern);
    expect(problems.map(([file]) => file)).toEqual(['spec/paths/users.yaml', 'spec/parameters.yaml']);
    expect(problems[0]?.[3]).toMatch(/^operation-summary /);
  });

  test('writes a page with both values of every change, which loads nothing', async () => {
    const page = await readFile(join(output, 'changes.html'), 'utf8');
    expect(page).toContain('<h1>API diff: base.json → revision.json</h1>');
    expect(page).toContain('page` query parameter was removed.');
    expect(page).toContain('Only a user with this title. Case matters.');
    expect(page).not.toMatch(/<(?:link|img|iframe|script)\b|src=|@import|url\(/);
  });

  test.each([
    [1400, 'light'],
    [390, 'dark'],
  ] as const)('shows both values of a change %i px wide, in %s, accessibly', async (width, colorScheme) => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      await page.goto(pathToFileURL(join(output, 'changes.html')).href);
      await page.locator('summary').first().click();
      expect(await page.locator('details[open] pre').textContent()).toContain('"base"');
      expect(await widthOf(page)).toBeLessThanOrEqual(width);
      expect(await violations(page)).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('cannot review against an unknown base: exit code 2, and one line', async () => {
    const { code, stdout, stderr } = await review('--base', 'nowhere');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'spec:review: "nowhere" is not a released version, a .json file or a Git revision.\n',
    );
    expect((await review('--format', 'html')).code).toBe(2);
    expect((await review('--help')).code).toBe(0);
  });
});
