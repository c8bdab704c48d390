import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { scaledTimeout } from '../support/timeout.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../', import.meta.url));
const project = await copyOfTheProject();
afterAll(() => rm(project, { recursive: true, force: true }));

const minute = 60_000;

test(
  'a scaffolded resource has 10 files of its own, and passes every check and its own tests unchanged',
  async () => {
    const before = await filesOf(project);
    await npm('npm run spec:new -- resource invoices --in workspace');
    const changed = changesBetween(before, await filesOf(project));
    expect(changed.filter(({ isNew }) => isNew)).toHaveLength(10);
    expect(changed.filter(({ isNew }) => !isNew)).toHaveLength(7);
    await generate();
    // The update of another kind, and only the operations that are asked for.
    await npm('npm run spec:new -- resource receipts --operations get,create,update --patch');
    await generate();
    await check();
    await vitest(
      'test/endpoints/invoices.test.ts',
      'test/endpoints/receipts.test.ts',
      'test/samples/samples.test.ts',
      'test/storage/tables.test.ts',
      'test/sweeps/authorization.test.ts',
      'test/sweeps/errors.test.ts',
      'test/sweeps/examples.test.ts',
      'test/contract/proxy.slow.test.ts',
      'test/contract/guides.test.ts',
    );
  },
  scaledTimeout(15 * minute),
);

test(
  'a scaffolded field has 5 files, and passes every check and its own tests unchanged',
  async () => {
    const before = await filesOf(project);
    await npm('npm run spec:new -- field users/nickname');
    expect(changesBetween(before, await filesOf(project))).toHaveLength(5);
    await npm('npm run spec:new -- field invoices/dueDateTime --type date-time');
    await npm('npm run spec:new -- field invoices/currency --enum EUR,USD --example USD');
    await npm('npm run spec:new -- field invoices/number --pattern ^[A-Z]+-[0-9]+$ --example R-7');
    await generate();
    await check();
    await vitest(
      'test/endpoints/users.test.ts',
      'test/endpoints/invoices.test.ts',
      'test/sweeps/examples.test.ts',
      'test/storage/tables.test.ts',
    );
  },
  scaledTimeout(15 * minute),
);

test(
  'a scaffolded operation of the new resource compiles, and looks up its object',
  async () => {
    await npm('npm run spec:new -- invoices/archiveInvoice post /invoices/{invoiceId}/archive');
    await generate();
    await check();
  },
  scaledTimeout(5 * minute),
);

test(
  'an operation that is deprecated with its dates is announced in responses, and released as a minor version',
  async () => {
    const file = join(project, 'spec/paths/invoices.yaml');
    const paths = await readFile(file, 'utf8');
    const dates = "deprecated: true\n    x-deprecated-since: '2026-11-01'\n    x-sunset: '2027-11-01'";
    await writeFile(
      file,
      paths.replace('\n    operationId: getInvoice\n', `\n    operationId: getInvoice\n    ${dates}\n`),
    );
    await generate();
    const { stdout } = await npm('npm run spec:release -- minor', '--json', '--summary', 'Invoices.');
    expect(JSON.parse(stdout)).toMatchObject({
      level: 'minor',
      entry: expect.stringContaining('getInvoice'),
    });
    await check();
  },
  scaledTimeout(5 * minute),
);

/** Runs an npm script as CONTRIBUTING.md names it, without its preparation. */
function npm(command: string, ...options: string[]) {
  const [, , script = '', , ...args] = command.split(' ');
  return node(`scripts/${script.replace(':', '/')}/main.ts`, ...args, ...options);
}

const check = () => node('scripts/check/main.ts');

async function generate(): Promise<void> {
  for (const tool of ['main', 'tables/main', 'samples/main']) await node(`scripts/generate/${tool}.ts`);
}

const vitest = (...files: string[]) =>
  node('node_modules/vitest/vitest.mjs', 'run', '--project', 'quick', '--project', 'slow', ...files);

/** Runs a command in the copy. @throws with its output if it fails */
async function node(...args: string[]) {
  const path = `${join(project, 'node_modules/.bin')}:${process.env['PATH']}`;
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS)/.test(name));
  return run(process.execPath, args, {
    cwd: project,
    env: { ...Object.fromEntries(inherited), PATH: path },
    maxBuffer: 1 << 26,
  }).catch((error) => {
    throw new Error(`node ${args.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
  });
}

/** Every hand-written file, with its text. */
async function filesOf(directory: string): Promise<Map<string, string>> {
  const folders = ['spec', 'server', 'client/src', 'scripts', 'test'];
  const found = new Map<string, string>();
  for (const folder of folders) {
    const entries = await readdir(join(directory, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile() && !one.parentPath.includes('node_modules'))) {
      const file = join(entry.parentPath, entry.name);
      found.set(file, await readFile(file, 'utf8'));
    }
  }
  return found;
}

function changesBetween(before: Map<string, string>, after: Map<string, string>) {
  return [...after]
    .filter(([file, text]) => before.get(file) !== text)
    .map(([file]) => ({ file, isNew: !before.has(file) }));
}

/** A copy without build output, with this project's packages but its own workspaces. */
async function copyOfTheProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'wrp-spec-new-'));
  const skipped = ['node_modules', '.git', '.cache', 'data'];
  for (const name of await readdir(source)) {
    if (skipped.includes(name)) continue;
    await cp(join(source, name), join(copy, name), {
      recursive: true,
      filter: (file) => !file.includes('/node_modules'),
    });
  }
  await linkEntries('node_modules', copy);
  const { workspaces } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  await mkdir(join(copy, 'node_modules/@wrp'));
  for (const path of workspaces) {
    await symlink(join(copy, path), join(copy, 'node_modules/@wrp', basename(path)));
    await linkEntries(`${path}/node_modules`, copy).catch(() => {});
  }
  return copy;
}

async function linkEntries(folder: string, copy: string): Promise<void> {
  const names = await readdir(join(source, folder));
  await mkdir(join(copy, folder));
  for (const name of names.filter((one) => !['@wrp', '.cache', '.vite'].includes(one))) {
    await symlink(join(source, folder, name), join(copy, folder, name));
  }
}
