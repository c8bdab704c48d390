import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, sound } from './sound-document.ts';

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

/** The valid document with one value replaced; undefined removes it. */
function soundBut(path: readonly string[], value: unknown) {
  const document = structuredClone(sound);
  const last = path.at(-1) ?? '';
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((node, step) => {
    if (!(step in node)) throw new Error(`The sound document has no ${path.join(' ')}`);
    return node[step] as Record<string, unknown>;
  }, document);
  parent[last] = value;
  return document;
}

const list = ['paths', '/things', 'get'] as const;
const newThing = [
  'paths',
  '/things',
  'post',
  'requestBody',
  'content',
  'application/json',
  'schema',
] as const;
const create = ['paths', '/things', 'post'] as const;
const link = [...create, 'responses', '204', 'links', 'get'] as const;
const size = [...list, 'parameters', '0'] as const;
const response = [...list, 'responses', '200', 'content', 'application/json'] as const;
const retryAfter = [...list, 'responses', '200', 'headers', 'Retry-After'] as const;
const errors = [
  ...list,
  ...['responses', '404', 'content', 'application/json', 'examples', 'missing', 'value', 'errors'],
] as const;
const event = ['webhooks', 'thing.made', 'post'] as const;
const payload = [...event, 'requestBody', 'content', 'application/json'] as const;
const schemas = ['components', 'schemas'] as const;

