import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const run = promisify(execFile);

type Finding = { rule: string; message: string; file: string };

/** Gives what `redocly lint` finds. It exits with 1 when it finds something, so the output decides. */
async function lint(files: string[], config: string): Promise<Finding[]> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off' };
  const arguments_ = [
    redocly,
    'lint',
    ...files,
    '--config',
    config,
    '--format',
    'json',
    '--max-problems',
    '1000',
  ];
  const options = { cwd: root, env, maxBuffer: 64 << 20 };
  const { stdout, stderr } = await run(process.execPath, arguments_, options).catch(
    (exit: { stdout: string; stderr: string }) => exit,
  );
  if (!stdout.trim()) throw new Error(`redocly gave no report: ${stderr}`);
  // One JSON document a file, one right after the other.
  const reports: { problems: RawProblem[] }[] = stdout
    .split(/(?<=^\})(?=\{)/m)
    .map((text) => JSON.parse(text));
  return reports
    .flatMap(({ problems }) => problems)
    .map(({ ruleId, message, location }) => ({ rule: ruleId, message, file: location[0]?.source.ref ?? '' }));
}
type RawProblem = { ruleId: string; message: string; location: { source: { ref: string } }[] };

/** A small document without a fault. Each case below puts one in. */
function sound() {
  const event = {
    type: 'object',
    additionalProperties: false,
    properties: { type: { type: 'string', enum: ['thing.made'] } },
  };
  const signature = {
    name: 'Webhook-Signature',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    example: 'e30..c2ln',
  };
  const failure = {
    fingerprint: 'f1',
    errors: [{ code: 'thing_missing', message: 'There is no such thing.' }],
  };
  return {
    openapi: '3.1.1',
    info: { title: 'Things', version: '1.0.0' },
    paths: {
      '/things': {
        get: {
          security: [{ token: ['can_see'] }, { jwt: ['can_see'] }] as object[] | undefined,
          parameters: [
            {
              name: 'size',
              in: 'query',
              schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } as object,
              example: 20 as number | undefined,
            },
          ],
          responses: {
            '200': {
              description: 'A thing.',
              headers: {
                'Retry-After': { schema: { type: 'integer', minimum: 1 }, example: 19 as unknown },
              },
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Thing' },
                  examples: { small: { value: { name: 'a' } } } as object | undefined,
                },
              },
            },
            '404': {
              description: 'No such thing.',
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Failure' },
                  examples: { missing: { value: failure } },
                },
              },
            },
          },
        },
      },
    },
    webhooks: {
      'thing.made': {
        post: {
          security: [] as object[] | undefined,
          parameters: [signature],
          requestBody: {
            content: {
              'application/json': {
                schema: event as object,
                examples: { made: { value: { type: 'thing.made' } } } as object | undefined,
              },
            },
          },
          responses: { '2XX': { description: 'Taken.' } },
        },
      },
    },
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization' },
        jwt: { type: 'http', scheme: 'bearer' },
      },
      schemas: {
        Thing: {
          type: 'object',
          additionalProperties: false,
          properties: { name: { type: 'string' } },
        } as Record<string, unknown>,
        Failure: {
          type: 'object',
          additionalProperties: false,
          properties: {
            fingerprint: { type: 'string' },
            errors: { type: 'array', items: { $ref: '#/components/schemas/Problem' } },
          },
        },
        Problem: {
          type: 'object',
          additionalProperties: false,
          properties: { code: { $ref: '#/components/schemas/ErrorCode' }, message: { type: 'string' } },
        },
        ErrorCode: { type: 'string', enum: ['thing_missing', 'not_http'] },
        AnyJson: { type: 'object', additionalProperties: true },
      } as Record<string, Record<string, unknown>>,
    },
  };
}
type Document = ReturnType<typeof sound>;

const list = (document: Document) => document.paths['/things'].get;
const event = (document: Document) => document.webhooks['thing.made'].post;
const schemas = (document: Document) =>
  document.components.schemas as Record<string, Record<string, unknown>> & {
    Thing: object;
    ErrorCode: object;
  };

