import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../scripts/design/answer.ts';
import { startDesign } from '../../scripts/design/trial/process.ts';
import { trialProject } from '../../scripts/design/trial/project.ts';
import { launchBrowser } from '../support/browser.ts';
import { hangBound } from '../support/hang-bound.ts';

vi.setConfig({ testTimeout: hangBound(120_000) });
const run = promisify(execFile);
const users = 'spec/paths/users.yaml';
const examples = 'spec/examples/organization.yaml';
// One resource suffices to see a type that does not fit; the whole server takes seconds to compile for the first time.
const narrow =
  '{ "extends": "../tsconfig.base.json", "include": ["src/handlers/organization.ts", "../generated/*.ts"] }';

const project = await trialProject();
await project.save('server/tsconfig.json', narrow);
await project.save('client/tsconfig.json', narrow.replaceAll('handlers/organization', 'unwrap'));
const exampleText = await project.read(examples);
const design = await startDesign(project.directory);
const browser = await launchBrowser();
const page = await browser.newPage();
/** The portal that the page shows, not the one that it loads behind it. */
const shown = () => page.frameLocator('iframe:not(.next)');
const complaints: string[] = [];
page.on('pageerror', ({ message }) => complaints.push(message));
page.on('console', (line) => {
  if (line.type() === 'error') complaints.push(line.text());
});
afterAll(async () => {
  await browser.close();
  await design.stop();
  await project.remove();
});

/** A save in place empties the file first, which may be seen and answered, too. */
const isJudged = ({ findings }: Answer) =>
  findings?.every(({ message }) => !message.endsWith(' is empty.')) === true;
const isDone = ({ done }: Answer) => done;

/** Waits for an answer that is as it is wanted, from the save of this number on. */
const answerFrom = (from: number, isWanted: (answer: Answer) => boolean) =>
  design.answer(from, isWanted, hangBound(110_000) / 1000);

/** Saves, and waits for the answer to it. */
async function answerTo(
  save: () => Promise<unknown>,
  isWanted: (answer: Answer) => boolean,
): Promise<Answer> {
  const from = design.lastSave + 1;
  await save();
  return answerFrom(from, isWanted);
}

/** What stays as it was while the contract has findings. */
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

test('answers for the contract as it is', async () => {
  const answer = await answerFrom(0, isDone);
  expect(answer).toMatchObject({ save: 0, findings: [], missing: [], portal: { version: 1 } });
  expect(answer.breaks).toEqual({ released: expect.any(String), changes: [] });
  expect(answer.types).toMatchObject({ faults: [] });
});

