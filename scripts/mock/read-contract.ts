import { readFile } from 'node:fs/promises';
import { CommandError } from '../command-line/command.ts';
import type { Contract } from '../contract/source.ts';
import { isGenerated } from '../prepare/source-digest.mjs';

/**
 * The contract of `spec/`, read from `generated/` if that is up to date.
 *
 * @throws {CommandError} if the source has errors, which are printed
 */
export async function readContract(root: URL): Promise<Contract> {
  if (isGenerated()) return JSON.parse(await readFile(new URL('generated/openapi.json', root), 'utf8'));
  // Loading the linter takes longer than the rest of the start.
  const { openRedocly } = await import('../contract/redocly/redocly.ts');
  const { checkContract } = await import('./watch-contract.ts');
  using redocly = openRedocly(root);
  const saved = await checkContract(root, redocly);
  if ('contract' in saved) return saved.contract;
  for (const finding of saved.findings) console.error(finding);
  throw new CommandError(`the contract has errors: fix ${saved.findings.length} in spec/.`);
}
