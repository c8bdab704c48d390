/**
 * Renames or moves a part of the contract, wherever it is written.
 *
 *   npm run spec:rename -- operation reinstateUser readmitUser
 *   npm run spec:rename -- schema JobTitle Position
 *   npm run spec:rename -- field Workspace.workspaceType purpose
 *   npm run spec:move -- schema JobTitle spec/schemas/titles.yaml
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Argument, CommandError, command, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { bundleContract, type Contract, formatFinding, lintContract } from '../../contract/source.ts';
import { isNextMajor } from '../breaking/breaks.ts';
import { lastRelease } from '../breaking/releases.ts';
import { ArgumentError, type Edits, editsOf } from './edits.ts';
import { movable, planMove } from './move.ts';
import { type Kind, kinds, namesIn, planRename } from './rename.ts';

const root = new URL('../../../', import.meta.url);
const dryRun = ['--dry-run', 'write nothing; print the files and lines that would change'] as const;

const renaming = command('spec:rename')
  .description(
    `Renames a part of the contract in spec/, the server, the client and the tests.
A name of the last release is in the code of its clients: renaming it needs --breaking.
Exit code 1: refused; 2: wrong arguments.`,
  )
  .addArgument(new Argument('<kind>', 'what to rename').choices(kinds))
  .argument('<old>', 'its name; a field is Schema.field, and a parameter is in a path or a query')
  .argument('<new>', 'the new name; that of a field is without its schema')
  .option(...dryRun)
  .option('--everywhere', 'rename a field of several resources in all of them')
  .option('--breaking', 'rename it although that breaks clients of the last release')
  .action(async (kind, from, to, { dryRun, breaking, everywhere = false }) => {
    const contract = await soundContract();
    const edits = editsOf(root);
    const notes = planOrExit(renaming, () =>
      planRename(kind, { root, edits, contract, from, to, everywhere }),
    );
    if (!breaking) await refuseReleased(kind, from, contract);
    await finish(edits, isDry(dryRun), { notes });
  });

const moving = command('spec:move')
  .description(
    `Moves a schema, or the path item of an operation, to another file. The contract stays as it is.
Exit code 1: refused; 2: wrong arguments.`,
  )
  .addArgument(new Argument('<kind>', 'what to move').choices(movable))
  .argument('<name>', 'the name of the schema, or the operationId')
  .argument('<file>', 'a new or existing file, such as spec/schemas/titles.yaml')
  .option(...dryRun)
  .action(async (kind, name, file, { dryRun }) => {
    const contract = await soundContract();
    const edits = editsOf(root);
    planOrExit(moving, () => planMove(kind, { edits, contract, name, file }));
    await finish(edits, isDry(dryRun), { same: contract });
  });

// npm takes the option for its own if it stands before the `--`.
const isDry = (option?: true) => option === true || process.env['npm_config_dry_run'] === 'true';

function planOrExit<Planned>(cli: { error(message: string): never }, plan: () => Planned): Planned {
  try {
    return plan();
  } catch (error) {
    if (error instanceof ArgumentError) return cli.error(error.message);
    throw error;
  }
}

/** The contract. @throws {CommandError} if it has findings: places could be missed */
async function soundContract(): Promise<Contract> {
  using redocly = openRedocly(root);
  const [finding] = await lintContract(root, redocly);
  if (finding) throw new CommandError(`fix spec/ first: ${formatFinding(finding)}`);
  return await bundleContract(redocly);
}

async function refuseReleased(kind: Kind, name: string, contract: Contract): Promise<void> {
  const last = await lastRelease();
  if (!last || isNextMajor(last.version, contract)) return;
  // A field is renamed in all schemas of its resource.
  const isSame = (one: string) =>
    kind === 'field' ? one.endsWith(name.slice(name.indexOf('.'))) : one === name;
  if (![...namesIn(kind, last.contract)].some(isSame)) return;
  throw new CommandError(
    `${name} is in ${last.version}, so that clients use the name; --breaking renames it all the same.`,
  );
}

type Ending = {
  /** The contract that must not change. */
  same?: Contract;
  notes?: string[];
};

/** Prints the changes, and writes them. */
async function finish(edits: Edits, isDry: boolean, { same, notes = [] }: Ending): Promise<void> {
  const changes = edits.changes();
  const lines = changes.flatMap((change) => linesOf(edits, change));
  if (isDry) console.log(lines.join('\n'));
  const places = edits.places();
  if (!isDry) await write(edits, same);
  const count = lines.filter((line) => line.startsWith('  + ')).length;
  console.log(`${isDry ? 'Would change' : 'Changed'} ${count} lines in ${changes.length} files.`);
  for (const note of notes) console.log(note);
  if (places.length > 0) console.log(`Look at these: they may mean another name.\n  ${places.join('\n  ')}`);
  console.log(isDry ? 'Nothing was written.' : 'Now run npm run generate and npm test.');
}

/** The lines that a file loses and gains. */
function linesOf(edits: Edits, { file, after }: { file: string; after: string }): string[] {
  const before = existsSync(new URL(file, root)) ? edits.read(file) : '';
  const only = (text: string, other: string) => {
    const known = new Set(other.split('\n'));
    return text.split('\n').filter((line) => line.trim() !== '' && !known.has(line));
  };
  return [
    file,
    ...only(before, after).map((line) => `  - ${line}`),
    ...only(after, before).map((line) => `  + ${line}`),
  ];
}

/** Writes all files, or none if the contract would change. */
async function write(edits: Edits, same?: Contract): Promise<void> {
  const undo = await edits.write();
  if (same) {
    using redocly = openRedocly(root);
    const now = await bundleContract(redocly).catch(() => undefined);
    if (JSON.stringify(now) !== JSON.stringify(same)) {
      await undo();
      throw new CommandError('the contract would change, so that nothing was written.');
    }
  }
  const biome = fileURLToPath(new URL('node_modules/@biomejs/biome/bin/biome', root));
  const code = edits.changes().flatMap(({ file }) => (/\.tsx?$/.test(file) ? file : []));
  if (code.length === 0) return;
  await promisify(execFile)(process.execPath, [biome, 'check', '--write', ...code], {
    cwd: fileURLToPath(root),
  });
}

const [tool, ...args] = process.argv.slice(2);
const program = tool === 'move' ? moving : renaming;
program.exitOverride((error) => {
  if (error.exitCode !== 0) error.exitCode = 2;
  throw error;
});
await run(program, args);
