import { beforeAll, describe, expect, test } from 'vitest';
import { hangBound } from '../support/hang-bound.ts';
import {
  byPage,
  demandKnown,
  documentErrors,
  runPrograms,
  runShell,
  type Stage,
} from '../support/snippets.ts';
import { expectOnly, inNode, inShell, shown, snippets, startStage } from './documented-snippets.ts';
import { runsElsewhere } from './snippets-elsewhere.ts';
import { expectedFaults } from './wrong-snippets.ts';

describe('a code block of the documentation', () => {
  test('is of a language that can be tested', () => {
    expectOnly(demandKnown(snippets), expectedFaults.kinds);
  });

  test('is valid JSON, YAML or HTTP where it claims to be', () => {
    expectOnly(documentErrors(snippets), expectedFaults.documents);
  });

  test('still exists if it is excepted here', () => {
    const gone = runsElsewhere.filter(
      ({ file, holds }) => !shown.some((one) => one.file === file && one.code.includes(holds)),
    );
    expect(gone, 'take what is gone off the list in snippets-elsewhere.ts').toEqual([]);
  });
});

// Those of all other pages, and their types: snippets.slow.test.ts.
describe('a code block of README.md and the quick start', () => {
  let stage: Stage;
  beforeAll(async () => {
    ({ stage } = await startStage());
  });

  test(
    'runs in a shell',
    async () => {
      const outcomes = await Promise.all(byPage(inShell('first')).map((page) => runShell(page, stage)));
      expectOnly(
        outcomes.flat().map(({ problem }) => problem),
        [],
      );
    },
    hangBound(120_000),
  );

  test(
    'runs in Node',
    async () => {
      const { problems } = await runPrograms(inNode('first'), stage);
      expectOnly(problems, []);
    },
    hangBound(120_000),
  );
});
