import { camel, camelOfKebab, wordsOf } from '../words.ts';
import type { Plan } from './plan.ts';

/** The call as a reader types it, with variables of the environment. */
export function shellSample({ operationId, method, path, body }: Plan): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${variableOf(name)}:?}`);
  const isImplied = method === 'get' || (method === 'post' && body);
  const lines = [
    `curl ${address === path ? '' : '--path-as-is '}${isImplied ? '' : `-X ${method.toUpperCase()} `}"$BASE_URL${address}"`,
    '-H "Authorization: $TOKEN"',
    ...(body ? ['-H "Content-Type: application/json"'] : []),
    ...(method === 'post'
      ? [`-H "Idempotency-Key: ${wordsOf(operationId).replaceAll(' ', '-')}-$RANDOM"`]
      : []),
    ...(body ? [`-d '${spacedJson(sentBy(body)).replaceAll("'", "'\\''")}'`] : []),
  ];
  return `#region ${operationId}\n${lines.join(' \\\n  ')}\n#endregion\n`;
}

/** The `describe` of the operation: the sample between its marks, and a test of each language. */
export function typeScriptSample(plan: Plan): string {
  const { operationId, verb, method, path, parameters, thing, isList, result, body } = plan;
  const variable = isList ? camel(operationId.slice(verb.length)) : camel(thing);
  const options = [
    ...(parameters.length > 0 ? [`params: { path: { ${parameters.join(', ')} } }`] : []),
    ...(body ? [`body: ${JSON.stringify(sentBy(body))}`] : []),
  ];
  const call = `await unwrap(client.${method.toUpperCase()}('${path}'${options.length > 0 ? `, { ${options.join(', ')} }` : ''}));`;
  const variables = parameters.map((name) => `const ${name} = process.env.${variableOf(name)}!;`);
  const sample = [
    ...(variables.length > 0 ? [...variables, ''] : []),
    result ? `const ${variable} = ${call}` : call,
  ];
  const indented = sample.map((line) => (line === '' ? '' : `      ${line}`)).join('\n');
  const expectation = expectationOf(plan);
  return `  describe('${operationId}', () => {
    test('TypeScript', async () => {
      //#region ${operationId}
${indented}
      //#endregion${result ? `\n      expect(${variable})${expectation};` : ''}
    });

    test(language, async () => {
      expect(await run('${operationId}'))${expectation};
    });
  });
`;
}

/** The first samples of a resource. */
export function sampleFile(plan: Plan): string {
  return `// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function ${camelOfKebab(plan.resource)}({ language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.BASE_URL!, token: process.env.TOKEN! });
  //#endregion

${typeScriptSample(plan)}}
`;
}

/** What the response has, whichever fields its author chooses. */
function expectationOf({ isList, result }: Plan): string {
  if (!result) return ".toBe('')";
  if (isList) return '.toEqual(expect.any(Array))';
  const [field = 'id'] = 'existing' in result ? Object.keys(result.existing as object) : [];
  return `.toHaveProperty('${field}')`;
}

const sentBy = ({ existing = { name: 'First' } }: { existing?: unknown }) => existing;

/** On one line, with a space behind colons and commas. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/([{[])\n\s*|\n\s*([}\]])/g, '$1$2')
    .replaceAll(/\n\s*/g, ' ');
}

/** `workspaceId` → `WORKSPACE_ID`: as the guides call it. */
function variableOf(parameter: string): string {
  return wordsOf(parameter).replaceAll(' ', '_').toUpperCase();
}
