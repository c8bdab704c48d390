/** The code blocks of the documentation, for snippets.test.ts and snippets.slow.test.ts. */

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { type DemoPlatform, demoPlatform } from '../support/demo.ts';
import {
  placeOf,
  type Snippet,
  type SnippetError,
  type Stage,
  snippetsOfPage,
  snippetsOfYaml,
  stageFor,
} from '../support/snippets.ts';
import { atEnd } from '../support/temporary.ts';
import { runsElsewhere } from './snippets-elsewhere.ts';
import { wrongSnippets } from './wrong-snippets.ts';

const guides = (await readdir(join(import.meta.dirname, '../../spec/guides'))).filter((name) =>
  name.endsWith('.md'),
);
const packages = (await readdir(join(import.meta.dirname, '../../server'))).filter((name) =>
  existsSync(join(import.meta.dirname, `../../server/${name}/README.md`)),
);
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'client/README.md',
  'scripts/portal/pages/frontends.md',
  ...packages.map((name) => `server/${name}/README.md`),
  ...guides.map((name) => `spec/guides/${name}`),
];
/** Every block. */
export const shown = [...(await Promise.all(pages.map(snippetsOfPage))), await snippetsOfYaml('spec')].flat();

const isElsewhere = ({ file, code }: Snippet) =>
  runsElsewhere.some((elsewhere) => elsewhere.file === file && code.includes(elsewhere.holds));
/** Every block that is run, and invalid ones. */
export const snippets = [...shown.filter((snippet) => !isElsewhere(snippet)), ...wrongSnippets];
/** The pages that a newcomer follows first: `npm test` runs their blocks. */
const first = ['README.md', 'spec/guides/quick-start.md'];

/** @param which those of the first pages, or all others */
function written(languages: string[], which: 'first' | 'others'): Snippet[] {
  return snippets.filter(
    ({ file, language }) => languages.includes(language) && first.includes(file) === (which === 'first'),
  );
}

export const inShell = (which: 'first' | 'others') => written(['sh', 'bash'], which);
export const inNode = (which: 'first' | 'others') => written(['ts', 'typescript', 'js', 'javascript'], which);

/** Only the intended errors exist, and all of them are found. */
export function expectOnly(problems: (SnippetError | undefined)[], expected: string[]): void {
  const seen = problems
    .filter((problem) => problem !== undefined)
    .map(({ snippet, message }) => ({ snippet, text: `${placeOf(snippet)} ${message}` }));
  const { true: meant = [], false: found = [] } = Object.groupBy(seen, ({ snippet }) =>
    String(wrongSnippets.includes(snippet)),
  );
  expect(found.map(({ text }) => text)).toEqual([]);
  const unexpected = meant.filter(({ text }) => !expected.some((beginning) => text.startsWith(beginning)));
  const missed = expected.filter((beginning) => !meant.some(({ text }) => text.startsWith(beginning)));
  expect({ unexpected: unexpected.map(({ text }) => text), missed }).toEqual({ unexpected: [], missed: [] });
}

/** A platform and a mock for the blocks to call. They end with the test file. */
export async function startStage(): Promise<{ platform: DemoPlatform; stage: Stage }> {
  const platform = await demoPlatform();
  const { server } = await createMock(contract as unknown as Contract);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEnd(() => void server.close());
  const mockUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { platform, stage: await stageFor(platform, mockUrl) };
}
