import { readdir, readFile } from 'node:fs/promises';
import { type Document, isScalar, visit } from 'yaml';
import { parseYaml } from '../../../server/src/manifest/source.ts';
import { suggestion } from '../../../spec/rules/nearest.js';
import { type Finding, yamlRule } from './finding.ts';

const folder = 'spec/arazzo/';
const settings = 'redocly.yaml';

/** The rule of a step that calls an operation that the contract does not have. */
export const unknownOperationRule = 'arazzo-operation';

/** The checks of journeys that the linter, which sees one file at a time, cannot do. */
export type JourneyFiles = {
  findings: Finding[];
  /** Descriptions that the linter can read, relative to the root. */
  readable: string[];
};

/** Checks that each file of spec/arazzo/ parses and calls only operations of spec/paths/. */
export async function journeyFiles(root: URL): Promise<JourneyFiles> {
  const names = (await readdir(new URL(folder, root)).catch(() => [])).sort();
  const files = names.filter((name) => /\.ya?ml$/.test(name) && name !== settings);
  if (files.length === 0) return { findings: [], readable: [] };
  const known = await operationIds(root);
  const found: JourneyFiles = { findings: [], readable: [] };
  for (const file of files.map((name) => folder + name)) {
    const { document, positionAt } = parseYaml(await readFile(new URL(file, root), 'utf8'));
    const findingAt = (offset: number, rule: string, message: string): Finding => ({
      file,
      ...positionAt(offset),
      rule,
      message,
      severity: 'error',
    });
    const [error] = document.errors;
    if (error) {
      found.findings.push(findingAt(error.pos[0], yamlRule, `Failed to parse: ${error.message}`));
    } else if (!/^1\.\d/.test(String(document.get?.('arazzo')))) {
      const message = `${file} does not begin with \`arazzo: 1.0.1\`.`;
      found.findings.push(findingAt(0, 'arazzo', message));
    } else {
      found.readable.push(file);
      for (const { name, offset } of calls(document)) {
        if (known.has(name)) continue;
        const message = `\`${name}\` is not an operation of the contract.${suggestion(name, known)}`;
        found.findings.push(findingAt(offset, unknownOperationRule, message));
      }
    }
  }
  return found;
}

/** Read as text: there may be no bundle while the contract has findings of its own. */
async function operationIds(root: URL): Promise<Set<string>> {
  const paths = new URL('spec/paths/', root);
  const names = (await readdir(paths).catch(() => [])).filter((name) => /\.ya?ml$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, paths), 'utf8')));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\boperationId: *['"]?([\w.-]+)/g)].map(([, id = '']) => id)),
  );
}

function calls(document: Document.Parsed): { name: string; offset: number }[] {
  const found: { name: string; offset: number }[] = [];
  visit(document, {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || key.value !== 'operationId' || !isScalar(value)) return;
      // `$sourceDescriptions.platform.listUsers` is the long form.
      const name = String(value.value).replace(/^\$sourceDescriptions\.[^.]+\./, '');
      found.push({ name, offset: value.range?.[0] ?? 0 });
    },
  });
  return found;
}
