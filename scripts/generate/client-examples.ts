/** The examples of every operation's responses, for the client's mock handlers. */
import {
  deprecationHeaders,
  deprecationOf,
  type ResponseObject,
  routesOf,
} from '../../server/contract/index.ts';
import { CommandError } from '../command-line/command.ts';
import type { Contract } from '../contract/source.ts';

/** @throws {CommandError} if a body or a header of a response has no example */
export function clientExamplesModule(contract: Contract): string {
  /** The header sets by their code: most responses share one. */
  const headerSets = new Map<string, string>();
  const nameOfHeaders = (code: string) => {
    const name = headerSets.get(code) ?? `headers${headerSets.size + 1}`;
    headerSets.set(code, name);
    return name;
  };
  const entries = routesOf(contract).map(({ path, method, operation }) => {
    const { operationId, responses, security } = operation;
    const examples = Object.entries(responses).map(([status, response]) => {
      const title = `${operationId} ${status}`;
      const headers = nameOfHeaders(headersOf(title, response));
      return `      ${status}: { headers: ${headers}${bodyOf(title, response)} },\n`;
    });
    const isPublic = security?.length === 0 ? ', isPublic: true' : '';
    const dates = deprecationOf(operation);
    const deprecated = dates ? `, deprecated: ${JSON.stringify(deprecationHeaders([dates]))}` : '';
    const route = `method: '${method}', path: '${path.replaceAll(/\{(\w+)\}/g, ':$1')}'${isPublic}${deprecated}`;
    return `  ${operationId}: {\n    ${route},\n    responses: {\n${examples.join('')}    },\n  },\n`;
  });
  return [
    '// Generated from spec/ by `npm run generate`. Do not edit.\n\n',
    "import type { ExamplesOf, OperationId } from './msw-types.ts';\n\n",
    ...[...headerSets].map(([code, name]) => `const ${name} = ${code};\n`),
    '\n/** The first example of each response. An operation, a status or a header without one does not compile. */\n',
    `export const examples: { readonly [Id in OperationId]: ExamplesOf<Id> } = {\n${entries.join('')}};\n`,
  ].join('');
}

/** The code of a response's headers, with their examples. Each response has a `Request-Id` of its own. */
function headersOf(title: string, { headers = {} }: ResponseObject): string {
  const entries = Object.entries(headers).filter(([name]) => name !== 'Request-Id');
  for (const [name, { example }] of entries)
    if (example === undefined) throw new CommandError(`${name} of ${title} has no example in the contract.`);
  const values = entries.map(
    ([name, { example }]) => `  ${JSON.stringify(name)}: ${JSON.stringify(String(example))},\n`,
  );
  return `{\n${values.join('')}}`;
}

/** The code of a body's media type and example; nothing for a response without a body. */
function bodyOf(title: string, { content }: ResponseObject): string {
  if (!content) return '';
  const media = Object.entries(content);
  const [type = ''] = media.map(([name]) => name).filter((name) => !name.includes('*'));
  const [value] = media.flatMap(([, { example, examples = {} }]) =>
    example === undefined ? Object.values(examples).map((one) => one.value) : [example],
  );
  if (value === undefined) throw new CommandError(`${title} has no example in the contract.`);
  return `, type: ${JSON.stringify(type)}, body: ${JSON.stringify(value)}`;
}
