import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SnippetVariables } from '../../../support/demo.ts';
import { snippetsOfPage } from '../../../support/snippets/snippet.ts';
import { execute } from '../execute.ts';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** The directory of the programs, one for each generator. */
const programs = fileURLToPath(new URL('.', import.meta.url));
const cache = join(root, 'node_modules/.cache/generators');

/** The download of the platform that all of them read. */
export const document = 'openapi-for-generators.json';

export interface Generator {
  /** Exact, because a new version of a generator is no change of this project. */
  version: string;
  /** Generators of the same name and version share an installation. */
  tools: string;
  /** The tools that must be on this machine, by their commands. */
  needs: Requirement[];
  /** What it and its client need, in a directory that is kept between runs. */
  install(directory: string, version: string): Promise<void>;
  /** Generates the client beside its program, compiles both and runs the program. */
  use(paths: Paths, variables: SnippetVariables): Promise<void>;
}

export interface Paths {
  /** Removed afterwards. */
  directory: string;
  /** Where `install` was run. */
  tools: string;
  /** The downloaded document. */
  contract: string;
}

/** What a machine may lack, and a command that fails without it. */
export type Requirement = { name: string; command: [string, ...string[]] };

const isRecent = 'import sys, venv; sys.exit(sys.version_info < (3, 10))';
export const python: Requirement = {
  name: 'python3 of version 3.10 or later',
  command: ['python3', '-c', isRecent],
};
export const go: Requirement = { name: 'Go', command: ['go', 'version'] };
export const java: Requirement = { name: 'Java', command: ['java', '-version'] };
export const maven: Requirement = { name: 'Maven', command: ['mvn', '-version'] };

/** The names of what this machine lacks. */
export async function missing(needs: readonly Requirement[]): Promise<string[]> {
  const names = await Promise.all(
    needs.map(async ({ name, command: [program, ...options] }) =>
      execute(program, options).then(
        () => [],
        () => [name],
      ),
    ),
  );
  return names.flat();
}

/** Installs a generator, unless an earlier run did. @returns the directory */
export async function installed({ tools, version, install }: Generator): Promise<string> {
  const directory = join(cache, `${tools}-${version}`);
  const done = join(directory, '.installed');
  const isThere = await access(done).then(
    () => true,
    () => false,
  );
  if (isThere) return directory;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await install(directory, version);
  await writeFile(done, '');
  return directory;
}

/**
 * Writes the program of a generator, with what the guide shows for it: paragraphs that import or declare something, and the
 * calls.
 *
 * @param program the name of its file in this directory
 */
export async function writeProgram(program: string, target: string): Promise<void> {
  const [, generator, language = ''] = /^([\w-]+)\.(\w+)/.exec(program) ?? [];
  const fence = { ts: 'ts', py: 'python', go: 'go', java: 'java' }[language];
  const shown = await snippetsOfPage('spec/guides/generators.md');
  const block = shown.find(({ language, claim }) => language === fence && claim === generator);
  if (!block) throw new Error(`The guide to generators has no ${fence} block named ${generator}.`);
  const paragraphs = block.code.split('\n\n');
  const isDeclaration = (text: string) => /^(?:import|from|type|func)\b/.test(text);
  const declarations = paragraphs.filter(isDeclaration).join('\n\n');
  const calls = paragraphs.filter((text) => !isDeclaration(text)).join('\n\n');
  const text = await readFile(join(programs, program), 'utf8');
  const whole = text
    .replace(/^(?:\/\/|#) The declarations of the guide\.$/m, () => declarations)
    .replace(/^([ \t]*)(?:\/\/|#) The calls of the guide\.$/m, (_, indentation: string) =>
      calls.replace(/^(?=.)/gm, indentation),
    );
  await writeFile(target, whole);
}

/**
 * The options of the command that the guide shows for a generator, so that CI runs what readers run.
 *
 * @param row how the generator's row begins
 * @param program the word before the options
 * @param contract the path of the document, which is openapi.json in the guide
 */
export async function shownOptions(row: string, program: string, contract: string): Promise<string[]> {
  const guide = await readFile(join(root, 'spec/guides/generators.md'), 'utf8');
  const found = guide
    .split('\n')
    .find((line) => /^\| \[?/.test(line) && line.replace('[', '').startsWith(`| ${row}`));
  const [, command] = /`([^`]+)` \|$/.exec(found ?? '') ?? [];
  if (!command) throw new Error(`The guide to generators has no row that begins with ${row}.`);
  const words = command.split(' ');
  const last = words.findLastIndex((word) => word.split('@')[0]?.split('=')[0]?.endsWith(program));
  return words.slice(last + 1).map((word) => (word === 'openapi.json' ? contract : word));
}

/** Creates a virtual environment with packages of Python. */
export async function installPython(packages: readonly string[], directory: string): Promise<void> {
  await execute('python3', ['-m', 'venv', directory]);
  const pip = ['install', '--quiet', '--disable-pip-version-check', ...packages];
  await execute(join(directory, 'bin/pip'), pip, { timeout: 180_000 });
}