const cases: { rule: string; fault: string; says: string; put: (document: Document) => void }[] = [
  {
    rule: 'security-stated',
    fault: 'an operation without security',
    says: 'Say who may call this operation',
    put: (document) => delete list(document).security,
  },
  {
    rule: 'security-stated',
    fault: 'a webhook without security',
    says: 'Say who may call this operation',
    put: (document) => delete event(document).security,
  },
  {
    rule: 'security-stated',
    fault: 'schemes that ask for different permissions',
    says: 'the same permissions',
    put: (document) => (list(document).security = [{ token: ['can_see'] }, { jwt: [] }]),
  },
  {
    rule: 'closed-objects',
    fault: 'an open response object',
    says: 'additionalProperties: false',
    put: (document) => delete schemas(document).Thing['additionalProperties'],
  },
  {
    rule: 'closed-objects',
    fault: 'an object that may be null, open',
    says: 'additionalProperties: false',
    put: (document) => (schemas(document).Thing['properties'] = { name: { type: ['object', 'null'] } }),
  },
  {
    rule: 'closed-objects',
    fault: 'a schema without a type',
    says: 'additionalProperties: false',
    put: (document) => (schemas(document).Thing['properties'] = { name: { description: 'Anything.' } }),
  },
  {
    rule: 'closed-objects',
    fault: 'an open composition',
    says: 'unevaluatedProperties: false',
    put: (document) => (schemas(document)['Thing'] = { type: 'object', allOf: [{ type: 'object' }] }),
  },
  {
    rule: 'closed-objects',
    fault: 'an open event',
    says: 'additionalProperties: false',
    put: (document) =>
      Object.assign(event(document).requestBody.content['application/json'].schema, {
        additionalProperties: true,
      }),
  },
  {
    rule: 'no-defs',
    fault: 'a schema with $defs',
    says: 'entry of its own',
    put: (document) => (schemas(document).Thing['$defs'] = { Part: { type: 'string' } }),
  },
  {
    rule: 'examples-present',
    fault: 'an answer without an example',
    says: 'Add an example',
    put: (document) => delete list(document).responses['200'].content['application/json'].examples,
  },
  {
    rule: 'examples-present',
    fault: 'an answer with no example in its examples',
    says: 'Add an example',
    put: (document) => (list(document).responses['200'].content['application/json'].examples = {}),
  },
  {
    rule: 'examples-present',
    fault: 'a parameter without an example',
    says: 'Add an example',
    put: (document) => delete list(document).parameters[0]?.example,
  },
  {
    rule: 'examples-present',
    fault: 'a header without an example',
    says: 'Add an example',
    put: (document) => delete list(document).responses['200'].headers['Retry-After'].example,
  },
  {
    rule: 'examples-present',
    fault: 'an event without an example',
    says: 'Add an example',
    put: (document) => delete event(document).requestBody.content['application/json'].examples,
  },
  {
    rule: 'error-codes',
    fault: 'an example with a code that is not in the list',
    says: '`thing_gone` is not in the list',
    put: (document) => {
      const [error] =
        list(document).responses['404'].content['application/json'].examples.missing.value.errors;
      list(document).responses['404'].content['application/json'].examples.missing.value.errors = [
        { code: 'thing_missing', message: error?.message ?? '' },
        { code: 'thing_gone', message: 'It is gone.' },
      ];
    },
  },
  {
    rule: 'error-codes',
    fault: 'a code that no example names',
    says: 'No example of an answer names `unheard_of`',
    put: (document) => (schemas(document).ErrorCode['enum'] = ['thing_missing', 'not_http', 'unheard_of']),
  },
  {
    rule: 'error-codes',
    fault: 'an exemption of a code that an example names',
    says: 'take it off `undeclared`',
    put: (document) => {
      const { errors } = list(document).responses['404'].content['application/json'].examples.missing.value;
      errors.push({ code: 'not_http', message: 'Not HTTP.' });
    },
  },
  {
    rule: 'error-codes',
    fault: 'an exemption of what is not a code',
    says: '`undeclared` names `not_http`',
    put: (document) => (schemas(document).ErrorCode['enum'] = ['thing_missing']),
  },
  {
    rule: 'default-fits-schema',
    fault: 'a default of another type',
    says: 'must be integer',
    put: (document) => Object.assign(list(document).parameters[0]?.schema ?? {}, { default: '20' }),
  },
  {
    rule: 'default-fits-schema',
    fault: 'a default out of bounds',
    says: 'must be <= 100',
    put: (document) => Object.assign(list(document).parameters[0]?.schema ?? {}, { default: 200 }),
  },
  {
    rule: 'default-fits-schema',
    fault: 'a default beside a $ref that is not of its enum',
    says: 'must be equal to one of the allowed values',
    put: (document) =>
      (schemas(document).Thing['properties'] = {
        name: { $ref: '#/components/schemas/ErrorCode', default: 'thing_gone' },
      }),
  },
  {
    rule: 'header-examples-fit',
    fault: 'a header with an example of another type',
    says: 'must be integer',
    put: (document) => (list(document).responses['200'].headers['Retry-After'].example = 'soon'),
  },
  {
    rule: 'header-examples-fit',
    fault: 'a header with a named example out of bounds',
    says: 'must be >= 1',
    put: (document) =>
      Object.assign(list(document).responses['200'].headers, {
        'Retry-After': { schema: { type: 'integer', minimum: 1 }, examples: { at: { value: 0 } } },
      }),
  },
  {
    rule: 'event-types',
    fault: 'an event of another type than the name of its webhook',
    says: 'must be `enum: [thing.made]`',
    put: (document) =>
      Object.assign(event(document).requestBody.content['application/json'].schema, {
        properties: { type: { type: 'string', enum: ['thing.lost'] } },
      }),
  },
  {
    rule: 'event-types',
    fault: 'an event without a signature',
    says: 'Demand the header',
    put: (document) => (event(document).parameters = []),
  },
];

