import { globSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { reportPrinter } from '../../scripts/design/terminal.ts';
import { editorFiles, editorSchemas, schemaPath } from '../../scripts/generate/editor-schemas.ts';

import { problemsIn } from './problem-matcher.ts';

const schemas = editorSchemas();
const ajv = new Ajv2020.default({ strict: false, allErrors: true, validateFormats: false });
for (const [name, text] of Object.entries(schemas)) ajv.addSchema(JSON.parse(text), name);

function errorsIn(file: string, content: unknown): string[] {
  const [name] = Object.entries(editorFiles).find(([, { files }]) => globSync(files).includes(file)) ?? [];
  const validate = ajv.getSchema(schemaPath(name ?? ''));
  validate?.(content);
  return (validate?.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

const files = Object.values(editorFiles).flatMap((one) => globSync(one.files));

describe('the settings of Visual Studio Code', () => {
  const read = (name: string) => JSON.parse(readFileSync(`.vscode/${name}.json`, 'utf8'));

  test('associate each file of the contract with its schema in generated/', () => {
    const expected = Object.entries(editorFiles).map(([name, { files: globs }]) => [
      `./generated/${schemaPath(name)}`,
      globs,
    ]);
    expect(read('settings')['yaml.schemas']).toEqual(Object.fromEntries(expected));
    expect(read('extensions').recommendations).toContain('redhat.vscode-yaml');
  });

  test('have tasks for scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const tasks = read('tasks').tasks as { type: string; script: string }[];
    expect(tasks.map(({ script }) => script)).toEqual(['design', 'generate', 'check', 'spec:review', 'mock']);
    for (const { type, script } of tasks) {
      expect(type).toBe('npm');
      expect(scripts).toHaveProperty([script]);
    }
  });

  test('find the findings of the design loop and its end', () => {
    const [design] = read('tasks').tasks;
    const { pattern, background } = design.problemMatcher;
    const printed: string[] = [];
    const finding = {
      file: 'spec/paths/users.yaml',
      line: 7,
      column: 3,
      rule: 'contract/no-defs',
      message: 'Move it.',
    };
    reportPrinter((line) => printed.push(line))({
      save: 1,
      files: ['spec/paths/users.yaml'],
      at: '2026-11-22T12:00:00.000Z',
      done: true,
      findings: [
        { ...finding, severity: 'error', also: [{ file: 'spec/openapi.yaml', line: 2, column: 1 }] },
      ],
      times: { findings: 10 },
    });
    const lines = printed.map(stripVTControlCharacters);
    expect(problemsIn(lines, pattern)).toEqual([
      ['spec/paths/users.yaml', '7', '3', 'contract/no-defs Move it.'],
      ['spec/openapi.yaml', '2', '1', 'the same'],
    ]);
    const begin = lines.findIndex((line) => new RegExp(background.beginsPattern).test(line));
    const end = lines.findIndex((line) => new RegExp(background.endsPattern).test(line));
    expect(begin).toBe(1);
    expect(end).toBe(lines.length - 1);
  });
});

describe('the schemas for editors', () => {
  test('cover every YAML file of the contract', () => {
    const all = globSync('spec/**/*.yaml').filter((file) => !file.startsWith('spec/arazzo/'));
    expect(files.sort()).toEqual(all.sort());
  });

  test.each(files)('find nothing in %s', (file) => {
    expect(errorsIn(file, parse(readFileSync(file, 'utf8')))).toEqual([]);
  });

  const misspelt: [error: string, file: string, content: object, finding: RegExp][] = [
    [
      'a misspelt keyword',
      'spec/schemas/users.yaml',
      { A: { tpye: 'string' } },
      /^\/A .*"additionalProperty":"tpye"/,
    ],
    [
      'a misspelt keyword of a nested schema',
      'spec/schemas/users.yaml',
      { A: { properties: { b: { maxLenght: 3 } } } },
      /^\/A\/properties\/b .*maxLenght/,
    ],
    ['a keyword with a wrong value', 'spec/schemas/users.yaml', { A: { type: 'text' } }, /^\/A\/type /],
    ['an unknown extension', 'spec/schemas/users.yaml', { A: { 'x-sunst': '2027-11-01' } }, /x-sunst/],
    [
      'a sunset that is no day',
      'spec/schemas/users.yaml',
      { A: { 'x-sunset': 'soon' } },
      /^\/A\/x-sunset .*pattern/,
    ],
    [
      'a misspelt method',
      'spec/paths/users.yaml',
      { a: { pots: {} } },
      /^\/a .*"unevaluatedProperty":"pots"/,
    ],
    [
      'an unknown field of an operation',
      'spec/webhooks/users.yaml',
      { a: { post: { sumary: 'A' } } },
      /^\/a\/post .*sumary/,
    ],
    [
      'a misspelt field of a header of a response',
      'spec/responses.yaml',
      { A: { description: 'A', headers: { Vary: { shema: {} } } } },
      /^\/A\/headers/,
    ],
    ['a misspelt field of a header in a set', 'spec/headers.yaml', { a: { Vary: { shema: {} } } }, /^\/a/],
    [
      'a parameter without a place',
      'spec/parameters.yaml',
      { A: { name: 'a' } },
      /^\/A .*"missingProperty":"in"/,
    ],
  ];
  test.each(misspelt)('find %s', (_, file, content, finding) => {
    expect(
      errorsIn(file, content).some((error) => finding.test(error)),
      errorsIn(file, content).join('\n'),
    ).toBe(true);
  });
});
