import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { readSamples } from '../../scripts/generate/samples/read.ts';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { demoPlatform } from '../support/demo.ts';
import { hangBound } from '../support/hang-bound.ts';
import { capturedMessage } from '../support/snippets/captured-message.ts';
import {
  byPage,
  demandKnown,
  documentErrors,
  placeOf,
  runPrograms,
  runShell,
  type Snippet,
  type SnippetError,
  type Stage,
  snippetsOfPage,
  snippetsOfYaml,
  stageFor,
  typeErrors,
} from '../support/snippets.ts';
import { runsElsewhere } from './snippets-elsewhere.ts';
import { expectedFaults, wrongSnippets } from './wrong-snippets.ts';

const guides = (await readdir(join(import.meta.dirname, '../../spec/guides'))).filter((name) =>
  name.endsWith('.md'),
);
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'client/README.md',
  ...guides.map((name) => `spec/guides/${name}`),
];
const shown = [...(await Promise.all(pages.map(snippetsOfPage))), await snippetsOfYaml('spec')].flat();

const isElsewhere = ({ file, code }: Snippet) =>
  runsElsewhere.some((elsewhere) => elsewhere.file === file && code.includes(elsewhere.holds));
const snippets = [...shown.filter((snippet) => !isElsewhere(snippet)), ...wrongSnippets];
const of = (...languages: string[]) => snippets.filter(({ language }) => languages.includes(language));

/** Those that the portal shows beside the operations: test/samples runs them, without the imports. */
async function typeScriptSamples(): Promise<Snippet[]> {
  const { typeScript } = await readSamples(join(import.meta.dirname, '../samples'));
  return Object.entries(typeScript).map(([operationId, code]) => {
    return { file: `sample of ${operationId}`, line: 1, language: 'ts', claim: '', code };
  });
}

/** Only the intended errors exist, and all of them are found. */
function expectOnly(problems: (SnippetError | undefined)[], expected: string[]): void {
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

describe('a code block of the documentation', () => {
  let stage: Stage;
  let platform: Awaited<ReturnType<typeof demoPlatform>>;
  beforeAll(async () => {
    platform = await demoPlatform();
    const { server } = await createMock(contract as unknown as Contract);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    afterAll(() => void server.close());
    stage = await stageFor(platform, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

  test('is of a language that can be tested', () => {
    expectOnly(demandKnown(snippets), expectedFaults.kinds);
  });

  test('is valid JSON, YAML or HTTP where it claims to be', () => {
    expectOnly(documentErrors(snippets), expectedFaults.documents);
  });

  test(
    'runs in a shell',
    async () => {
      const outcomes = await Promise.all(byPage(of('sh', 'bash')).map((page) => runShell(page, stage)));
      expectOnly(
        outcomes.flat().map(({ problem }) => problem),
        expectedFaults.shell,
      );
    },
    hangBound(120_000),
  );

  test(
    'compiles and runs in Node',
    async () => {
      const message = await capturedMessage(platform);
      const code = of('ts', 'typescript', 'js', 'javascript');
      const programs = await runPrograms(code, stage, { message, unrun: await typeScriptSamples() });
      expectOnly(programs.problems, expectedFaults.programs);
      expectOnly(await typeErrors(programs), expectedFaults.types);
    },
    hangBound(120_000),
  );

  test('still exists if it is excepted here', () => {
    const gone = runsElsewhere.filter(
      ({ file, holds }) => !shown.some((one) => one.file === file && one.code.includes(holds)),
    );
    expect(gone, 'take what is gone off the list in snippets-elsewhere.ts').toEqual([]);
  });
});