/** One error each: what it is, where, the value there (undefined: removed), and the rule's message. */
const problems: Record<string, [fault: string, path: readonly string[], value: unknown, says: string][]> = {
  'security-stated': [
    [
      'an operation without security',
      [...list, 'security'],
      undefined,
      'Declare who may call this operation',
    ],
    ['a webhook without security', [...event, 'security'], undefined, 'Declare who may call this operation'],
    [
      'schemes that ask for different permissions',
      [...list, 'security'],
      [{ token: ['can_see'] }, { jwt: [] }],
      'the same permissions',
    ],
    [
      'a permission that no guide lists',
      [...list, 'security'],
      [{ token: ['can_sea'] }, { jwt: ['can_sea'] }],
      'Did you mean `can_see`? It lists `can_see`',
    ],
  ],
  'links-lead': [
    [
      'a link to no tag',
      ['tags', '1', 'description'],
      '[Rights](#/right)',
      '`#/right` leads nowhere: there is no tag `right`. Did you mean `rights`?',
    ],
    [
      'a link to no operation of the tag',
      [...list, 'description'],
      '[Make](#/things/makething)',
      '`things` has no operation `makething`',
    ],
    [
      'a relative link',
      ['tags', '1', 'description'],
      '[Rights](./rights.md)',
      '`./rights.md` leads nowhere: a relative link has no target in the portal. Did you mean `#/rights`?',
    ],
    [
      'a link to no page of the portal',
      [...list, 'description'],
      'See [the list][1].\n\n[1]: /dogs',
      '`/dogs` leads nowhere: the portal has no page `/dogs`. Did you mean `/docs`?',
    ],
  ],
  'markdown-closed': [
    [
      'a code block without end',
      ['tags', '1', 'description'],
      'See:\n\n```sh\necho\n',
      'not closed: add ```',
    ],
    ['code without end', ['tags', '1', 'description'], 'Call `list and wait.', 'a backtick is missing'],
    [
      'emphasis without end in a table',
      ['tags', '1', 'description'],
      '| A | B |\n|---|---|\n| **one | two |',
      '`**` is missing',
    ],
    ['emphasis without end in a list', [...list, 'description'], '- one *two\n- three', '`*` is missing'],
    ['HTML', [...list, 'description'], 'One<br>two.', '`<br>` is HTML'],
    ['a link without end', [...list, 'description'], 'See [Rights](#/rights', '`)` is missing'],
    [
      'a row with another number of cells',
      ['tags', '1', 'description'],
      '| A | B |\n|---|---|\n| one |',
      'The row has 1 cells, the header 2',
    ],
  ],
  'deprecation-dated': [
    [
      'a deprecated operation without dates',
      [...list, 'deprecated'],
      true,
      'add `x-deprecated-since` and `x-sunset`',
    ],
    [
      'a date that does not exist',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'string', deprecated: true, 'x-deprecated-since': '2026-11-01', 'x-sunset': '2028-02-30' },
      'add `x-sunset`',
    ],
    [
      'a sunset within a year',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'string', deprecated: true, 'x-deprecated-since': '2026-11-01', 'x-sunset': '2027-10-31' },
      'must not be before 2027-11-01',
    ],
    [
      'dates of something that is not deprecated',
      [...schemas, 'Thing', 'properties', 'name'],
      { type: 'string', 'x-deprecated-since': '2026-11-01', 'x-sunset': '2027-11-01' },
      'add `deprecated: true`',
    ],
  ],
  'closed-requests': [
    [
      'an open object in a request',
      [...newThing, 'additionalProperties'],
      undefined,
      'additionalProperties: false',
    ],
    [
      'an open object in a property of a request',
      [...newThing, 'properties', 'name', 'type'],
      ['object', 'null'],
      'additionalProperties: false',
    ],
    [
      'an open composition in a request',
      newThing,
      { type: 'object', allOf: [{ type: 'object' }] },
      'unevaluatedProperties: false',
    ],
    [
      'an open object that a request and a response share',
      newThing,
      { $ref: '#/components/schemas/Thing' },
      'additionalProperties: false',
    ],
    [
      'a schema without a type',
      [...schemas, 'Thing', 'properties', 'name'],
      { description: 'Anything.' },
      'State a `type`',
    ],
    [
      'a closed object in a response',
      [...schemas, 'Thing', 'additionalProperties'],
      false,
      'remove `additionalProperties`',
    ],
    [
      'an object in a response that allows any field',
      [...schemas, 'Thing', 'additionalProperties'],
      true,
      'remove `additionalProperties`',
    ],
    [
      'a closed event',
      [...payload, 'schema', 'additionalProperties'],
      false,
      'remove `additionalProperties`',
    ],
  ],
  'common-headers': [
    [
      'a response without a header that all have',
      [...list, 'responses', '404', 'headers'],
      undefined,
      'Declare `Request-Id`, `Vary`',
    ],
  ],
  'creation-linked': [
    [
      'a creation without links',
      [...create, 'responses', '204', 'links'],
      undefined,
      'Add `links` to the response that has the identifier: `getThing` take it',
    ],
    [
      'a link to an operation that does not exist',
      [...link, 'operationId'],
      'getNothing',
      'There is no operation `getNothing`',
    ],
    ['a link without a path parameter', [...link, 'parameters'], {}, '`getThing` also takes thingId'],
  ],
  'no-defs': [
    [
      'a schema with $defs',
      [...schemas, 'Thing', '$defs'],
      { Part: { type: 'string' } },
      'Move the schemas in `$defs`',
    ],
  ],
  'examples-present': [
    ['an answer without examples', [...response, 'examples'], undefined, 'Add an example'],
    ['an answer with no example among its examples', [...response, 'examples'], {}, 'Add an example'],
    ['a parameter without an example', [...size, 'example'], undefined, 'Add an example'],
    ['a header without an example', [...retryAfter, 'example'], undefined, 'Add an example'],
    ['an event without an example', [...payload, 'examples'], undefined, 'Add an example'],
  ],
  'error-codes': [
    [
      'an example with a code that is not in the list',
      errors,
      [...failure.errors, { code: 'thing_gone', message: 'It is gone.' }],
      '`thing_gone` is not in the list',
    ],
    [
      'a mistyped code, which leaves the list without an example of the right one',
      errors,
      [{ code: 'thing_mising', message: 'There is no such thing.' }],
      'Did you mean `thing_missing`?',
    ],
    [
      'a code that no example names',
      [...schemas, 'ErrorCode', 'enum'],
      ['thing_missing', 'not_http', 'unheard_of'],
      'No response has an example with `unheard_of`',
    ],
    [
      'an exemption of a code that an example names',
      errors,
      [...failure.errors, { code: 'not_http', message: 'Not HTTP.' }],
      'remove it from `undeclared`',
    ],
    [
      'a guide that explains what is not a code',
      ['tags', '1', 'description'],
      '- `thing_mising`: there is no such thing.',
      'The guide explains `thing_mising`, which is not an error code. Did you mean `thing_missing`?',
    ],
    [
      'an exemption of what is not a code',
      [...schemas, 'ErrorCode', 'enum'],
      ['thing_missing'],
      '`undeclared` names `not_http`',
    ],
  ],
  'default-fits-schema': [
    ['a default of another type', [...size, 'schema', 'default'], '20', 'must be integer'],
    ['a default out of bounds', [...size, 'schema', 'default'], 200, 'must be <= 100'],
    [
      'a default beside a $ref that its enum does not hold',
      [...schemas, 'Thing', 'properties', 'name'],
      { $ref: '#/components/schemas/ErrorCode', default: 'thing_gone' },
      'must be equal to one of the allowed values',
    ],
  ],
  'header-examples-fit': [
    ['an example of another type', [...retryAfter, 'example'], 'soon', 'must be integer'],
    [
      'a named example out of bounds',
      [...retryAfter],
      { schema: { type: 'integer', minimum: 1 }, examples: { now: { value: 0 } } },
      'must be >= 1',
    ],
  ],
  'event-types': [
    [
      'an event of another type than the name of its webhook',
      [...payload, 'schema', 'properties', 'type', 'enum'],
      ['thing.lost'],
      'must be `enum: [thing.made]`',
    ],
    ['an event without a signature', [...event, 'parameters'], [], 'Require the header'],
    [
      'a text that names an unknown event type',
      [...list, 'description'],
      'Sends `thing.made`, then `.lst`, but not `other.made`.',
      '`thing.lst` is not an event type',
    ],
  ],
};
const cases = Object.entries(problems)
  .flatMap(([rule, entries]) =>
    entries.map(([problem, path, value, says]) => ({ rule, problem, path, value, says })),
  )
  .map((entry, index) => ({ ...entry, file: `${index}.json` }));

