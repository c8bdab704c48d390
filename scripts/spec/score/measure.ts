import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import type { Report } from './report.ts';

/**
 * Redocly's report on the bundled contract. In the source it would count a response that is a YAML alias of another one
 * as a response without a schema.
 *
 * @throws if the contract cannot be scored, with Redocly's reason
 */
export async function reportOn(contract: Contract, redocly: Redocly): Promise<Report> {
  await using directory = await temporaryDirectory('score');
  const file = join(directory.path, 'openapi.json');
  await writeFile(file, JSON.stringify(contract));
  const { code, stdout, stderr } = await redocly.run(['score', file, '--format', 'json']);
  if (code === 0) return JSON.parse(stdout) as Report;
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('scoring'));
  throw new Error(lines[0] ?? 'no reason given');
}
