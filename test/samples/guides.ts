import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { guideSamples } from '../../scripts/generate/samples/guides.ts';
import { routesOf } from '../../server/contract/index.ts';
import { runsElsewhere } from '../contract/snippets-elsewhere.ts';
import { demoPlatform } from '../support/demo.ts';
import { byPage, runShell, type Snippet, snippetsOfPage, stageFor } from '../support/snippets.ts';
import { scaledTimeout } from '../support/timeout.ts';

/** That of the user: tests change `HOME`, and a new cache takes minutes to fill. */
const goCache = process.env['GOCACHE'] ?? join(homedir(), '.cache/go-build');

/** The shell blocks of the guides that run on a platform alone, with their requests in a language, by page. */
async function guideBlocks(language: string): Promise<Snippet[][]> {
  const routes = routesOf(contract as unknown as Contract);
  const folder = 'spec/guides';
  const names = (await readdir(join(import.meta.dirname, '../..', folder))).sort();
  const pages = await Promise.all(names.map((name) => snippetsOfPage(`${folder}/${name}`)));
  const shell = pages
    .flat()
    .filter(({ language }) => language === 'sh')
    .filter(({ file, code }) => !runsElsewhere.some((one) => one.file === file && code.includes(one.holds)))
    .map((snippet) => {
      const code = guideSamples(snippet.code, routes).find(({ label }) => label === language)?.source;
      return { isConverted: code !== undefined, snippet: { ...snippet, code: code ?? snippet.code } };
    });
  const converted = new Set(shell.flatMap((one) => (one.isConverted ? [one.snippet.file] : [])));
  return byPage(shell.map(({ snippet }) => snippet).filter(({ file }) => converted.has(file)));
}

/** Describes the tests of what readers paste into a shell who choose the tab of a language, block by block. */
export async function describeGuides(language: string, interpreter: string): Promise<void> {
  const stage = await stageFor(await demoPlatform());
  const { environment } = stage;
  environment['PATH'] = `${dirname(interpreter)}:${environment['PATH']}`;
  environment['GOCACHE'] = goCache;
  const pages = (await guideBlocks(language)).map((page) => ({ file: page[0]?.file, page }));

  describe('the requests of the guides', () => {
    test.each(pages)(
      `of $file work in ${language}`,
      async ({ page }) => {
        const outcomes = await runShell(page, stage);
        expect(outcomes.flatMap(({ problem }) => (problem ? [problem.message] : []))).toEqual([]);
      },
      scaledTimeout(120_000),
    );
  });
}
