import { join } from 'node:path';
import { beforeAll, describe, test } from 'vitest';
import { readSamples } from '../../scripts/generate/samples/read.ts';
import { capturedMessage } from '../support/snippets/captured-message.ts';
import { byPage, runPrograms, runShell, type Snippet, typeErrors } from '../support/snippets.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { expectOnly, inNode, inShell, startStage } from './documented-snippets.ts';
import { expectedProblems } from './wrong-snippets.ts';

/** The samples that the portal shows beside the operations: test/samples runs them, without the imports. */
async function typeScriptSamples(): Promise<Snippet[]> {
  const { typeScript } = await readSamples(join(import.meta.dirname, '../samples'));
  return Object.entries(typeScript).map(([operationId, code]) => {
    return { file: `sample of ${operationId}`, line: 1, language: 'ts', claim: '', code };
  });
}

describe('a code block of the documentation', () => {
  let started: Awaited<ReturnType<typeof startStage>>;
  beforeAll(async () => {
    started = await startStage();
  });

  test(
    'runs in a shell',
    async () => {
      const pages = byPage(inShell('others'));
      const outcomes = await Promise.all(pages.map((page) => runShell(page, started.stage)));
      expectOnly(
        outcomes.flat().map(({ problem }) => problem),
        expectedProblems.shell,
      );
    },
    scaledTimeout(120_000),
  );

  test(
    'compiles and runs in Node',
    async () => {
      const message = await capturedMessage(started.platform);
      // snippets.test.ts runs the first pages.
      const unrun = [...inNode('first'), ...(await typeScriptSamples())];
      const programs = await runPrograms(inNode('others'), started.stage, { message, unrun });
      expectOnly(programs.problems, expectedProblems.programs);
      expectOnly(await typeErrors(programs), expectedProblems.types);
    },
    scaledTimeout(120_000),
  );
});