describe('the lint rules of the contract', () => {
  let directory: string;
  let findings: Finding[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lint-rules-'));
    const config = {
      plugins: [join(root, 'spec/rules/plugin.js')],
      rules: {
        'contract/closed-objects': { severity: 'error', open: ['sound.json#/components/schemas/AnyJson'] },
        'contract/default-fits-schema': 'error',
        'contract/error-codes': { severity: 'error', undeclared: ['not_http'] },
        'contract/event-types': 'error',
        'contract/examples-present': 'error',
        'contract/header-examples-fit': 'error',
        'contract/no-defs': 'error',
        'contract/security-stated': 'error',
      },
      telemetry: 'off',
    };
    await writeFile(join(directory, 'redocly.yaml'), JSON.stringify(config));
    const files = ['sound.json', ...cases.map((_, index) => `${index}.json`)];
    await Promise.all(
      files.map(async (file, index) => {
        const document = sound();
        if (index > 0) {
          cases[index - 1]?.put(document);
          delete document.components.schemas['AnyJson'];
        }
        await writeFile(join(directory, file), JSON.stringify(document));
      }),
    );
    const paths = files.map((file) => join(directory, file));
    findings = await lint(paths, join(directory, 'redocly.yaml'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('find nothing in a sound document', () => {
    expect(findings.filter(({ file }) => file.endsWith('/sound.json'))).toEqual([]);
  });

  test.each(cases.map((entry, index) => ({ ...entry, index })))('$rule: $fault', ({ rule, says, index }) => {
    const found = findings.filter(({ file }) => file.endsWith(`/${index}.json`));
    expect(found).toEqual([
      expect.objectContaining({ rule: `contract/${rule}`, message: expect.stringContaining(says) }),
    ]);
  });

  test('find nothing in the contract', async () => {
    expect(await lint(['platform'], join(root, 'redocly.yaml'))).toEqual([]);
  });
});
