import { beforeAll, describe, expect, test } from 'vitest';
import {
  byPage,
  demandKnown,
  documentErrors,
  runPrograms,
  runShell,
  type Stage,
} from '../support/snippets.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { expectOnly, inNode, inShell, shown, snippets, startStage } from './documented-snippets.ts';
import { runsElsewhere } from './snippets-elsewhere.ts';
import { expectedProblems } from './wrong-snippets.ts';

describe('a code block of the documentation', () => {
  test('has a language that the tests can check', () => {
    expectOnly(demandKnown(snippets), expectedProblems.kinds);
  });

  test('is valid JSON, YAML or HTTP where it claims to be', () => {
    expectOnly(documentErrors(snippets), expectedProblems.documents);
  });

  test('that this test excludes still exists', () => {
    const gone = runsElsewhere.filter(
      ({ file, holds }) => !shown.some((one) => one.file === file && one.code.includes(holds)),
    );
    expect(gone, 'take what is gone off the list in snippets-elsewhere.ts').toEqual([]);
  });
});

/** The identifiers in the samples. A new resource need not be in the quick start: its own list has its identifiers. */
const identifiers =
  'ATTACHMENT CASE DEFINITION FORM_DEFINITION KEY PARAMETERS RECORD RESOURCE ROLE RUNNING_WORKFLOW TABLE USER WORKFLOW WORKSPACE WORKSPACE_ROLE'
    .split(' ')
    .map((name) => `${name}_ID`);

// The blocks of all other pages, and their types, are checked in snippets.slow.test.ts.
describe('a code block of README.md and the quick start, which sets the identifiers of the samples,', () => {
  let stage: Stage;
  beforeAll(async () => {
    ({ stage } = await startStage());
  });

  test(
    'runs in a shell',
    async () => {
      const pages = byPage(inShell('first')).map((page) => {
        const [snippet] = page;
        if (snippet?.file !== 'spec/guides/quick-start.md') return page;
        const areSet = identifiers.map((name) => `test -n "$${name}"`).join('\n');
        return [
          { ...snippet, code: `unset ${identifiers.join(' ')}` },
          ...page,
          { ...snippet, code: areSet },
        ];
      });
      const outcomes = await Promise.all(pages.map((page) => runShell(page, stage)));
      expectOnly(
        outcomes.flat().map(({ problem }) => problem),
        [],
      );
    },
    scaledTimeout(120_000),
  );

  test(
    'runs in Node',
    async () => {
      const { problems } = await runPrograms(inNode('first'), stage);
      expectOnly(problems, []);
    },
    scaledTimeout(120_000),
  );
});
