import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { crashRule, grouped, type ReportedFinding } from '../contract/lint/finding.ts';
import { openRedocly } from '../contract/redocly/redocly.ts';
import { lintContract } from '../contract/source.ts';
import type { Sources } from './sources.ts';

/**
 * Lints unsaved texts. The linter reads files, so it gets a copy of the contract with these texts, in a temporary
 * directory that `close` removes.
 */
export function openEditorLinter(root: URL) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'wrp-editor-')));
  const copy = pathToFileURL(`${directory}/`);
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(directory, 'node_modules'), 'junction');
  const redocly = openRedocly(copy);
  const releases = fileURLToPath(new URL('spec/releases', root));

  async function write({ open }: Sources): Promise<void> {
    await rm(new URL('spec', copy), { recursive: true, force: true });
    const filter = (path: string) => path !== releases;
    for (const name of ['spec', 'redocly.yaml', 'package.json'])
      await cp(new URL(name, root), new URL(name, copy), { recursive: true, filter });
    for (const [file, document] of open) await writeFile(new URL(file, copy), document.getText());
  }

  return {
    /** One call at a time. An error of the linter itself is a finding. */
    async lint(sources: Sources): Promise<ReportedFinding[]> {
      try {
        await write(sources);
        return grouped(await lintContract(copy, redocly));
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return [{ file: 'redocly.yaml', line: 1, column: 1, rule: crashRule, message, severity: 'error' }];
      }
    },
    /** Loads changed lint rules. */
    restart: redocly.restart,
    close() {
      redocly.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
