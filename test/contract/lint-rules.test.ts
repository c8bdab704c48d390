import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rulesOfRedocly } from '../../scripts/contract/lint/rule-texts.ts';
import { styleGuide } from '../../scripts/generate/style-guide.ts';
import { badExamples, badExamplesOfRedocly, goodDocumentBut } from '../../spec/rules/bad-examples.js';
import { sound } from '../../spec/rules/good-document.js';
import contractRules from '../../spec/rules/plugin.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const run = promisify(execFile);

type Problem = { ruleId: string; message: string; location: { source: { ref: string } }[] };
type Finding = { rule: string; message: string; file: string };

/** Runs `redocly lint`. It exits with 1 if it finds something, so its report decides. */
async function lint(files: string[], config: string): Promise<Finding[]> {
  const options = ['--config', config, '--format', 'json', '--max-problems', '1000'];
  const { stdout, stderr } = await run(process.execPath, [redocly, 'lint', ...files, ...options], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    maxBuffer: 64 << 20,
  }).catch((exit: { stdout: string; stderr: string }) => exit);
  if (!stdout.trim()) throw new Error(`redocly gave no report: ${stderr}`);
  // One JSON document per file, without separators.
  const reports: { problems: Problem[] }[] = stdout.split(/(?<=^\})(?=\{)/m).map((text) => JSON.parse(text));
  return reports
    .flatMap(({ problems }) => problems)
    .map(({ ruleId, message, location }) => ({
      rule: ruleId,
      message,
      file: location[0]?.source.ref ?? '',
    }));
}

const cases = [...Object.entries(badExamples), ...Object.entries(badExamplesOfRedocly)]
  .flatMap(([rule, entries]) =>
    entries.map(([problem, path, value, says]) => ({ rule, problem, path, value, says })),
  )
  .map((entry, index) => ({ ...entry, file: `${index}.json` }));

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

describe('the lint rules of the contract', () => {
  let directory: string;
  let findings: Finding[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lint-rules-'));
    const documents = ['sound.json', ...cases.map(({ file }) => file)];
    const options: Record<string, object> = {
      'closed-requests': { open: documents.map((file) => `${file}#/components/schemas/AnyJson`) },
      'common-headers': { headers: ['Request-Id', 'Vary'] },
      'error-codes': { undeclared: ['not_http'], guide: 'things', always: { 404: 'thing_missing' } },
      'links-lead': { pages: ['/docs'] },
      'media-types': { types: ['application/json', 'text/plain', 'application/pdf'] },
      'security-stated': { guide: 'rights' },
    };
    const rules = [
      ...Object.keys(badExamples).map((rule) => [
        `contract/${rule}`,
        { severity: 'error', ...options[rule] },
      ]),
      ...Object.keys(badExamplesOfRedocly).map((rule) => [rule, 'error']),
    ];
    const config = {
      plugins: [join(root, 'spec/rules/plugin.js')],
      rules: Object.fromEntries(rules),
      telemetry: 'off',
    };
    const files: [string, object][] = [
      ['redocly.yaml', config],
      ['sound.json', sound],
      ...cases.map(({ file, path, value }): [string, object] => [file, goodDocumentBut(path, value)]),
    ];
    await Promise.all(
      files.map(([file, content]) => writeFile(join(directory, file), JSON.stringify(content))),
    );
    findings = await lint(
      documents.map((file) => join(directory, file)),
      join(directory, 'redocly.yaml'),
    );
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('find nothing in a valid document', () => {
    expect(findings.filter(({ file }) => file.endsWith('/sound.json'))).toEqual([]);
  });

  test.each(cases)('$rule: $problem', ({ rule, says, file }) => {
    const name = rule in badExamples ? `contract/${rule}` : rule;
    // One error may violate one of our rules and one of Redocly's.
    const isOfSameOrigin = (finding: Finding) =>
      name === rule ? finding.rule === rule : finding.rule.startsWith('contract/');
    const found = findings.filter((finding) => finding.file.endsWith(`/${file}`) && isOfSameOrigin(finding));
    expect(found).toEqual([
      expect.objectContaining({ rule: name, message: expect.stringMatching(new RegExp(escaped(says), 'i')) }),
    ]);
  });

  test('all have a bad example', () => {
    expect(Object.keys(badExamples).sort()).toEqual(Object.keys(contractRules().rules.oas3).sort());
  });

  test('of Redocly have a bad example too, unless a single document cannot violate them', () => {
    const without = rulesOfRedocly().filter((rule) => !(rule in badExamplesOfRedocly));
    expect(without).toEqual([
      // The rules of the files in spec/arazzo/.
      'arazzo',
      'arazzo-operation',
      // The rule compares components in two files.
      'component-name-unique',
      // The rule checks OAuth 2.0, which the contract does not use.
      'security-scopes-defined',
    ]);
  });

  test('are all in the style guide', () => {
    const guide = styleGuide();
    for (const rule of Object.keys(badExamples)) expect(guide).toContain(`\n### \`contract/${rule}\`\n`);
    for (const { problem } of cases) expect(guide).toContain(`\nBad: ${problem}.\n`);
  });
});
