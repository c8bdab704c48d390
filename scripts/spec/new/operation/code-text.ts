import { camel, camelOfKebab, capital, past, thirdPerson, wordsOf } from '../words.ts';
import { successOf } from './contract-words.ts';
import type { Plan } from './plan.ts';

/** The handler, as a method; every line indented by `indent`. @param store what the store's module is called there */
export function handlerText(plan: Plan, indent: string, store: string): string {
  const { operationId, parameters, isList, body } = plan;
  const needs = [...(parameters.length > 0 ? ['path'] : []), ...(body ? ['body'] : []), 'caller', 'database'];
  const asked = `{ ...caller${parameters.length > 0 ? ', ...path' : ''} }`;
  const call = `${store}.${operationId}(database, ${parameters.length > 0 ? asked : 'caller'}${body ? ', body' : ''})`;
  const lines = isList
    ? [`return { status: 200, body: await ${call} };`]
    : [
        `const outcome = await ${call};`,
        'switch (outcome.kind) {',
        `  case '${pastOf(plan)}':`,
        `    return ${replyOf(plan)};`,
        '}',
      ];
  return [`async ${operationId}({ ${needs.join(', ')} }) {`, ...lines.map((line) => `  ${line}`), '},']
    .map((line) => `${indent}${line}\n`)
    .join('');
}

/** The first handlers of a resource. */
export function handlersFile(plan: Plan): string {
  const store = camelOfKebab(plan.resource);
  return `import type { HandlersOf } from '../http/operation.ts';
import * as ${store} from '../store/${plan.resource}.ts';

export const handlers = (): HandlersOf<'${plan.resource}'> => ({
${handlerText(plan, '  ', store)}});
`;
}

/** The generated types that the store function uses. */
export function storeTypes({ result, body }: Plan): string[] {
  return [result, body].flatMap((shape) => shape?.schema ?? []).sort();
}

/**
 * The store function. It throws until its statement is written: made-up results would look like real ones.
 */
export function storeText(plan: Plan): string {
  const { operationId, parameters, thing, isList, resource, body } = plan;
  const words = wordsOf(thing);
  const where = `Caller${parameters.length > 0 ? ` & { ${parameters.map((name) => `${name}: string`).join('; ')} }` : ''}`;
  const outcome = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Outcome`;
  const result = isList ? `${thing}[]` : outcome;
  const type = isList
    ? ''
    : `/** A further outcome needs a further \`case\` in the handler. */
export type ${outcome} = { kind: '${pastOf(plan)}'${plan.method === 'delete' ? '' : `; ${camel(thing)}: ${thing}`} };

`;
  const meaning = isList
    ? `Every ${words} that the caller may see, in the order of creation.`
    : `${pastSentence(plan)}`;
  return `${type}/** ${meaning} */
export async function ${operationId}(
  _database: Database,
  _asked: ${where},${body ? `\n  _body: ${body.schema},` : ''}
): Promise<${result}> {
  throw new Error('${operationId} of store/${resource}.ts: write the statement.');
}
`;
}

/** The `describe` of the operation. */
export function testText(plan: Plan): string {
  const { operationId, method, path, parameters, addressables, permission, body } = plan;
  const values = parameters.map((name) => `${name}: ${addressables[name]?.value}`).join(', ');
  const options = [
    ...(parameters.length > 0 ? [`params: { path: { ${values} } }`] : []),
    ...(body ? [`body: ${JSON.stringify(body.existing ?? { name: 'First' })}`] : []),
  ];
  const call = `client.${method.toUpperCase()}('${path}'${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`;
  return `describe('${operationId}', () => {
  const call = ${call.includes('await ') ? 'async ' : ''}(client: typeof owner) =>
    ${call};

  test('${deedOf(plan)}', async () => {
    ${expectationOf(plan)}
  });

  test('refuses a caller without ${permission}: 403', async () => {
    await expectRefusal(call(outsider), 403, 'permission_denied');
  });
});
`;
}

function deedOf({ method, verb, isList, isAction, thing }: Plan): string {
  const words = wordsOf(thing);
  if (isAction) return `${thirdPerson(verb)} the ${words}`;
  const deeds = { get: 'returns', post: 'creates', put: 'replaces', patch: 'changes', delete: 'deletes' };
  return isList ? 'returns an empty list if there are none' : `${deeds[method]} the ${words}`;
}

/** What the response has, whichever fields its author chooses. */
function expectationOf(plan: Plan): string {
  const { isList, result } = plan;
  if (!result) return 'await bodyOf(204, call(owner));';
  const body = `expect(await bodyOf(${successOf(plan)}, call(owner)))`;
  if (isList) return `${body}.toEqual([]);`;
  if (!('existing' in result)) return `${body}.toMatchObject({ name: 'First' });`;
  const [field = 'id'] = Object.keys(result.existing as object);
  return `${body}.toHaveProperty('${field}');`;
}

/** The first test file of a resource. */
export function testFile(plan: Plan): string {
  const world = plan.parameters.length > 0 ? ', world' : '';
  return `import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';

const { owner, outsider${world} } = await api();

${testText(plan)}`;
}

function replyOf(plan: Plan): string {
  const status = successOf(plan);
  return status === 204 ? '{ status: 204 }' : `{ status: ${status}, body: outcome.${camel(plan.thing)} }`;
}

/** The outcome of the store function, in the past tense. */
function pastOf({ method, verb, isAction }: Plan): string {
  if (isAction) return past(verb);
  return { get: 'found', post: 'created', put: 'replaced', patch: 'changed', delete: 'deleted' }[method];
}

function pastSentence(plan: Plan): string {
  const words = wordsOf(plan.thing);
  if (plan.isAction) return `${capital(thirdPerson(plan.verb))} the ${words}.`;
  return {
    get: `Finds the ${words}.`,
    post: `Creates the ${words}.`,
    put: `Replaces the ${words}.`,
    patch: `Changes the ${words}.`,
    delete: `Deletes the ${words}.`,
  }[plan.method];
}
