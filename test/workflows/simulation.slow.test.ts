import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { definitionOf } from '../support/definitions.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { runWrp } from '../support/wrp.ts';

const many = "{% [1..900].{'a': $string($)} %}";
const huge = {
  Type: 'Map',
  Items: '{% [1..90000] %}',
  ItemProcessor: { StartAt: 'Item', States: { Item: { Type: 'Pass', End: true } } },
  Catch: [
    { ErrorEquals: ['States.QueryEvaluationError'], Output: '{% $states.errorOutput %}', Next: 'Done' },
  ],
  Next: 'Done',
};

test.each([
  ['time', { ...huge, ItemSelector: many }, 'The state took more than 5 seconds of CPU time.'],
  [
    'memory',
    { ...huge, ItemSelector: "{% $pad('', 20000, $string($states.context.Map.Item.Index)) %}" },
    'The state took more than 512 MiB of memory.',
  ],
])(
  'wrp definition test stops a state at its limit of %s, which its Catch handles',
  async (_limit, state, Cause) => {
    const directory = await mkdtemp(join(tmpdir(), 'wrp-tests-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const definition = definitionOf({ Huge: state, Done: { Type: 'Succeed' } });
    const output = { Error: 'States.QueryEvaluationError', Cause };
    await writeFile(join(directory, 'huge.asl.json'), JSON.stringify(definition));
    await writeFile(
      join(directory, 'huge.test.json'),
      JSON.stringify({ cases: { a: { expect: { output } } } }),
    );
    const { status, stdout } = await runWrp(['definition', 'test', 'huge.asl.json'], { directory });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'huge.asl.json\n  ✓ a\n' });
  },
  scaledTimeout(120_000),
);
