import { randomUUID } from 'node:crypto';
import { Document, visit } from 'yaml';
import { article, capital, wordsOf } from '../words.ts';
import { descriptionOf, successOf, summaryOf } from './contract-words.ts';
import type { Plan } from './plan.ts';

/** The operation below its path. @param hasHeaders whether the file defines the anchor `commonHeaders` */
export function operationYaml(plan: Plan, hasHeaders: boolean): string {
  const { resource, method, permission, operationId } = plan;
  const headers = hasHeaders
    ? ['        headers: *commonHeaders']
    : ['        headers: &commonHeaders', ...usualHeaders];
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
    ...refusals(plan).flatMap(([status, response]) => [`      '${status}':`, `        ${response}`]),
  ]);
}

/** The parameters of the path, above its methods. */
export function pathParametersYaml({ parameters, addressables }: Plan): string {
  if (parameters.length === 0) return '';
  return lines(['  parameters:', ...parameters.map((name) => `    - ${addressables[name]?.parameter}`)]);
}

/** The new schemas of response and body, by name. */
export function schemasYaml({ thing, method, result, body }: Plan): Map<string, string> {
  const words = wordsOf(thing);
  const name = [
    '    name:',
    `      description: The name that people give the ${words}.`,
    '      type: string',
    '      minLength: 1',
    '      maxLength: 200',
  ];
  const found = new Map<string, string>();
  if (result && !('existing' in result)) {
    found.set(
      result.schema,
      lines([
        `${result.schema}:`,
        `  description: ${capital(article(words))}.`,
        ...objectOf(['id', 'name', 'createdDateTime']),
        '    id:',
        `      description: Identifier of the ${words}.`,
        '      $ref: identifiers.yaml#/Uuid',
        ...name,
        '    createdDateTime:',
        `      description: When the ${words} was created.`,
        '      $ref: identifiers.yaml#/DateTime',
      ]),
    );
  }
  if (body && !('existing' in body)) {
    const meaning =
      method === 'post' ? `${capital(article(words))} to create` : `The new state of the ${words}`;
    const heading = [`${body.schema}:`, `  description: ${meaning}.`];
    found.set(body.schema, lines([...heading, ...objectOf(['name'], 'closed'), ...name]));
  }
  return found;
}

/** The examples, by name. */
export function examplesYaml({ thing, method, result, body }: Plan): Map<string, string> {
  const words = wordsOf(thing);
  const found = new Map<string, string>();
  if (result) {
    const one = { id: randomUUID(), name: 'First', createdDateTime: '2026-11-16T08:30:00.000Z' };
    const value = result.existing ?? (result.isList ? [one] : one);
    const summary = result.isList ? `One ${words}` : capital(article(words));
    found.set(result.example, exampleYaml(result.example, { summary, value }));
  }
  if (body) {
    const summary = method === 'post' ? `${capital(article(words))} to create` : 'Another name';
    const value = body.existing ?? { name: 'First' };
    found.set(body.example, exampleYaml(body.example, { summary, value }));
  }
  return found;
}

/** Timestamps are quoted, as everywhere in spec/examples: some YAML readers take them for dates. */
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
  const { resource, thing, result } = plan;
  if (!result) return [`      '204':`, `        description: Deleted.`, ...headers];
  const reference = `$ref: ../schemas/${resource}.yaml#/${result.schema}`;
  const list = ['type: array', 'maxItems: 1000', 'items:', `  ${reference}`];
  const what = result.isList ? `Every ${wordsOf(thing)}, in the order of creation` : `The ${wordsOf(thing)}`;
  return [
    `      '${successOf(plan)}':`,
    `        description: ${what}.`,
    ...headers,
    '        content:',
    '          application/json:',
    '            schema:',
    ...(result.isList ? list : [reference]).map((line) => `              ${line}`),
    '            examples:',
    `              ${result.example}:`,
    `                $ref: ${result.exampleFile}#/${result.example}`,
  ];
}

/** The error responses that the platform itself gives, by method. */
function refusals({ method, parameters, addressables, body }: Plan): [number, string][] {
  const writes = body !== undefined;
  const isPost = method === 'post';
  const nearest = addressables[parameters.at(-1) ?? ''];
  const shared: [number, string | false][] = [
    [400, writes ? 'InvalidRequest' : 'InvalidParameters'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [408, writes && 'RequestTimeout'],
    [409, isPost && 'IdempotencyConflict'],
    [413, writes && 'BodyTooLarge'],
    [415, writes && 'UnsupportedContentType'],
    [422, isPost && 'IdempotencyMismatch'],
    [429, 'TooManyRequests'],
    [500, 'InternalError'],
    [503, 'ServiceUnavailable'],
  ];
  const found = shared.flatMap(([status, name]): [number, string][] =>
    name ? [[status, `$ref: ../responses.yaml#/${name}`]] : [],
  );
  if (nearest) found.push([404, nearest.missing]);
  return found.sort(([one], [other]) => one - other);
}

/** The headers of every response to an identified caller, as lines below `headers`. */
export const usualHeaders = [
  ['Request-Id', 'RequestId'],
  ['RateLimit', 'RateLimit'],
  ['RateLimit-Policy', 'RateLimitPolicy'],
  ['Deprecation', 'Deprecation'],
  ['Sunset', 'Sunset'],
  ['Link', 'DeprecationLink'],
  ['Cache-Control', 'CacheControl'],
  ['Vary', 'Vary'],
  ['X-Content-Type-Options', 'XContentTypeOptions'],
  ['Strict-Transport-Security', 'StrictTransportSecurity'],
].flatMap(([name, component]) => [`          ${name}:`, `            $ref: ../headers.yaml#/${component}`]);

function objectOf(required: string[], openness: 'open' | 'closed' = 'open'): string[] {
  return [
    '  type: object',
    ...(openness === 'closed' ? ['  additionalProperties: false'] : []),
    `  required: [${required.join(', ')}]`,
    '  properties:',
  ];
}

function lines(all: string[]): string {
  return `${all.join('\n')}\n`;
}
