import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../command-line/run-command.ts';
import { regionsOf } from './regions.ts';

/** What a reader is shown of an operation. */
export interface Samples {
  /** By operationId. */
  shell: Record<string, string>;
  typeScript: Record<string, string>;
}

const importing = /^import\s+([^;'"]+?)\s+from\s+'([^'"]+)';$/gm;
/** What a test imports for itself. */
const forTests = /^(vitest$|\.)/;

/**
 * Reads the samples of a folder: one file of each kind for each resource, `users.sh` and `users.ts`. A TypeScript
 * sample begins with the imports that it needs, and with the region `client` of its file where it uses the client.
 *
 * @throws {CommandError} where the marks of a file are not in order, or two files have the same sample
 */
export async function readSamples(folder: string): Promise<Samples> {
  const samples: Samples = { shell: {}, typeScript: {} };
  for (const name of (await readdir(folder)).sort()) {
    const source = await readFile(join(folder, name), 'utf8');
    try {
      if (name.endsWith('.sh')) add(samples.shell, regionsOf(source));
      else if (/^[a-z][a-z0-9-]*\.ts$/.test(name)) add(samples.typeScript, typeScriptSamples(source));
    } catch (error) {
      throw new CommandError(`test/samples/${name}: ${(error as Error).message}`);
    }
  }
  return samples;
}

function add(samples: Record<string, string>, added: Record<string, string>): void {
  for (const [operationId, sample] of Object.entries(added)) {
    if (operationId in samples) throw new Error(`"${operationId}" has a sample in another file already.`);
    samples[operationId] = sample;
  }
}

/** The samples of a test file, each as a program of its own. */
export function typeScriptSamples(source: string): Record<string, string> {
  const { client, ...regions } = regionsOf(source);
  return Object.fromEntries(
    Object.entries(regions).map(([operationId, region]) => {
      const usesClient =
        client !== undefined && uses(region, 'client') && !/\b(const|let) client\b/.test(region);
      // What is set from the environment stands together.
      const gap = /^const \w+ = process\.env/.test(region) ? '\n' : '\n\n';
      const code = usesClient ? `${client}${gap}${region}` : region;
      return [operationId, `${importsFor(code, source)}${code}`];
    }),
  );
}

function importsFor(code: string, source: string): string {
  const lines = [...source.matchAll(importing)].flatMap(([, what = '', from = '']) => {
    if (forTests.test(from)) return [];
    const [, list = ''] = /\{([\s\S]*)\}/.exec(what) ?? [];
    const names = list.split(',').map((name) => name.trim());
    const used = names.filter((name) => name !== '' && uses(code, name.replace(/^type /, '')));
    return used.length > 0 ? [`import { ${used.join(', ')} } from '${from}';\n`] : [];
  });
  return lines.length > 0 ? `${lines.join('')}\n` : '';
}

const uses = (code: string, name: string) => new RegExp(`(?<![.\\w'])${name}\\b(?!')`).test(code);
