/** The examples of every operation's responses, for the client's mock handlers. */
import { type ResponseObject, routesOf } from '../../server/src/contract/routes.ts';
import { CommandError } from '../command-line/command.ts';
import type { Contract } from '../contract/source.ts';

/** @throws {CommandError} if an operation has no success, or an error without an example */
export function clientExamplesModule(contract: Contract): string {
  const entries = routesOf(contract).map(({ path, method, operation: { operationId, responses } }) => {
    const examples = Object.entries(responses)
      .filter(([status]) => !status.startsWith('3'))
      .map(([status, response]) => `      ${status}: ${exampleOf(`${operationId} ${status}`, response)},\n`);
    const route = `method: '${method}', path: '${path.replaceAll(/\{(\w+)\}/g, ':$1')}'`;
    return `  ${operationId}: {\n    ${route},\n    responses: {\n${examples.join('')}    },\n  },\n`;
  });
  return [
    '// Generated from spec/ by `npm run generate`. Do not edit.\n\n',
    "import type { ExamplesOf, OperationId } from './msw-types.ts';\n\n",
    '/** The first example of each response. An operation or a status without one does not compile. */\n',
    `export const examples: { readonly [Id in OperationId]: ExamplesOf<Id> } = {\n${entries.join('')}};\n`,
  ].join('');
}

/** The code of an example: its media type and body; only `{}` for a response without a body. */
function exampleOf(title: string, { content }: ResponseObject): string {
  if (!content) return '{}';
  const media = Object.entries(content);
  const [type = ''] = media.map(([name]) => name).filter((name) => !name.includes('*'));
  const [value] = media.flatMap(([, { example, examples = {} }]) =>
    example === undefined ? Object.values(examples).map((one) => one.value) : [example],
  );
  if (value === undefined) throw new CommandError(`${title} has no example in the contract.`);
  return `{ type: ${JSON.stringify(type)}, body: ${JSON.stringify(value)} }`;
}
