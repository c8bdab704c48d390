import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Report } from '../../scripts/design/report.ts';
import { startDesign } from '../../scripts/laboratory/design-process.ts';
import { copyProject } from '../../scripts/laboratory/project-copy.ts';
import { launchBrowser } from '../support/browser.ts';
import { scaledTimeout } from '../support/timeout.ts';

vi.setConfig({ testTimeout: scaledTimeout(120_000) });
const run = promisify(execFile);
const users = 'spec/paths/users.yaml';
const examples = 'spec/examples/organization.yaml';
// One resource suffices for a type error; the whole server takes seconds to compile for the first time.
const narrow =
  '{ "extends": "../tsconfig.base.json", "compilerOptions": { "allowJs": true }, "include": ["src/handlers/organization.ts", "../generated/*.ts"] }';

const project = await copyProject();
await project.save('server/tsconfig.json', narrow);
await project.save('client/tsconfig.json', narrow.replaceAll('handlers/organization', 'unwrap'));
const exampleText = await project.read(examples);
const design = await startDesign(project.directory);
const browser = await launchBrowser();
const page = await browser.newPage();
/** The visible portal, not the one that loads behind it. */
const shown = () => page.frameLocator('iframe:not(.next)');
const errors: string[] = [];
page.on('pageerror', ({ message }) => errors.push(message));
page.on('console', (line) => {
  if (line.type() === 'error') errors.push(line.text());
});
afterAll(async () => {
  await browser.close();
  await design.stop();
  await project.remove();
});

/** A save in place empties the file first, which may be reported, too. */
const isJudged = ({ findings }: Report) =>
  findings?.every(({ message }) => !message.endsWith(' is empty.')) === true;
const isDone = ({ done }: Report) => done;

/** Waits for a report that `isWanted`, of the save of this number or a later one. */
const reportFrom = (from: number, isWanted: (report: Report) => boolean) =>
  design.report(from, isWanted, scaledTimeout(110_000) / 1000);

/** Saves, and waits for its report. */
async function reportOf(
  save: () => Promise<unknown>,
  isWanted: (report: Report) => boolean,
): Promise<Report> {
  const from = design.lastSave + 1;
  await save();
  return reportFrom(from, isWanted);
}

/** The state that findings must not change. */
async function lastGood() {
  const [{ portal, roleName }, generated] = await Promise.all([
    state(),
    project.read('generated/openapi.json'),
  ]);
  return { portal, roleName, generated };
}

async function state(): Promise<{ portal: string; roleName: string }> {
  const headers = { Authorization: 'any' };
  const page = await fetch(`${design.mock}/organizations/roles`, { headers });
  const [role] = (await page.json()) as { name: string }[];
  const portal = await fetch(`${design.page}/docs/reference`);
  return { portal: await portal.text(), roleName: role?.name ?? '' };
}

test('the design loop reports the contract when it starts', async () => {
  const report = await reportFrom(0, isDone);
  expect(report).toMatchObject({ save: 0, findings: [], gaps: [], portal: { version: 1 } });
  expect(report.breaks).toEqual({ released: expect.any(String), changes: [] });
  expect(report.types).toMatchObject({ errors: [] });
});

describe('the page', () => {
  test('shows the page of the portal that its URL names', async () => {
    const notified = page.waitForResponse(/design\/shown/);
    await page.goto(`${design.page}/#/docs/reference/users#listUsers`);
    await page.locator('iframe:not(.next)').waitFor();
    await shown().getByRole('heading', { name: 'List the users' }).waitFor();
    expect(page.url()).toBe(`${design.page}/#/docs/reference/users#listUsers`);
    await page.getByRole('status').filter({ hasText: 'Good' }).waitFor();
    await notified;
  });

  test('does not count as shown for a save long before it was opened', async () => {
    const report = await fetch(`${design.page}/design/report.json`);
    expect((await report.json()).times).toEqual(expect.not.objectContaining({ shown: expect.anything() }));
  });

  test('loads only pages of the portal from its URL', async () => {
    const other = await browser.newPage();
    await other.goto(`${design.page}/#javascript:document.title='taken'`);
    await other.locator('iframe:not(.next)').waitFor();
    expect(other.url()).toBe(`${design.page}/#/docs/reference`);
    await other.close();
  });
});

