import { readdir, readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { parse } from 'yaml';
import { keysOf } from '../../../server/contract/index.ts';
import { pointerTo } from '../../../server/json/index.ts';
import { suggestion } from '../../../spec/rules/nearest.js';
import { type Finding, yamlRule } from './finding.ts';

/**
 * Adds the reference and the most similar name to the finding of an unresolved reference, for which Redocly reports only
 * `Can't resolve $ref`. A reference to an empty file becomes a finding about that file. Other findings are unchanged.
 *
 * @returns undefined for a finding at an alias, as there is one at its anchor
 */
export async function explained(finding: Finding, root: URL): Promise<Finding | undefined> {
  if (finding.rule !== 'no-unresolved-refs') return finding;
  const [before, after] = await textAt(finding, root).catch(() => ['', '']);
  if (before.endsWith('*')) return undefined;
  const gone = /^There is no (\S+)\.$/.exec(finding.message)?.[1];
  if (gone) return { ...finding, message: finding.message + (await nearestFile(gone, root)) };
  if (finding.message !== `Can't resolve $ref`) return finding;
  try {
    return await followed(finding, after, root);
  } catch {
    // Saved again meanwhile, or not YAML: the linter reports that.
    return finding;
  }
}

async function followed(finding: Finding, text: string, root: URL): Promise<Finding> {
  const [, reference] = /\$ref['"]? *: *['"]?([^\s'",}]+)/.exec(text) ?? [];
  if (!reference) return finding;
  const [path = '', pointer = ''] = reference.split('#');
  const file = path ? posix.join(posix.dirname(finding.file), path) : finding.file;
  const content: unknown = parse(await readFile(new URL(file, root), 'utf8'));
  if (content === null)
    return { ...finding, file, line: 1, column: 1, rule: yamlRule, message: `${file} is empty.` };
  return { ...finding, message: `\`${reference}\` leads nowhere: ${missingStep(content, pointer, file)}` };
}

/** The text of a line before a position, and that of the file from there. */
async function textAt({ file, line, column }: Finding, root: URL): Promise<[before: string, after: string]> {
  const text = await readFile(new URL(file, root), 'utf8');
  const [first = '', ...others] = text.split('\n').slice(line - 1);
  return [first.slice(0, column - 1), [first.slice(column - 1), ...others].join('\n')];
}

/** The first step of a pointer that does not exist. */
function missingStep(content: unknown, pointer: string, file: string): string {
  let node = content;
  let passed = '#';
  for (const key of keysOf(pointer)) {
    const keys = node !== null && typeof node === 'object' ? Object.keys(node) : [];
    if (!keys.includes(key)) {
      const inside = passed === '#' ? file : `\`${passed}\` of ${file}`;
      return `${inside} has no \`${key}\`.${suggestion(key, keys)}`;
    }
    node = (node as Record<string, unknown>)[key];
    passed += pointerTo(key);
  }
  return `its target in ${file} is not an object.`;
}

async function nearestFile(file: string, root: URL): Promise<string> {
  const folder = posix.dirname(file);
  const names = await readdir(new URL(`${folder}/`, root)).catch(() => []);
  return suggestion(posix.basename(file), names);
}