describe('the lint rules of the contract', () => {
  let directory: string;
  let findings: Finding[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lint-rules-'));
    const documents = ['sound.json', ...cases.map(({ file }) => file)];
    const options: Record<string, object> = {
      'closed-requests': { open: documents.map((file) => `${file}#/components/schemas/AnyJson`) },
      'common-headers': { headers: ['Request-Id', 'Vary'] },
      'error-codes': { undeclared: ['not_http'], guide: 'things' },
      'links-lead': { pages: ['/docs'] },
      'security-stated': { guide: 'rights' },
    };
    const rules = Object.keys(problems).map((rule) => [
      `contract/${rule}`,
      { severity: 'error', ...options[rule] },
    ]);
    const config = {
      plugins: [join(root, 'spec/rules/plugin.js')],
      rules: Object.fromEntries(rules),
      telemetry: 'off',
    };
    const files: [string, object][] = [
      ['redocly.yaml', config],
      ['sound.json', sound],
      ...cases.map(({ file, path, value }): [string, object] => [file, soundBut(path, value)]),
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

  test.each(cases)('$rule: $fault', ({ rule, says, file }) => {
    const found = findings.filter((finding) => finding.file.endsWith(`/${file}`));
    expect(found).toEqual([
      expect.objectContaining({ rule: `contract/${rule}`, message: expect.stringContaining(says) }),
    ]);
  });

  test('find nothing in the contract', async () => {
    expect(await lint(['platform'], join(root, 'redocly.yaml'))).toEqual([]);
  });
});
