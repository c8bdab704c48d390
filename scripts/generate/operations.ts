import { permissionOf, type Route, routesOf } from '../../server/src/contract/routes.ts';
import type { Contract } from '../contract/source.ts';

const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n\n';

/** What types cannot say about an operation, as values: where it is served and what it asks of a caller. */
export function operationsModule(contract: Contract): string {
  const routes = routesOf(contract);
  const permissions = new Set(routes.flatMap(({ operation }) => permissionOf(operation) ?? []));
  return [
    banner,
    '/** Every operation of the contract, by operationId. */\n',
    `export const operations = {\n${routes.map(entryOf).sort().join('')}} as const;\n\n`,
    list('permissions', 'Every permission that an operation can ask for.', [...permissions].sort()),
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

/** Each error code with its sentence, which the contract writes beside the code. */
function errorMessages(contract: Contract): string {
  const schema = contract.components['schemas']?.['ErrorCode'] as {
    enum: string[];
    'x-enumDescriptions': Record<string, string>;
  };
  const entries = schema.enum.map((code) => {
    const sentence = schema['x-enumDescriptions'][code];
    if (!sentence) throw new Error(`The error code ${code} has no sentence in x-enumDescriptions.`);
    return `  ${code}: ${JSON.stringify(sentence)},\n`;
  });
  const meaning = '/** Every code that an error can carry, with the sentence that goes with it. */\n';
  return `${meaning}export const errorMessages = {\n${entries.join('')}} as const;\n`;
}

function list(name: string, meaning: string, values: string[]): string {
  const items = values.map((value) => `  ${literal(value)},\n`).join('');
  return `/** ${meaning} */\nexport const ${name} = [\n${items}] as const;\n\n`;
}

function literal(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`;
}
