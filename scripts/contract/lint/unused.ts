import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from './finding.ts';

const entry = 'spec/openapi.yaml';
const rule = 'unused';

/**
 * Finds definitions that nothing refers to: a path, webhook, schema, example or guide. The linter does not see them,
 * because it follows references.
 */
export async function unusedEntries(root: URL): Promise<Finding[]> {
  const names = await readdir(fileURLToPath(new URL('spec/', root)), { recursive: true });
  const files = names
    .map((name) => `spec/${name.replaceAll('\\', '/')}`)
    .filter(
      (name) => /\.(?:ya?ml|md)$/.test(name) && !/^spec\/(?:arazzo|releases)\//.test(name) && name !== entry,
    )
    .sort();
  const sources = await Promise.all(
    [entry, ...files].map(async (file) => ({ file, text: await readFile(new URL(file, root), 'utf8') })),
  );
  const used = new Set(sources.flatMap(({ file, text }) => referencesIn(file, text)));
  return sources
    .filter(({ file }) => file !== entry)
    .flatMap(({ file, text }): Finding[] => {
      const at = { file, line: 1, column: 1, rule, severity: 'error' as const };
      if (file.endsWith('.md')) {
        if (used.has(file)) return [];
        return [{ ...at, message: `No tag has this guide as its description: refer to it from ${entry}.` }];
      }
      return [...text.matchAll(/^([\w.-]+):/gm)]
        .filter(([, name]) => !used.has(`${file} ${name}`))
        .map(({ 1: name, index }) => ({
          ...at,
          line: text.slice(0, index).split('\n').length,
          message: `Nothing refers to \`${name}\`: ${adviceFor(file)}, or remove it.`,
        }));
    });
}

/** What a file refers to: a whole file, or an entry of one. */
function referencesIn(file: string, text: string): string[] {
  return [...text.matchAll(/\$ref['"]? *: *['"]?([^\s'",}]+)/g)].map(([, reference = '']) => {
    const [path = '', pointer = ''] = reference.split('#');
    const target = path ? posix.join(posix.dirname(file), path) : file;
    return pointer ? `${target} ${pointer.split('/')[1]}` : target;
  });
}

function adviceFor(file: string): string {
  return /^spec\/(?:paths|webhooks)\//.test(file) ? `add it to ${entry}` : 'refer to it';
}
