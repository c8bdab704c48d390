import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CommandError } from '../../command-line/command.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import { bundleContract, type Contract } from '../../contract/source.ts';
import { lastRelease, releases } from '../breaking/releases.ts';

const run = promisify(execFile);

/** A contract with a display name. */
export type Source = { name: string; contract: Contract };

/** The last release. @throws {CommandError} if there is none */
export async function lastReleased(directory = releases): Promise<Source> {
  const last = await lastRelease(directory);
  if (last) return { name: last.version, contract: last.contract };
  throw new CommandError('spec/releases/ has no released contract yet; name a version to compare with.');
}

/** The contract as it is in spec/. @throws {CommandError} if it cannot be bundled */
export async function workingTree(redocly: Redocly): Promise<Source> {
  const contract = await bundleContract(redocly).catch(() => {
    throw new CommandError('spec/ cannot be bundled; `npm run generate` shows where.');
  });
  return { name: 'the working tree', contract };
}

/**
 * A contract by name: a released version (`3.0.0`), a bundled document (`old.json`), or a Git revision (`HEAD~3`), whose
 * generated/openapi.json is read.
 * @throws {CommandError} if it is none of these
 */
export async function sourceNamed(name: string, root: URL): Promise<Source> {
  if (/^\d+\.\d+\.\d+$/.test(name)) {
    const text = await readFile(new URL(`${name}.json`, releases), 'utf8').catch(() => {
      throw new CommandError(`${name} was never released: spec/releases/${name}.json does not exist.`);
    });
    return { name, contract: parsed(text, name) };
  }
  if (name.endsWith('.json')) {
    const file = resolve(process.env['INIT_CWD'] ?? '', name);
    const text = await readFile(file, 'utf8').catch(() => {
      throw new CommandError(`${name} cannot be read.`);
    });
    return { name, contract: parsed(text, name) };
  }
  const { stdout } = await run('git', ['show', '--end-of-options', `${name}:generated/openapi.json`], {
    cwd: fileURLToPath(root),
    maxBuffer: 64 << 20,
  }).catch(() => {
    throw new CommandError(`"${name}" is not a released version, a .json file or a Git revision.`);
  });
  return { name, contract: parsed(stdout, name) };
}

function parsed(text: string, name: string): Contract {
  try {
    const contract = JSON.parse(text);
    if (contract?.openapi && contract.paths && contract.components) return contract;
  } catch {
    // The error is thrown below.
  }
  throw new CommandError(`${name} is not a bundled OpenAPI document.`);
}
