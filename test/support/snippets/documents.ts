import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../../scripts/contract/source.ts';
import { routesOf, withClosedObjects } from '../../../server/contract/index.ts';
import { checkDefinition } from '../../../server/src/manifest/check.ts';
import { parsePlatformFile } from '../../../server/src/manifest/read.ts';
import { bundle } from '../contract.ts';
import type { Snippet, SnippetError } from './snippet.ts';

type FindProblems = (snippet: Snippet) => string[];

const kinds: Record<string, FindProblems> = {
  json: (snippet) => problemsOfValue(snippet, JSON.parse(snippet.code)),
  yaml: (snippet) => problemsOfYaml(snippet),
  http: (snippet) => problemsOfMessage(snippet),
};
kinds['yml'] = kinds['yaml'] as FindProblems;

/** Languages of other runners, and those that are not tested. */
const others = new Set('sh bash ts typescript js javascript python go java mermaid text'.split(' '));

/** Blocks that cannot be tested, each with how to fix it. */
export function demandKnown(snippets: Snippet[]): SnippetError[] {
  return snippets
    .filter(({ language }) => !(language in kinds) && !others.has(language))
    .map((snippet) => ({
      snippet,
      message:
        `nothing proves a block of ${snippet.language ? `"${snippet.language}"` : 'no language'}. Make it sh, ts, js, json, ` +
        'yaml or http, or say with text or mermaid that it only shows something.',
    }));
}

/**
 * Holds JSON, YAML and HTTP blocks against what they claim to be:
 *
 *   json  a workflow definition, an error, an event, or the schema of the contract that the fence names after the
 *         language (```json WorkflowExecution); a list of them with [] behind the name; elsewhere `any`
 *   yaml  a platform file, whole, as `wrp apply` takes it
 *   http  a request to an operation of the contract, a webhook, a response, or only headers; known header names
 */
export function documentErrors(snippets: Snippet[]): SnippetError[] {
  return snippets.flatMap((snippet) => {
    const problemsOf = kinds[snippet.language];
    if (!problemsOf) return [];
    try {
      return problemsOf(snippet).map((message) => ({ snippet, message }));
    } catch (error) {
      return [{ snippet, message: (error as Error).message }];
    }
  });
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(withClosedObjects(bundle), 'contract');

function problemsOfValue({ claim }: Snippet, value: unknown): string[] {
  const [name] = claim.split(/\s/);
  if (name === 'any') return [];
  if (name) return problemsOfSchema(name, value);
  const has = (...fields: string[]) =>
    typeof value === 'object' && value !== null && fields.every((field) => field in value);
  if (has('StartAt', 'States')) return problemsOfDefinition(value);
  if (has('fingerprint', 'errors')) return problemsOfSchema('Error', value);
  if (has('id', 'type', 'createdDateTime', 'organizationId', 'data')) {
    const { type } = value as { type: string };
    return problemsOf(`webhooks/${type}/post/requestBody/content/application~1json/schema`, value);
  }
  return ['say what it is: put the name of its schema behind "json", or "any" where it has none'];
}

function problemsOfSchema(claim: string, value: unknown): string[] {
  const name = claim.replace(/\[\]$/, '');
  if (!Object.hasOwn(contract.components.schemas, name)) return [`the contract has no schema ${name}`];
  const values = claim.endsWith('[]') ? (value as unknown[]) : [value];
  return values.flatMap((one) => problemsOf(`components/schemas/${name}`, one));
}

function problemsOf(pointer: string, value: unknown): string[] {
  const validate = ajv.getSchema(`contract#/${pointer}`);
  if (!validate) return [`the contract has no ${pointer}`];
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
}

function problemsOfDefinition(definition: unknown): string[] {
  const declared = { name: 'snippet', revision: '1', inputSchema: {}, definition };
  return checkDefinition(declared as Parameters<typeof checkDefinition>[0], []).map(
    ({ path, message }) => `${path.join('.')} ${message}`,
  );
}

/** The problems that `wrp apply` would report. */
function problemsOfYaml({ code, file, claim }: Snippet): string[] {
  const value: unknown = parse(code);
  if (claim === 'any') return [];
  if (typeof value === 'object' && value !== null && 'environments' in value) {
    parsePlatformFile(code, file);
    return [];
  }
  return problemsOfValue({ claim } as Snippet, value);
}

const routes = [
  ...routesOf(contract as unknown as Contract),
  ...routesOf(contract as unknown as Contract, 'webhooks').map((route) => ({ ...route, path: '' })),
];
const standardHeaders = [
  'Authorization',
  'Content-Type',
  'Content-Length',
  'Host',
  'Accept',
  'Prefer',
  'Cache-Control',
  'Origin',
  'Allow',
  'Location',
  'Link',
  'Idempotency-Key',
  'Range',
  'If-None-Match',
  'Webhook-Signature',
];
const headerNames = new Set(
  [
    ...standardHeaders,
    ...routes.flatMap(({ operation }) => [
      ...(operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name),
      ...Object.values(operation.responses).flatMap(({ headers }) => Object.keys(headers ?? {})),
    ]),
  ].map((name) => name.toLowerCase()),
);

function problemsOfMessage({ code }: Snippet): string[] {
  const [head = '', ...rest] = code.split(/\n\n/);
  const lines = head.split('\n');
  const problems: string[] = [];
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/1\.1)?$/.exec(lines[0] ?? '') ?? [];
  if (method && target) problems.push(...problemsOfTarget(method, target, lines));
  if (method || /^HTTP\/1\.1 [1-5]\d\d\b/.test(lines[0] ?? '')) lines.shift();
  for (const line of lines) {
    const [, name] = /^([\w-]+): \S/.exec(line) ?? [];
    if (!name) problems.push(`"${line}" is no header`);
    else if (!headerNames.has(name.toLowerCase())) problems.push(`the contract knows no header ${name}`);
  }
  const body = rest.join('\n\n').trim();
  // An ellipsis marks a shortened body.
  if (/^[[{]/.test(body) && !body.includes('…')) JSON.parse(body);
  return problems;
}

function problemsOfTarget(method: string, target: string, lines: string[]): string[] {
  if (lines.some((line) => /^webhook-signature:/i.test(line))) return [];
  const path = target.split('?', 1)[0] ?? '';
  const fits = routes.some(
    (route) =>
      route.method.toUpperCase() === method &&
      new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return fits ? [] : [`the contract has no ${method} ${path}`];
}