describe('a save with findings', async () => {
  const text = await project.read(users);
  let before: Awaited<ReturnType<typeof lastGood>>;

  test('reports a YAML syntax error with its line and how to fix it', async () => {
    before = await lastGood();
    const report = await reportOf(
      () => project.save(users, text.replace("'200':\n", "'200': {\n")),
      (report) => report.done && isJudged(report),
    );
    expect(report).toMatchObject({ files: [users], done: true });
    expect(report.findings).toEqual([
      {
        file: users,
        line: expect.any(Number),
        column: expect.any(Number),
        severity: 'error',
        rule: 'yaml',
        message: expect.stringMatching(/^Failed to parse: /),
        fix: expect.stringContaining('not closed'),
      },
    ]);
    // Also while other tests use all processors.
    expect(report.times.findings).toBeLessThan(scaledTimeout(3_000));
  });

  test('reports a finding of the linter at its place, with its rule and how to fix it', async () => {
    const line = text.split('\n').findIndex((one) => one.includes('summary: List the users')) + 1;
    const misspelt = text.replace('summary: List the users', 'sumary: List the users');
    const report = await reportOf(() => project.save(users, misspelt, 'by renaming'), isJudged);
    expect(report.findings).toContainEqual({
      file: users,
      line,
      column: 5,
      rule: 'struct',
      severity: 'error',
      message: 'Property `sumary` is not expected here. Did you mean `summary`?',
      fix: expect.stringContaining('misspelt'),
    });
  });

  test('reports gaps and breaking changes although an example is wrong', async () => {
    const from = design.lastSave + 1;
    await project.save(users, text.replace('operationId: listUsers', 'operationId: readUsers'));
    await project.save(examples, exampleText.replace('name: owner', 'nam: owner'));
    const report = await reportFrom(
      from,
      ({ done, files, findings = [] }) => done && files.includes(examples) && findings.length > 0,
    );
    expect(report.findings?.map(({ rule }) => rule)).toContain('no-invalid-media-type-examples');
    expect(report.gaps?.[0]?.message).toMatch(/^readUsers has no handler, /);
    expect(report.breaks?.changes.map(({ rule }) => rule)).toEqual(['operation-id-changed']);
    await project.save(users, text);
  });

  test('reports a deleted file once', async () => {
    const report = await reportOf(() => rm(join(project.directory, examples)), isJudged);
    expect(report.findings).toEqual([expect.objectContaining({ message: `There is no ${examples}.` })]);
  });

  test('leaves portal, mock and generated/ as they were, and the page says so', async () => {
    expect(await lastGood()).toEqual(before);
    await page
      .getByRole('status')
      .filter({ hasText: '1 finding: portal and mock stay as they were' })
      .waitFor();
    await page.getByRole('region').getByText(`There is no ${examples}.`).waitFor();
    await shown().getByRole('heading', { name: 'List the users' }).waitFor();
    await project.save(users, text);
  });
});

