import { addressables } from './addressables.ts';
import { successOf } from './contract-words.ts';
import type { Plan } from './plan.ts';
import { camel, camelOfKebab, capital, past, singular, thirdPerson, wordsOf } from './words.ts';

/** The function that makes the handlers of a resource: `paymentReminderHandlers`. */
export function handlersOf({ resource }: Plan): string {
  return `${singular(camelOfKebab(resource))}Handlers`;
}

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

/** The file of a resource that has none yet. */
export function handlersFile(plan: Plan): string {
  const store = camelOfKebab(plan.resource);
  return `import type { HandlersOf } from '../http/operation.ts';
import * as ${store} from '../store/${plan.resource}.ts';

export const ${handlersOf(plan)} = (): HandlersOf<'${plan.resource}'> => ({
${handlerText(plan, '  ', store)}});
`;
}

/** The types that a file of the store needs of generated/types.ts. */
export function storeTypes({ answer, body }: Plan): string[] {
  return [answer, body].flatMap((shape) => shape?.schema ?? []).sort();
}

/**
 * The store function. It says what it will promise, and refuses to answer until somebody has decided where the things
 * are kept: an answer that is made up would look like one that is not.
 */
export function storeText(plan: Plan): string {
  const { operationId, parameters, thing, isList, resource, body } = plan;
  const words = wordsOf(thing);
  const where = `Caller${parameters.length > 0 ? ` & { ${parameters.map((name) => `${name}: string`).join('; ')} }` : ''}`;
  const outcome = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Outcome`;
  const result = isList ? `${thing}[]` : outcome;
  const type = isList
    ? ''
    : `/** What came of it; a further case is a further \`case\` in the handler. */
export type ${outcome} = { kind: '${pastOf(plan)}'${plan.method === 'delete' ? '' : `; ${camel(thing)}: ${thing}`} };

`;
  const meaning = isList
    ? `Each ${words} that the caller may see, in the order of their creation.`
    : `${pastSentence(plan)}`;
  return `${type}/** ${meaning} */
export async function ${operationId}(
  _database: Database,
  _asked: ${where},${body ? `\n  _body: ${body.schema},` : ''}
): Promise<${result}> {
  throw new Error('${operationId} of store/${resource}.ts: decide where each ${words} is kept, and write the statement.');
}
`;
}

/** The `describe` of the operation. */
export function testText(plan: Plan): string {
  const { operationId, method, path, parameters, permission, body } = plan;
  const values = parameters.map((name) => `${name}: ${addressables[name]?.value}`).join(', ');
  const options = [
    ...(parameters.length > 0 ? [`params: { path: { ${values} } }`] : []),
    ...(body ? [`body: ${JSON.stringify(body.existing ?? { name: 'First' })}`] : []),
  ];
  const call = `client.${method.toUpperCase()}('${path}'${options.length > 0 ? `, { ${options.join(', ')} }` : ''})`;
  return `describe('${operationId}', () => {
  const call = (client: typeof owner) =>
    ${call};

  test('${deedOf(plan)}', async () => {
    ${expectationOf(plan)}
  });

  test('needs ${permission}: 403', async () => {
    await expectRefusal(call(outsider), 403, 'permission_denied');
  });
});
`;
}

function deedOf({ method, verb, isList, isAction, thing }: Plan): string {
  const words = wordsOf(thing);
  if (isAction) return `${thirdPerson(verb)} the ${words}`;
  const deeds = { get: 'gives', post: 'creates', put: 'replaces', patch: 'changes', delete: 'deletes' };
  return isList ? 'gives none where there are none' : `${deeds[method]} the ${words}`;
}

/** What holds of the answer, whatever is decided of its fields. */
function expectationOf(plan: Plan): string {
  const { isList, answer } = plan;
  if (!answer) return 'await bodyOf(204, call(owner));';
  const body = `expect(await bodyOf(${successOf(plan)}, call(owner)))`;
  if (isList) return `${body}.toEqual([]);`;
  if (!('existing' in answer)) return `${body}.toMatchObject({ name: 'First' });`;
  const [field = 'id'] = Object.keys(answer.existing as object);
  return `${body}.toHaveProperty('${field}');`;
}

/** The file of tests of a resource that has none yet. */
export function testFile(plan: Plan): string {
  const world = plan.parameters.length > 0 ? ', world' : '';
  return `import { describe, expect, test } from 'vitest';
import { bodyOf, expectRefusal } from '../support/answers.ts';
import { api } from '../support/api.ts';

const { owner, outsider${world} } = await api();

${testText(plan)}`;
}

function replyOf(plan: Plan): string {
  const status = successOf(plan);
  return status === 204 ? '{ status: 204 }' : `{ status: ${status}, body: outcome.${camel(plan.thing)} }`;
}

/** The past fact that a store function answers with. */
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
