import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import manifest from '../../server/package.json' with { type: 'json' };
import { directoryWith } from '../support/temporary.ts';
import { runWrp } from '../support/wrp.ts';

describe('wrp definition check --sarif', () => {
  test('prints every error of every file as SARIF 2.1.0, and fails', async () => {
    const directory = await directoryWith({
      'a b.asl.yaml': 'QueryLanguage: JSONata\nStartAt: Done\nStates:\n  Done: { Type: Wait, Next: x }\n',
      'cut.asl.json': '{\n  "StartAt": ',
      'right.asl.yaml': 'QueryLanguage: JSONata\nStartAt: Done\nStates: { Done: { Type: Succeed } }\n',
    });
    const check = (...files: string[]) =>
      runWrp(['definition', 'check', '--sarif', ...files], {
        directory,
        env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      });
    const { status, stdout, stderr } = await check(
      'a b.asl.yaml',
      'right.asl.yaml',
      join(directory, 'cut.asl.json'),
    );
    const log = JSON.parse(stdout);
    expect([status, stderr]).toEqual([1, `${log.runs[0].results.length} errors.\n`]);
    expect(log).toMatchObject({
      version: '2.1.0',
      $schema: expect.stringMatching(/^https:.*\/sarif-schema-2\.1\.0\.json$/),
      runs: [{ tool: { driver: { name: 'wrp definition check', version: manifest.version } } }],
    });
    const [run, ...others] = log.runs;
    expect(others).toEqual([]);
    expect(run.columnKind).toBe('utf16CodeUnits');
    const { rules } = run.tool.driver;
    for (const { id, shortDescription } of rules) {
      expect([id, shortDescription.text]).toEqual([
        expect.stringMatching(/^\w+$/),
        expect.stringMatching(/\w/),
      ]);
    }
    for (const { ruleId, ruleIndex, level, message, locations } of run.results) {
      expect(rules[ruleIndex].id).toBe(ruleId);
      expect([level, typeof message.text]).toEqual(['error', 'string']);
      const [{ physicalLocation }] = locations;
      const { uri } = physicalLocation.artifactLocation;
      expect(new URL(uri, 'file:///').pathname).toBe(uri.replace(/^(file:\/\/)?\/?/, '/'));
      for (const number of Object.values(physicalLocation.region)) expect(number).toBeGreaterThanOrEqual(1);
    }
    const places = run.results.map((result: (typeof run.results)[0]) => {
      const [{ physicalLocation, logicalLocations }] = result.locations;
      const { startLine, startColumn } = physicalLocation.region;
      return [
        result.ruleId,
        physicalLocation.artifactLocation.uri,
        startLine,
        startColumn,
        logicalLocations?.[0].fullyQualifiedName,
      ];
    });
    expect(places).toEqual([
      ['definition', 'a%20b.asl.yaml', 4, 9, '/States/Done'],
      ['definition', 'a%20b.asl.yaml', 4, 29, '/States/Done/Next'],
      ['syntax', 'cut.asl.json', 2, 14, undefined],
    ]);
    const outside = await directoryWith({ 'wrong.json': '{}' });
    const file = join(outside, 'wrong.json');
    expect(
      JSON.parse((await check(file)).stdout).runs[0].results[0].locations[0].physicalLocation,
    ).toMatchObject({
      artifactLocation: { uri: pathToFileURL(file).href },
    });
  });

  test('prints a log without results for valid files, and succeeds', async () => {
    const directory = await directoryWith({
      'right.asl.yaml': 'QueryLanguage: JSONata\nStartAt: Done\nStates: { Done: { Type: Succeed } }\n',
    });
    const { status, stdout } = await runWrp([
      'definition',
      'check',
      '--sarif',
      join(directory, 'right.asl.yaml'),
    ]);
    expect([status, JSON.parse(stdout).runs[0].results]).toEqual([0, []]);
  });
});
