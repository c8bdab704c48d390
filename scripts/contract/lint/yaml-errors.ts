import { readFile } from 'node:fs/promises';
import { parseYaml } from '../../../server/src/manifest/source.ts';
import { type Finding, yamlRule } from './finding.ts';

/**
 * Moves the finding of a file that does not parse to the line that causes it: Redocly's parser reports the first line
 * that it cannot continue with, often the next one. Other findings are unchanged.
 */
export async function explainedYaml(finding: Finding, root: URL): Promise<Finding> {
  if (finding.rule !== yamlRule || !finding.message.startsWith('Failed to parse')) return finding;
  const text = await readFile(new URL(finding.file, root), 'utf8').catch(() => '');
  const conflict = text.search(/^<{7} /m);
  if (conflict >= 0) {
    const message = 'Failed to parse: an unresolved merge conflict begins here.';
    return { ...finding, line: lineOf(text, conflict), column: 1, message };
  }
  const { document, positionAt } = parseYaml(text);
  const [error] = document.errors;
  if (!error) return finding;
  const [offset] = error.pos;
  // A bracket that is not closed is noticed at the next line.
  const isOpen = /^Flow (?:map|sequence) in block/.test(error.message);
  const cause = isOpen ? Math.max(text.lastIndexOf('[', offset), text.lastIndexOf('{', offset)) : offset;
  const place = positionAt(cause);
  return place.line < finding.line ? { ...finding, ...place } : finding;
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length;