describe('the page', () => {
  test('shows the portal, and the same address leads there again', async () => {
    const told = page.waitForResponse(/design\/shown/);
    await page.goto(`${design.page}/#/docs/reference#/users/listusers`);
    await page.locator('iframe:not(.next)').waitFor();
    await shown().getByRole('heading', { name: 'List the users' }).waitFor();
    expect(page.url()).toBe(`${design.page}/#/docs/reference#/users/listusers`);
    await page.getByRole('status').filter({ hasText: 'Good' }).waitFor();
    await told;
  });

  test('that is opened long after a save says nothing of how long the save took', async () => {
    const answer = await fetch(`${design.page}/design/answer.json`);
    expect((await answer.json()).times).toEqual(expect.not.objectContaining({ shown: expect.anything() }));
  });

  test('takes no address but one of the portal out of a link', async () => {
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

  test('YAML that does not parse is told at its line, and how to mend it', async () => {
    before = await lastGood();
    const answer = await answerTo(
      () => project.save(users, text.replace("'200':\n", "'200': {\n")),
      isJudged,
    );
    expect(answer).toMatchObject({ files: [users], done: true });
    expect(answer.findings).toEqual([
      {
        ...{ file: users, line: expect.any(Number), column: expect.any(Number), severity: 'error' },
        ...{ rule: 'yaml', message: expect.stringMatching(/^Failed to parse: /) },
        mend: expect.stringContaining('not closed'),
      },
    ]);
    expect(answer.times.findings).toBeGreaterThan(0);
  });

  test('a finding of the linter is told where it was written, with its rule, and how to mend it', async () => {
    const line = text.split('\n').findIndex((one) => one.includes('summary: List the users')) + 1;
    const misspelt = text.replace('summary: List the users', 'sumary: List the users');
    const answer = await answerTo(() => project.save(users, misspelt, 'by renaming'), isJudged);
    expect(answer.findings).toContainEqual({
      ...{ file: users, line, column: 5, rule: 'struct', severity: 'error' },
      message: 'Property `sumary` is not expected here. Did you mean `summary`?',
      mend: expect.stringContaining('misspelt'),
    });
  });

  test('a file that is gone is told once', async () => {
    const answer = await answerTo(() => rm(join(project.directory, examples)), isJudged);
    expect(answer.findings).toEqual([expect.objectContaining({ message: `There is no ${examples}.` })]);
  });

  test('portal, mock and generated/ stay as they were, and the page says so', async () => {
    expect(await lastGood()).toEqual(before);
    await page
      .getByRole('status')
      .filter({ hasText: '1 finding: the portal and the mock are as before' })
      .waitFor();
    await page.getByRole('region').getByText(`There is no ${examples}.`).waitFor();
    await shown().getByRole('heading', { name: 'List the users' }).waitFor();
    await project.save(users, text);
  });
});

describe('a save without findings', () => {
  test('reaches mock, portal and generated/, and names what it breaks and what is missing', async () => {
    const from = design.lastSave + 1;
    await project.save(examples, exampleText.replace('name: owner', 'name: admin'));
    await project.edit('spec/schemas/organization.yaml', (text) =>
      text.replace('[LIVE, SANDBOX]', '[LIVE, SANDBOX, PAST]'),
    );
    await project.edit(
      'spec/paths/organization.yaml',
      (text) => text.replace('operationId: listWorkspaceRoles', 'operationId: readWorkspaceRoles'),
      'by renaming',
    );
    // The answer to the last of the three.
    const answer = await answerFrom(
      from,
      ({ done, findings, files }) =>
        done && findings?.length === 0 && files.includes('spec/paths/organization.yaml'),
    );
    const place = { file: 'spec/paths/organization.yaml', line: expect.any(Number), column: 5 };
    expect(answer.missing?.map(({ what, operationId }) => `${what} of ${operationId}`)).toEqual([
      'handler of readWorkspaceRoles',
      'test of readWorkspaceRoles',
      'matrix line of readWorkspaceRoles',
    ]);
    expect(answer.missing?.[0]).toMatchObject({
      ...place,
      mend: expect.stringContaining('handlers/organization.ts'),
    });
    expect(answer.breaks?.changes).toContainEqual(
      expect.objectContaining({ rule: 'enum-values-added', file: 'spec/schemas/organization.yaml' }),
    );
    expect(answer.breaks?.changes.map(({ rule }) => rule)).toContain('operation-id-changed');
    expect(answer.types?.written).toContain('operations.ts');
    expect(answer.types?.faults[0]).toMatchObject({
      file: 'server/src/handlers/organization.ts',
      code: /^TS/,
    });
    expect(answer.portal?.version).toBeGreaterThan(1);
    const { portal, roleName } = await state();
    expect(roleName).toBe('admin');
    expect(portal).not.toBe('');
    await page.getByRole('status').filter({ hasText: '3 missing' }).waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('region').getByText('readWorkspaceRoles has no handler.').waitFor();
    await answerFrom(from, ({ times }) => times.shown !== undefined);
    expect(page.url()).toContain('#/users/listusers');
    // In the order in which they are known; the bench measures how long they take.
    const { findings, mock, missing, types } = answer.times;
    expect([findings, mock, missing, types]).toEqual(
      [findings, mock, missing, types].toSorted((one, other) => Number(one) - Number(other)),
    );
  });

  test('saves of one moment are answered together, and the answer is of the last one', async () => {
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
      text.replace('operationId: readWorkspaceRoles', 'operationId: listWorkspaceRoles'),
    );
    await project.edit('spec/schemas/organization.yaml', (text) => text.replace(', PAST]', ']'));
    const answer = await answerFrom(
      from,
      ({ missing, done, files }) =>
        done && missing?.length === 0 && files.includes('spec/schemas/organization.yaml'),
    );
    expect(answer.breaks?.changes).toEqual([]);
    expect(answer.types?.faults).toEqual([]);
    expect(design.lastSave - from).toBeLessThan(5);
    expect(await project.read('generated/openapi.json')).toContain('List the workspaces 8');
  });

  test('what spec:new adds leaves no finding, nothing missing and nothing that does not compile', async () => {
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
    // Saved after all that the command wrote, part by part: the answer to it is an answer to everything.
    await project.edit(users, (text) => `${text}# Saved last.\n`, 'by renaming');
    const answer = await answerFrom(from, ({ done, files }) => done && files.includes(users));
    expect(answer.findings).toEqual([]);
    expect(answer.missing).toEqual([]);
    expect(answer.breaks?.changes).toEqual([]);
    expect(answer.types).toMatchObject({ faults: [] });
    expect(await project.read('generated/operations.ts')).toContain('listTeams');
  });
});

test('complains neither on standard error nor in the browser', () => {
  expect(design.complaints).toBe('');
  expect(complaints).toEqual([]);
});

describe('the command', () => {
  const call = async (...args: string[]) => {
    const script = join(project.directory, 'scripts/design/main.ts');
    return run(process.execPath, [script, ...args], { cwd: project.directory }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };

  test('a port in use is one line, and exit code 1', async () => {
    const port = new URL(design.page).port;
    expect(await call('--port', port)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `design: port ${port} on 127.0.0.1 is in use; choose another with --port.\n`,
    });
    const mockPort = new URL(design.mock).port;
    expect(await call('--port', '0', '--mock-port', mockPort)).toMatchObject({
      code: 1,
      stderr: `design: port ${mockPort} on 127.0.0.1 is in use; choose another with --mock-port.\n`,
    });
  });

  test('a wrong option is one line, and exit code 1', async () => {
    expect(await call('--prot', '1')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: "design: Unknown option '--prot'; see --help.\n",
    });
    expect(await call('--port', 'x')).toMatchObject({
      code: 1,
      stderr: /^design: "x" is not a port; [^\n]*\n$/,
    });
  });

  test('--help tells every option', async () => {
    const { code, stdout } = await call('--help');
    expect(code).toBe(0);
    for (const option of ['--port', '--mock-port', '--json']) expect(stdout).toContain(option);
  });
});