describe('a save without findings', () => {
  test('reaches mock, portal and generated/, and reports breaking changes and gaps', async () => {
    const from = design.lastSave + 1;
    await project.save(examples, exampleText.replace('name: owner', 'name: admin'));
    await project.edit('spec/schemas/organization.yaml', (text) =>
      text.replace('[LIVE, SANDBOX]', '[LIVE, SANDBOX, PAST]'),
    );
    await project.edit(
      'spec/paths/organization.yaml',
      (text) => text.replaceAll('operationId: listWorkspaceRoles', 'operationId: readWorkspaceRoles'),
      'by renaming',
    );
    // The report of the last of the three.
    const report = await reportFrom(
      from,
      ({ done, findings, files }) =>
        done && findings?.length === 0 && files.includes('spec/paths/organization.yaml'),
    );
    const place = { file: 'spec/paths/organization.yaml', line: expect.any(Number), column: 5 };
    const leftover = 'listWorkspaceRoles is not an operation of the contract';
    expect(report.gaps?.[0]).toEqual({
      ...place,
      message:
        'readWorkspaceRoles has no handler, no test, no line in the permission matrix, no cURL sample, no TypeScript sample',
      fixes: expect.arrayContaining([expect.stringContaining('handlers/organization.ts')]),
    });
    const samples = ['test/samples/organization.sh', 'test/samples/organization.ts'];
    expect(report.gaps?.slice(1)).toEqual([
      expect.objectContaining({ file: expect.toBeOneOf(samples), message: leftover }),
      expect.objectContaining({ file: 'test/sweeps/authorization-matrix.txt', message: leftover }),
    ]);
    expect(report.breaks?.changes).toContainEqual(
      expect.objectContaining({ rule: 'enum-values-added', file: 'spec/schemas/organization.yaml' }),
    );
    expect(report.breaks?.changes.map(({ rule }) => rule)).toContain('operation-id-changed');
    expect(report.types?.written).toContain('generated/operations.ts');
    expect(report.types?.errors[0]).toMatchObject({
      file: 'server/src/handlers/organization.ts',
      code: /^TS/,
    });
    expect(report.portal?.version).toBeGreaterThan(1);
    const { portal, roleName } = await state();
    expect(roleName).toBe('admin');
    expect(portal).not.toBe('');
    await page.getByRole('status').filter({ hasText: '3 gaps' }).waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('region').getByText('readWorkspaceRoles has no handler').waitFor();
    await reportFrom(from, ({ times }) => times.shown !== undefined);
    expect(page.url()).toContain('#/docs/reference/users#listUsers');
    // In this order; the benchmark measures how long they take.
    const { findings, mock, gaps, types } = report.times;
    expect([findings, mock, gaps, types]).toEqual(
      [findings, mock, gaps, types].toSorted((one, other) => Number(one) - Number(other)),
    );
  });

  test('reports several saves at once together, as of the last one', async () => {
    const from = design.lastSave + 1;
    const file = 'spec/paths/organization.yaml';
    for (const round of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await project.edit(
        file,
        (text) => text.replace(/summary: List the workspaces.*/, `summary: List the workspaces ${round}`),
        'by renaming',
      );
    }
    await project.edit(file, (text) =>
      text.replaceAll('operationId: readWorkspaceRoles', 'operationId: listWorkspaceRoles'),
    );
    await project.edit('spec/schemas/organization.yaml', (text) => text.replace(', PAST]', ']'));
    const report = await reportFrom(
      from,
      ({ gaps, done, files }) =>
        done && gaps?.length === 0 && files.includes('spec/schemas/organization.yaml'),
    );
    expect(report.breaks?.changes).toEqual([]);
    expect(report.types?.errors).toEqual([]);
    expect(design.lastSave - from).toBeLessThan(5);
    expect(await project.read('generated/openapi.json')).toContain('List the workspaces 8');
  });

  test('finds nothing wrong with what spec:new adds', async () => {
    const from = design.lastSave + 1;
    const script = join(project.directory, 'scripts/spec/new/main.ts');
    const { stdout } = await run(
      process.execPath,
      [script, 'organization/listTeams', '--path', '/organizations/teams', '--json'],
      {
        cwd: project.directory,
      },
    );
    expect(JSON.parse(stdout).files).toContain('server/src/store/organization.ts');
    // Saved after everything that the command wrote: its report covers all of it.
    await project.edit(users, (text) => `${text}# Saved last.\n`, 'by renaming');
    const report = await reportFrom(from, ({ done, files }) => done && files.includes(users));
    expect(report.findings).toEqual([]);
    expect(report.gaps).toEqual([]);
    expect(report.breaks?.changes).toEqual([]);
    expect(report.types).toMatchObject({ errors: [] });
    expect(await project.read('generated/operations.ts')).toContain('listTeams');
  });
});

test('the design loop logs no error on standard error or in the browser', () => {
  expect(design.errorOutput).toBe('');
  expect(errors).toEqual([]);
});

describe('the command', () => {
  const call = async (...args: string[]) => {
    const script = join(project.directory, 'scripts/design/main.ts');
    return run(process.execPath, [script, ...args], { cwd: project.directory }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };

  test('reports a port in use in one line, with exit code 1', async () => {
    const port = new URL(design.page).port;
    expect(await call('--port', port)).toEqual({
      code: 1,
      stdout: '',
      stderr: `design: port ${port} on 127.0.0.1 is in use; choose another with --port.\n`,
    });
    const mockPort = new URL(design.mock).port;
    expect(await call('--port', '0', '--mock-port', mockPort)).toMatchObject({
      code: 1,
      stderr: `design: port ${mockPort} on 127.0.0.1 is in use; choose another with --mock-port.\n`,
    });
  });

  test('reports a wrong option in one line, with exit code 1', async () => {
    expect(await call('--prot', '1')).toEqual({
      code: 1,
      stdout: '',
      stderr: "design: unknown option '--prot'. (Did you mean --port?) See --help.\n",
    });
    expect(await call('--port', 'x')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^design: .*A port is a number from 0 to 65535\..*\n$/),
    });
  });

  test('--help lists every option', async () => {
    const { code, stdout } = await call('--help');
    expect(code).toBe(0);
    for (const option of ['--port', '--mock-port', '--json']) expect(stdout).toContain(option);
  });
});
