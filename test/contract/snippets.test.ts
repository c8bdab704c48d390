import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Contract } from '../../scripts/contract/source.ts';
import { parseCurl, variablesOf } from '../../scripts/generate/samples/curl.ts';
import { readSamples } from '../../scripts/generate/samples/read.ts';
import { routesOf } from '../../server/contract/index.ts';
import firstRelease from '../../spec/releases/3.0.0.json' with { type: 'json' };
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

/** What the quick start cannot take from lists, and says where it is from. */
const suppliedByReader = ['WRP_BASE_URL', 'WRP_TOKEN', 'WRP_API_KEY', 'WRP_API_SECRET', 'REFRESH_TOKEN'];

/** Of the operations of the first release: a later resource need not be in the quick start. */
async function variablesOfSamples(): Promise<string[]> {
  const { shell } = await readSamples(join(import.meta.dirname, '../samples'));
  const first = routesOf(firstRelease as unknown as Contract);
  const samples = first.flatMap(({ operation: { operationId } }) => shell[operationId] ?? []);
  return [...new Set(samples.flatMap((sample) => variablesOf(parseCurl(sample))))];
}

// The blocks of all other pages, and their types, are checked in snippets.slow.test.ts.
describe('a code block of README.md and the quick start, which sets the identifiers of the samples,', () => {
  let stage: Stage;
  beforeAll(async () => {
    ({ stage } = await startStage());
  });

  test(
    'runs in a shell',
    async () => {
      const names = (await variablesOfSamples()).filter((name) => !suppliedByReader.includes(name));
      const pages = byPage(inShell('first')).map((page) => {
        const [snippet] = page;
        if (snippet?.file !== 'spec/guides/quick-start.md') return page;
        const areSet = names.map((name) => `test -n "$${name}"`).join('\n');
        return [{ ...snippet, code: `unset ${names.join(' ')}` }, ...page, { ...snippet, code: areSet }];
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
