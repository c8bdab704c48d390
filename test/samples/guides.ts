import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { guideSamples } from '../../scripts/generate/samples/guides.ts';
import { routesOf } from '../../server/contract/index.ts';
import { runsElsewhere } from '../contract/snippets-elsewhere.ts';
import { demoPlatform } from '../support/demo.ts';
import { byPage, runShell, type Snippet, snippetsOfPage, stageFor } from '../support/snippets.ts';
import { scaledTimeout } from '../support/timeout.ts';
import type { SampleLanguage } from './stage.ts';

/** A shell block of a guide, and its equivalents by language if it is a request. */
interface GuideBlock {
  /** A name for a file or a package. */
  id: string;
  snippet: Snippet;
  samples: Record<string, string>;
}

/** The shell blocks of the guides that run on a platform alone, by page. */
export async function guideBlocks(): Promise<GuideBlock[][]> {
  const routes = routesOf(contract as unknown as Contract);
  const folder = 'spec/guides';
  const names = (await readdir(join(import.meta.dirname, '../..', folder))).sort();
  const pages = await Promise.all(names.map((name) => snippetsOfPage(`${folder}/${name}`)));
  const shell = pages
    .flat()
    .filter(({ language }) => language === 'sh')
    .filter(({ file, code }) => !runsElsewhere.some((one) => one.file === file && code.includes(one.holds)));
  return byPage(shell).map((page) =>
    page.map((snippet, index) => ({
      id: `${snippet.file.replace(/^.*\/|\.md$/g, '').replaceAll('-', '')}${index}`,
      snippet,
      samples: Object.fromEntries(
        guideSamples(snippet.code, routes).map(({ label, source }) => [label, source]),
      ),
    })),
  );
}

/**
 * Describes the tests of the requests that guides show: the blocks of a page run in one shell, and a program replaces
 * each request. Where later blocks use the response, the program runs after it.
 */
export async function describeGuides({ language, commandOf }: SampleLanguage): Promise<void> {
  const stage = await stageFor(await demoPlatform());
  const pages = (await guideBlocks()).filter((page) => page.some(({ samples }) => language in samples));

  describe('the requests of the guides', () => {
    test.each(pages.map((page) => ({ file: page[0]?.snippet.file, page })))(
      `of $file work in ${language}`,
      async ({ page }) => {
        const steps = page.flatMap(({ id, snippet, samples }) => {
          if (!(language in samples)) return [snippet];
          const code = commandOf(id)
            .map((word) => `'${word}'`)
            .join(' ');
          const program = { ...snippet, code };
          return snippet.code.startsWith('curl ') ? [program] : [snippet, program];
        });
        const outcomes = await runShell(steps, stage);
        expect(outcomes.flatMap(({ problem }) => (problem ? [problem.message] : []))).toEqual([]);
      },
      scaledTimeout(120_000),
    );
  });
}
