import { randomUUID } from 'node:crypto';
import { Document, visit } from 'yaml';
import { addressables } from './addressables.ts';
import { descriptionOf, successOf, summaryOf } from './contract-words.ts';
import type { Plan } from './plan.ts';
import { article, capital, wordsOf } from './words.ts';

/** The operation, as it stands below its path. @param hasHeaders whether the file has named the usual ones before */
export function operationYaml(plan: Plan, hasHeaders: boolean): string {
  const { resource, method, permission, operationId } = plan;
  const headers = hasHeaders
    ? ['        headers: *answered']
    : ['        headers: &answered', ...usualHeaders];
  const parameters =
    method === 'post' ? ['    parameters:', '      - $ref: ../parameters.yaml#/IdempotencyKey'] : [];
  return lines([
    `  ${method}:`,
    `    operationId: ${operationId}`,
    `    tags: [${resource}]`,
    `    summary: ${summaryOf(plan)}`,
    '    description: >-',
    `      ${descriptionOf(plan)}`,
    '    security:',
    `      - organizationToken: [${permission}]`,
    `      - accessToken: [${permission}]`,
    ...parameters,
    ...bodyYaml(plan),
    '    responses:',
    ...successYaml(plan, headers),
    ...refusals(plan).flatMap(([status, name]) => [
      `      '${status}':`,
      `        $ref: ../responses.yaml#/${name}`,
    ]),
  ]);
}

/** The parameters of the path, above its methods. */
export function pathParametersYaml({ parameters }: Plan): string {
  if (parameters.length === 0) return '';
  const references = parameters.map(
    (name) => `    - $ref: ../parameters.yaml#/${addressables[name]?.parameter}`,
  );
  return lines(['  parameters:', ...references]);
}

/** The schemas that are not there yet, by name: what is answered, and what is sent. */
export function schemasYaml({ thing, method, answer, body }: Plan): Map<string, string> {
  const words = wordsOf(thing);
  const name = [
    '    name:',
    `      description: What people call the ${words}.`,
    '      type: string',
    '      minLength: 1',
    '      maxLength: 200',
  ];
  const found = new Map<string, string>();
  if (answer && !('existing' in answer)) {
    found.set(
      answer.schema,
      lines([
        `${answer.schema}:`,
        `  description: ${capital(article(words))}.`,
        ...closed(['id', 'name', 'createdDateTime']),
        '    id:',
        `      description: Identifier of the ${words}.`,
        '      $ref: identifiers.yaml#/Uuid',
        ...name,
        '    createdDateTime:',
        '      description: When it was created.',
        '      $ref: identifiers.yaml#/DateTime',
      ]),
    );
  }
  if (body && !('existing' in body)) {
    const meaning =
      method === 'post' ? `${capital(article(words))} to create` : `What is to become of the ${words}`;
    const heading = [`${body.schema}:`, `  description: ${meaning}.`];
    found.set(body.schema, lines([...heading, ...closed(['name']), ...name]));
  }
  return found;
}

/** The examples, by name; of those that are there already nothing is to be written. */
export function examplesYaml({ thing, method, answer, body }: Plan): Map<string, string> {
  const words = wordsOf(thing);
  const found = new Map<string, string>();
  if (answer) {
    const one = { id: randomUUID(), name: 'First', createdDateTime: '2026-11-16T08:30:00.000Z' };
    const value = answer.existing ?? (answer.isList ? [one] : one);
    const summary = answer.isList ? `One ${words}` : capital(article(words));
    found.set(answer.example, exampleYaml(answer.example, { summary, value }));
  }
  if (body) {
    const summary = method === 'post' ? `${capital(article(words))} to create` : 'Another name';
    const value = body.existing ?? { name: 'First' };
    found.set(body.example, exampleYaml(body.example, { summary, value }));
  }
  return found;
}

/** Moments in quotes, as everywhere in spec/examples: some readers of YAML take them for dates. */
function exampleYaml(name: string, example: object): string {
  const document = new Document({ [name]: example });
  visit(document, {
    Scalar(_, node) {
      if (/^\d{4}-\d\d-\d\dT/.test(String(node.value))) node.type = 'QUOTE_SINGLE';
    },
  });
  return document.toString();
}

function bodyYaml({ resource, body }: Plan): string[] {
  if (!body) return [];
  return [
    '    requestBody:',
    '      required: true',
    '      content:',
    '        application/json:',
    '          schema:',
    `            $ref: ../schemas/${resource}.yaml#/${body.schema}`,
    '          examples:',
    `            ${body.example}:`,
    `              $ref: ${body.exampleFile}#/${body.example}`,
  ];
}

function successYaml(plan: Plan, headers: string[]): string[] {
  const { resource, thing, answer } = plan;
  if (!answer) return [`      '204':`, `        description: It is gone.`, ...headers];
  const reference = `$ref: ../schemas/${resource}.yaml#/${answer.schema}`;
  const list = ['type: array', 'maxItems: 1000', 'items:', `  ${reference}`];
  const what = answer.isList
    ? 'What there is of them, in the order of their creation'
    : `The ${wordsOf(thing)}`;
  return [
    `      '${successOf(plan)}':`,
    `        description: ${what}.`,
    ...headers,
    '        content:',
    '          application/json:',
    '            schema:',
    ...(answer.isList ? list : [reference]).map((line) => `              ${line}`),
    '            examples:',
    `              ${answer.example}:`,
    `                $ref: ${answer.exampleFile}#/${answer.example}`,
  ];
}

/** The refusals that the platform itself gives, by method. */
function refusals({ method, parameters, body }: Plan): [number, string][] {
  const writes = body !== undefined;
  const nearest = parameters.at(-1);
  const missing = nearest && addressables[nearest]?.missing;
  return [
    [400, writes ? 'InvalidRequest' : 'InvalidParameters'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    ...(missing ? ([[404, missing]] as [number, string][]) : []),
    ...(writes ? ([[408, 'RequestTimeout']] as [number, string][]) : []),
    ...(method === 'post' ? ([[409, 'IdempotencyConflict']] as [number, string][]) : []),
    ...(writes
      ? ([
          [413, 'BodyTooLarge'],
          [415, 'UnsupportedContentType'],
        ] as [number, string][])
      : []),
    ...(method === 'post' ? ([[422, 'IdempotencyMismatch']] as [number, string][]) : []),
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
  ];
}

const usualHeaders = [
  ['Request-Id', 'RequestId'],
  ['RateLimit', 'RateLimit'],
  ['RateLimit-Policy', 'RateLimitPolicy'],
  ['Deprecation', 'Deprecation'],
  ['Sunset', 'Sunset'],
  ['Link', 'DeprecationLink'],
].flatMap(([name, component]) => [`          ${name}:`, `            $ref: ../headers.yaml#/${component}`]);

function closed(required: string[]): string[] {
  return [
    '  type: object',
    '  additionalProperties: false',
    `  required: [${required.join(', ')}]`,
    '  properties:',
  ];
}

function lines(all: string[]): string {
  return `${all.join('\n')}\n`;
}
