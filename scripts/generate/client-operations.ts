/** The client's named methods: `operations(client).users.reinstate(userId, { roleId })`. */
import { errorOf } from '../../client/src/status-errors.ts';
import {
  errorCodesOf,
  type OperationObject,
  parameterNames,
  permissionOf,
  type Route,
  routesOf,
} from '../../server/contract/index.ts';
import { CommandError } from '../command-line/command.ts';
import type { Contract } from '../contract/source.ts';

const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n\n';

interface Method extends Route {
  name: string;
}

/** The methods of a resource: `operations(client).<name>`. */
interface Resource {
  tag: string;
  name: string;
  description: string;
  methods: Method[];
}

/**
 * Every method of the client, by resource.
 *
 * @throws {CommandError} if two operations of a resource get the same name
 */
export function clientResources(contract: Contract): Resource[] {
  const groups = [...methodsByGroup(routesOf(contract))].sort(([one], [other]) => (one < other ? -1 : 1));
  const tags = (contract['tags'] ?? []) as { name: string; description?: string }[];
  return groups.map(([tag, methods]) => ({
    tag,
    methods,
    name: camelCase(tag),
    description: tags.find(({ name }) => name === tag)?.description ?? `The operations of ${tag}.`,
  }));
}

/** @throws {CommandError} if two operations of a resource get the same name */
export function clientOperationsModule(contract: Contract): string {
  const described = clientResources(contract);
  return [
    banner,
    "import type { Client } from './client-types.ts';\n",
    "import type { BodyOf, FileOptions, OperationOptions, OperationResult } from './operation-call-types.ts';\n",
    "import { call, list } from './operation-calls.ts';\n",
    "import type { ApiPromise, ListPromise } from './operation-promise.ts';\n\n",
    "export type { BodyOf, FileOptions, OperationOptions, OperationResult } from './operation-call-types.ts';\n",
    "export type { ApiPromise, ListPromise, WithResponse } from './operation-promise.ts';\n\n",
    ...described.map(({ name, description, methods }) => groupOf(name, description, methods)),
    '/** Every operation of the contract, by resource. */\nexport interface Operations {\n',
    ...described.map(
      ({ name, description }) => `  ${comment([description], '  ')}  ${name}: ${typeName(name)};\n`,
    ),
    '}\n\n',
    '/**\n * Named methods for every operation of a client: `operations(client).users.list()`.\n *\n',
    ' * Bundlers drop the resources that you do not use if you import them one by one: `users(client).list()`.\n */\n',
    'export const operations = (client: Client): Operations => ({\n',
    ...described.map(({ name }) => `  ${name}: ${name}(client),\n`),
    '});\n',
  ].join('');
}

/** The methods of each tag, named by `methodName`. */
export function methodsByGroup(routes: readonly Route[]): Map<string, Method[]> {
  const groups = new Map<string, Method[]>();
  for (const route of routes) {
    const { operationId, tags: [tag = 'default'] = [] } = route.operation;
    const methods = groups.get(tag) ?? [];
    const name = methodName(operationId, tag);
    const other = methods.find((one) => one.name === name);
    if (other) {
      const both = `${other.operation.operationId} and ${operationId}`;
      throw new CommandError(`${both} would both be ${camelCase(tag)}.${name} in the client; rename one.`);
    }
    groups.set(tag, [...methods, { ...route, name }]);
  }
  return groups;
}

/** The operationId without the words of its tag, singular or plural: `updateUserProfile` of `users` is `updateProfile`. */
export function methodName(operationId: string, tag: string): string {
  const said = new Set(tag.split('-').map(singular));
  const [verb = '', ...words] = operationId.split(/(?=[A-Z])/);
  return [verb, ...words.filter((word) => !said.has(singular(word.toLowerCase())))].join('');
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}

