import type { Contract } from '../contract/source.ts';

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;
const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n\n';

type Operation = {
  operationId: string;
  tags: [string];
  security: Record<string, string[]>[];
  responses: Record<string, unknown>;
};

/** What types cannot say about an operation, as values: where it is served and what it asks of a caller. */
export function operationsModule(contract: Contract): string {
  const found = Object.entries(contract.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => ({ path, method, operation: item[method] as Operation })),
  );
  const entries = found.map(({ path, method, operation }) => describe(path, method, operation));
  const permissions = new Set(found.flatMap(({ operation }) => permissionOf(operation) ?? []));
  return [
    banner,
    '/** Every operation of the contract, by operationId. */\n',
    `export const operations = {\n${entries.sort().join('')}} as const;\n\n`,
    list('permissions', 'Every permission that an operation can ask for.', [...permissions].sort()),
    errorMessages(contract),
  ].join('');
}

function describe(path: string, method: string, operation: Operation): string {
  const fields = {
    method,
    path,
    resource: operation.tags[0],
    caller: operation.security.length > 0,
    permission: permissionOf(operation),
  };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}: ${literal(value)}`)
    .join(', ');
  return `  ${operation.operationId}: { ${text} },\n`;
}

/** The one permission of an operation; both schemes name the same, which a lint rule holds. */
function permissionOf(operation: Operation): string | null {
  const roles = operation.security.flatMap((requirement) => Object.values(requirement).flat());
  return roles[0] ?? null;
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
