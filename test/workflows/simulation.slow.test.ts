import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { definitionOf } from '../support/definitions.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { runWrp } from '../support/wrp.ts';

const caught = [
  { ErrorEquals: ['States.QueryEvaluationError'], Output: '{% $states.errorOutput.Error %}', Next: 'Done' },
];
const map = (fields: JsonObject): JsonObject => ({
  Type: 'Map',
  ...fields,
  ItemProcessor: { StartAt: 'Item', States: { Item: { Type: 'Pass', End: true } } },
  Catch: caught,
  Next: 'Done',
});

test.each([
  ['time', map({ Items: '{% [1..90000] %}', ItemSelector: "{% [1..900].{'a': $string($)} %}" })],
  ['memory', map({ Items: '{% $map([1..1000000], function($_) { $shuffle([1..1000000]) }) %}' })],
])(
  'wrp definition test stops a state that takes all %s, which its Catch handles',
  async (_limit, state) => {
    const directory = await mkdtemp(join(tmpdir(), 'wrp-tests-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const Done = { Type: 'Succeed', Output: { caught: '{% $states.input %}' } };
    const expectation = { output: { caught: 'States.QueryEvaluationError' }, path: ['Huge', 'Done'] };
    const tests = { cases: { a: { expect: expectation } } };
    await writeFile(join(directory, 'huge.asl.json'), JSON.stringify(definitionOf({ Huge: state, Done })));
    await writeFile(join(directory, 'huge.test.json'), JSON.stringify(tests));
    const { status, stdout } = await runWrp(['definition', 'test', 'huge.asl.json'], { directory });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'huge.asl.json\n  ✓ a\n' });
  },
  scaledTimeout(120_000),
);