function camelCase(tag: string): string {
  return tag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function typeName(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}Operations`;
}

function groupOf(name: string, description: string, methods: readonly Method[]): string {
  return [
    `${comment([description])}export interface ${typeName(name)} {\n`,
    ...methods.map((method) => `${documentation(method)}${declaration(method)}`),
    `}\n\n${comment([description])}export const ${name} = (client: Client): ${typeName(name)} => ({\n`,
    ...methods.map((method) => `  ${method.name}: ${implementation(method)},\n`),
    '});\n\n',
  ].join('');
}

/** The type of a method: path parameters, then the body, then options, and the promise that it returns. */
export function methodSignature({ path, operation }: Method): {
  generics: string;
  parameters: string[];
  returns: string;
} {
  const { operationId, parameters, requestBody } = operation;
  const required = parameters.some((one) => one.required && ['query', 'header'].includes(one.in));
  const parseAs = fileParseAs(operation);
  const own = `'${operationId}'`;
  const positional = [
    ...parameterNames(path).map((parameter) => `${parameter}: string`),
    ...(requestBody ? [`body: BodyOf<${own}>${requestBody.required ? '' : ' | undefined'}`] : []),
    `options${required ? '' : '?'}: ${parseAs ? `FileOptions<${own}, As>` : `OperationOptions<${own}>`}`,
  ];
  const generics = parseAs ? `<As extends FileOptions<${own}>['parseAs'] & string = '${parseAs}'>` : '';
  const result = `OperationResult<${own}${parseAs ? ', As' : ''}>`;
  const promise = isList(operation) ? 'ListPromise' : 'ApiPromise';
  return { generics, parameters: positional, returns: `${promise}<${result}>` };
}

function declaration(method: Method): string {
  const { generics, parameters, returns } = methodSignature(method);
  return `  ${method.name}${generics}(\n${parameters.map((one) => `    ${one},\n`).join('')}  ): ${returns};\n`;
}

/** The errors that a method throws by status: the class and the codes of the contract's examples. */
export function methodErrors({ operation }: Method): { name: string; codes: string[] }[] {
  return Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => ({ name: errorClass(status), codes: errorCodesOf(response) }));
}

function implementation({ path, method, operation }: Method): string {
  if (isList(operation)) return `list(client, '${path}')`;
  const parseAs = fileParseAs(operation);
  const flags = [
    ...(operation.requestBody ? ['body: true'] : []),
    ...(parseAs ? [`parseAs: '${parseAs}'`] : []),
  ];
  return `call(client, '${method.toUpperCase()}', '${path}'${flags.length > 0 ? `, { ${flags.join(', ')} }` : ''})`;
}

function isList({ operationId }: OperationObject): boolean {
  return /^list(?=[A-Z])/.test(operationId);
}

/** How a success that is not JSON is read by default; undefined if it is JSON, or has no body. */
function fileParseAs({ responses }: OperationObject): 'stream' | 'text' | undefined {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const media = successes.flatMap(([, { content = {} }]) => Object.keys(content));
  if (media.length === 0 || media.some((type) => type.endsWith('json'))) return undefined;
  return media.some((type) => type.startsWith('text/')) ? 'text' : 'stream';
}

function documentation(documented: Method): string {
  const { path, method, operation } = documented;
  const { summary = '', description = '', deprecated, parameters } = operation;
  const permission = permissionOf(operation);
  const described = parameters as { name: string; in: string; description?: string }[];
  // An editor has no page that a link within the portal leads to.
  const words = description.replaceAll(/\[([^\]]+)\]\(#[^)]*\)/g, '$1');
  const text = [`${summary}.`, words, `\`${method.toUpperCase()} ${path}\``];
  if (permission) text.push(`Permission: \`${permission}\`.`);
  else if (!operation.security?.length) text.push('Needs no token.');
  if (operation.form)
    text.push(
      'Node keeps the whole form in memory; `uploadResource` and `createAttachment` stream the file.',
    );
  const tags = [
    ...parameterNames(path).map((name) => {
      const { description: meaning = '' } =
        described.find((one) => one.in === 'path' && one.name === name) ?? {};
      return `@param ${name} ${meaning}`.trim();
    }),
    ...methodErrors(documented).map(({ name, codes }) =>
      `@throws {${name}} ${codes.map((code) => `\`${code}\``).join(', ')}`.trim(),
    ),
    ...(deprecated ? ['@deprecated The contract says since when, and until when it works.'] : []),
  ];
  return `  ${comment([text.filter(Boolean).join('\n\n'), tags.join('\n')], '  ')}`;
}

function errorClass(status: string): string {
  return errorOf(new Response(null, { status: Number(status) }), undefined).name;
}

function comment(paragraphs: readonly string[], indent = ''): string {
  const text = paragraphs.filter(Boolean).join('\n\n').replaceAll('*/', '*\\/');
  const lines = text.split('\n').map((line) => `${indent} * ${line}`.trimEnd());
  return text.includes('\n') ? `/**\n${lines.join('\n')}\n${indent} */\n` : `/** ${text} */\n`;
}
