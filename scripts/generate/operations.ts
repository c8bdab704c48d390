import { permissionOf, type Route, routesOf } from '../../server/contract/index.ts';
import type { Contract } from '../contract/source.ts';

const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n\n';

/** The runtime data of each operation: method, path, resource, and the permission that a caller needs. */
export function operationsModule(contract: Contract): string {
  const routes = routesOf(contract);
  const permissions = new Set(routes.flatMap(({ operation }) => permissionOf(operation) ?? []));
  return [
    banner,
    '/** Every operation of the contract, by operationId. */\n',
    `export const operations = {\n${routes.map(entryOf).sort().join('')}} as const;\n\n`,
    list('permissions', 'Every permission that an operation can require.', [...permissions].sort()),
    errorMessages(contract),
  ].join('');
}

function entryOf({ path, method, operation }: Route): string {
  const fields = {
    method,
    path,
    resource: operation.tags?.[0],
    caller: (operation.security ?? []).length > 0,
    permission: permissionOf(operation) ?? null,
  };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}: ${literal(value)}`)
    .join(', ');
  return `  ${operation.operationId}: { ${text} },\n`;
}

/** Each error code with its default message, from `x-enumDescriptions`. */
function errorMessages(contract: Contract): string {
  const schema = contract.components['schemas']?.['ErrorCode'] as {
    enum: string[];
    'x-enumDescriptions': Record<string, string>;
  };
  const entries = schema.enum.map((code) => {
    const message = schema['x-enumDescriptions'][code];
    if (!message) throw new Error(`The error code ${code} has no message in x-enumDescriptions.`);
    return `  ${code}: ${JSON.stringify(message)},\n`;
  });
  const comment = '/** Every error code with its default message. */\n';
  return `${comment}export const errorMessages = {\n${entries.join('')}} as const;\n`;
}

function list(name: string, comment: string, values: string[]): string {
  const items = values.map((value) => `  ${literal(value)},\n`).join('');
  return `/** ${comment} */\nexport const ${name} = [\n${items}] as const;\n\n`;
}

function literal(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`;
}
