import type { Values } from '../template.ts';
import {
  article,
  camel,
  camelOfKebab,
  capital,
  past,
  sentence,
  singular,
  thirdPerson,
  wordsOf,
} from '../words.ts';
import type { Method, Plan } from './plan.ts';
import type { Shape } from './shapes.ts';

/** What the names in the templates of an operation stand for. */
export function valuesOf(plan: Plan): Values {
  return { ...wordingOf(plan), ...contractValues(plan), ...codeValues(plan), ...sampleValues(plan) };
}

/** What an operation of a method does, and the outcome of its store function. */
const deeds: Record<Method, [does: string, done: string]> = {
  get: ['returns', 'found'],
  post: ['creates', 'created'],
  put: ['replaces', 'replaced'],
  patch: ['changes', 'changed'],
  delete: ['deletes', 'deleted'],
};

function wordingOf(plan: Plan): Values {
  const { resource, operationId, verb, method, thing, isList, isAction } = plan;
  const words = wordsOf(thing);
  const [does, done] = isAction ? [thirdPerson(verb), past(verb)] : deeds[method];
  const changed = method === 'patch' ? `the fields of the ${words} that the request has` : `the ${words}`;
  const isMany = isList || singular(thing) !== thing;
  return {
    words,
    does,
    done,
    Does: capital(does),
    AThing: capital(article(words)),
    object: creates(plan) ? article(words) : changed,
    summary: isMany ? sentence(operationId) : capital(`${verb} ${article(words)}`),
    thing: camel(thing),
    Thing: thing,
    OperationId: capital(operationId),
    resources: camelOfKebab(resource),
  };
}

function contractValues(plan: Plan): Values {
  const { resource, operationId, method, path, permission, parameters, addressables, isList } = plan;
  const { result, body } = plan;
  const [hasNewResult, hasNewBody] = [result, body].map((shape) => shape && !('existing' in shape));
  const newSchemas = [hasNewResult && result?.schema, hasNewBody && body?.schema];
  return {
    resource,
    operationId,
    method,
    path,
    permission,
    isList,
    isPost: method === 'post',
    isWrite: method !== 'get',
    status: statusOf(plan),
    parameterItems: parameters.map((name) => `    - ${addressables[name]?.parameter}`).join('\n'),
    missing: addressables[parameters.at(-1) ?? '']?.missing,
    result: result?.schema,
    resultExample: result?.example,
    resultExampleFile: result?.exampleFile,
    hasNewResult,
    body: body?.schema,
    bodyExample: body?.example,
    bodyExampleFile: body?.exampleFile,
    hasNewBody,
    newSchemas: newSchemas.filter(Boolean).join(' and '),
  };
}

/** For the handler, the store function and the test. */
function codeValues({ method, parameters, addressables, isList, result, body }: Plan): Values {
  const testParameters = parameters.map((name) => `${name}: ${addressables[name]?.value}`);
  return {
    METHOD: method.toUpperCase(),
    parameters: parameters.join(', '),
    parameterTypes: parameters.map((name) => `${name}: string`).join('; '),
    isAwaited: testParameters.some((value) => value.includes('await ')),
    testOptions: optionsOf(testParameters, body),
    field: isList ? '' : fieldOf(result),
  };
}

function sampleValues({
  operationId,
  verb,
  method,
  path,
  parameters,
  thing,
  isList,
  result,
  body,
}: Plan): Values {
  return {
    kebab: wordsOf(operationId).replaceAll(' ', '-'),
    isImplied: method === 'get' || (method === 'post' && body !== undefined),
    shellPath: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${variableOf(name)}:?}`),
    shellBody: body && spacedJson(sentBy(body)).replaceAll("'", "'\\''"),
    variable: isList ? camel(operationId.slice(verb.length)) : camel(thing),
    variables: parameters.map((name) => `      const ${name} = process.env.${variableOf(name)}!;`).join('\n'),
    sampleOptions: optionsOf(parameters, body),
    sampleExpectation: sampleExpectation(isList, result),
  };
}

/** Whether it adds an object. */
const creates = ({ method, isAction }: Plan) => method === 'post' && !isAction;

function statusOf(plan: Plan): number {
  if (!plan.result) return 204;
  return creates(plan) ? 201 : 200;
}

/** The first field of an existing schema's example: whichever fields its author chooses for a new one. */
function fieldOf(result: Shape | undefined): string {
  const [field = ''] = result?.existing ? Object.keys(result.existing) : [];
  return field;
}

function sampleExpectation(isList: boolean, result: Shape | undefined): string {
  if (!result) return ".toBe('')";
  return isList ? '.toEqual(expect.any(Array))' : `.toHaveProperty('${fieldOf(result) || 'id'}')`;
}

/** What the request sends. */
const sentBy = ({ existing = { name: 'First' } }: Shape) => existing;

/** The second argument of a call of the client. */
function optionsOf(parameters: string[], body: Shape | undefined): string {
  const options = [
    ...(parameters.length > 0 ? [`params: { path: { ${parameters.join(', ')} } }`] : []),
    ...(body ? [`body: ${JSON.stringify(sentBy(body))}`] : []),
  ];
  return options.length > 0 ? `, { ${options.join(', ')} }` : '';
}

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
