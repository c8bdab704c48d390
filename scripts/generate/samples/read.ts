import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../command-line/command.ts';

/** The code samples of every operation. */
export interface Samples {
  /** By operationId. */
  shell: Record<string, string>;
  typeScript: Record<string, string>;
}

const importing = /^import\s+([^;'"]+?)\s+from\s+'([^'"]+)';$/gm;
/** Modules that only the test needs. */
const forTests = /^(vitest$|\.)/;
const region = /^([ \t]*)(?:\/\/|)#region (\S+)\n([\s\S]*?)^[ \t]*(?:\/\/|)#endregion$/gm;

/**
 * Reads the samples of a folder: two files for each resource, `users.sh` and `users.ts`. A TypeScript sample begins
 * with the imports that it needs, and with the region `client` of its file if it uses the client.
 *
 * @throws {CommandError} if the markers of a file do not match, or two files have the same sample
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
    if (operationId in samples) throw new Error(`"${operationId}" already has a sample in another file.`);
    samples[operationId] = sample;
  }
}

/** The samples of a test file, each a complete program. */
export function typeScriptSamples(source: string): Record<string, string> {
  const { client, ...regions } = regionsOf(source);
  return Object.fromEntries(
    Object.entries(regions).map(([operationId, region]) => {
      const usesClient =
        client !== undefined && uses(region, 'client') && !/\b(const|let) client\b/.test(region);
      // Constants from the environment stay one block.
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

/**
 * The regions of a source: `//#region name` to `//#endregion` in TypeScript, `#region name` to `#endregion` in a shell
 * script, without the indentation of the markers.
 *
 * @throws if two regions have one name, or a region has no end
 */
export function regionsOf(source: string): Record<string, string> {
  const regions: Record<string, string> = {};
  for (const [, indentation = '', name = '', body = ''] of source.matchAll(region)) {
    if (name in regions) throw new Error(`There are two regions "${name}".`);
    if (body.includes('#region ')) throw new Error(`The region "${name}" has no end.`);
    regions[name] = body
      .split('\n')
      .map((line) => (line.startsWith(indentation) ? line.slice(indentation.length) : line))
      .join('\n')
      .trim();
  }
  return regions;
}
