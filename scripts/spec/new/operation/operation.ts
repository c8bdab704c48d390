import { randomUUID } from 'node:crypto';
import { stringify } from 'yaml';
import type { Contract } from '../../../contract/source.ts';
import { withActors, withImport } from '../code-edits.ts';
import { appended, appendedTag } from '../contract-edits.ts';
import type { Draft } from '../draft.ts';
import { draftMatrixLines } from '../matrix.ts';
import { templatesIn, usualHeaders, type Values } from '../template.ts';
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

const templates = new URL('templates/', import.meta.url);
const entry = 'spec/openapi.yaml';

/** Fills a template with the names of the operation, and more. */
type Fill = (template: string, more?: Values) => string;

/**
 * Drafts an operation: contract, handler, store function, line of the permission matrix, test and samples.
 * @returns what its author does next
 */
export function draftOperation(draft: Draft, plan: Plan, contract: Contract): string[] {
  const values = valuesOf(plan);
  const fill: Fill = (template, more) => templatesIn(templates, { ...values, ...more })(template);
  draftPath(draft, plan, fill);
  draftEntries(draft, `spec/schemas/${plan.resource}.yaml`, fill('schemas.yaml'));
  draftEntries(draft, `spec/examples/${plan.resource}.yaml`, examplesYaml(plan));
  draftHandler(draft, plan, fill);
  draftStore(draft, plan, fill);
  draftTest(draft, plan, fill);
  draftSamples(draft, plan, fill);
  const isListed = draftMatrixLines(draft, contract, [plan]);
  return fill('remaining.txt', { isListed }).trimEnd().split('\n');
}

/** What an operation of a method does, and the outcome of its store function. */
const deeds: Record<Method, [does: string, done: string]> = {
  get: ['returns', 'found'],
  post: ['creates', 'created'],
  put: ['replaces', 'replaced'],
  patch: ['changes', 'changed'],
  delete: ['deletes', 'deleted'],
};

function valuesOf(plan: Plan): Values {
  const { resource, operationId, verb, method, path, permission, parameters, thing, isList, isAction } = plan;
  const { addressables, result, body } = plan;
  const words = wordsOf(thing);
  const isPost = method === 'post';
  const creates = isPost && !isAction;
  const [does, done] = isAction ? [thirdPerson(verb), past(verb)] : deeds[method];
  const changed = method === 'patch' ? `the fields of the ${words} that the request has` : `the ${words}`;
  const isMany = isList || singular(thing) !== thing;
  const valuesInTest = parameters.map((name) => `${name}: ${addressables[name]?.value}`);
  const json = JSON.stringify(body && sentBy(body));
  const [field = 'id'] = !isList && result?.existing ? Object.keys(result.existing) : [];
  const hasField = `.toHaveProperty('${field}')`;
  return {
    resource,
    operationId,
    method,
    path,
    permission,
    words,
    does,
    done,
    isList,
    isPost,
    resources: camelOfKebab(resource),
    OperationId: capital(operationId),
    METHOD: method.toUpperCase(),
    Thing: thing,
    thing: camel(thing),
    object: creates ? article(words) : changed,
    AThing: capital(article(words)),
    Does: capital(does),
    kebab: wordsOf(operationId).replaceAll(' ', '-'),
    summary: isMany ? sentence(operationId) : capital(`${verb} ${article(words)}`),
    status: result ? (creates ? 201 : 200) : 204,
    isWrite: method !== 'get',
    parameters: parameters.join(', '),
    parameterItems: parameters.map((name) => `    - ${addressables[name]?.parameter}`).join('\n'),
    parameterTypes: parameters.map((name) => `${name}: string`).join('; '),
    missing: addressables[parameters.at(-1) ?? '']?.missing,
    result: result?.schema,
    resultExample: result?.example,
    resultExampleFile: result?.exampleFile,
    hasNewResult: result && !('existing' in result),
    body: body?.schema,
    bodyExample: body?.example,
    bodyExampleFile: body?.exampleFile,
    hasNewBody: body && !('existing' in body),
    newSchemas: newSchemas(plan).join(' and '),
    store: camelOfKebab(resource),
    isAwaited: valuesInTest.some((value) => value.includes('await ')),
    testOptions: optionsOf(valuesInTest, json),
    testExpectation: isList
      ? '.toEqual([])'
      : result?.existing
        ? hasField
        : ".toMatchObject({ name: 'First' })",
    isImplied: method === 'get' || (isPost && body !== undefined),
    shellPath: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${variableOf(name)}:?}`),
    shellBody: body && spacedJson(sentBy(body)).replaceAll("'", "'\\''"),
    variable: isList ? camel(operationId.slice(verb.length)) : camel(thing),
    variables: parameters.map((name) => `      const ${name} = process.env.${variableOf(name)}!;`).join('\n'),
    sampleOptions: optionsOf(parameters, json),
    sampleExpectation: !result ? ".toBe('')" : isList ? '.toEqual(expect.any(Array))' : hasField,
  };
}

/** What the request sends. */
const sentBy = ({ existing = { name: 'First' } }: Shape) => existing;

const newSchemas = ({ result, body }: Plan) =>
  [result, body].flatMap((shape) => (shape && !('existing' in shape) ? shape.schema : []));

/** The second argument of a call of the client. */
function optionsOf(parameters: string[], body: string | undefined): string {
  const options = [
    ...(parameters.length > 0 ? [`params: { path: { ${parameters.join(', ')} } }`] : []),
    ...(body ? [`body: ${body}`] : []),
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

/** Adds the operation to the item of its path, or the item and its line in the table of contents. */
function draftPath(draft: Draft, plan: Plan, fill: Fill): void {
  const { resource, path } = plan;
  const file = `spec/paths/${resource}.yaml`;
  const text = draft.read(file) ?? '';
  const headers = text.includes('&commonHeaders') ? '*commonHeaders' : `&commonHeaders\n${usualHeaders}`;
  const existing = itemOf(draft.read(entry) ?? '', path);
  const item = existing ?? freeName(text, plan);
  const operation = fill('path.yaml', { headers, item: existing ? '' : item, isNewFile: text === '' });
  if (existing) draft.change(file, () => appended(text, item, operation));
  else {
    draft.set(file, text + operation);
    const line = `  ${path}:\n    $ref: paths/${resource}.yaml#/${item}\n`;
    draft.change(entry, (root) => appended(root, 'paths', line));
  }
  if (plan.isNewResource) {
    const description = `The ${wordsOf(camelOfKebab(resource))} of a workspace.`;
    draft.change(entry, (root) => appendedTag(root, resource, description));
  }
}

/** The name under which the path's item stands in its file, where the path is there already. */
function itemOf(text: string, path: string): string | undefined {
  const at = text.indexOf(`\n  ${path}:\n`);
  return at < 0 ? undefined : /\$ref: \S+#\/(\w+)/.exec(text.slice(at))?.[1];
}

/** The last word of the path, with the one before it where that is taken. */
function freeName(text: string, { path, resource }: Plan): string {
  const words = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const isTaken = (name: string) => new RegExp(`^${name}:`, 'm').test(text);
  const named = camelOfKebab(words.slice(-1)[0] ?? resource);
  if (!isTaken(named)) return named;
  let name = camelOfKebab(words.slice(-2).join('-'));
  for (let number = 2; isTaken(name); number++) name = `${named}${number}`;
  return name;
}

/** Adds the entries whose names the file does not have yet. */
function draftEntries(draft: Draft, file: string, entries: string): void {
  const text = draft.read(file) ?? '';
  const missing = entries
    .split(/^(?=\w)/m)
    .filter((one) => one !== '' && !`\n${text}`.includes(`\n${one.slice(0, one.indexOf(':'))}:`));
  if (missing.length > 0) draft.set(file, text + missing.join(''));
}

/** Those that are in no other file. */
function examplesYaml({ resource, thing, method, isList, result, body }: Plan): string {
  const aThing = capital(article(wordsOf(thing)));
  const one = { id: randomUUID(), name: 'First', createdDateTime: '2026-11-16T08:30:00.000Z' };
  const examples: [Shape | undefined, summary: string, value: unknown][] = [
    [result, isList ? `One ${wordsOf(thing)}` : aThing, isList ? [one] : one],
    [body, method === 'post' ? `${aThing} to create` : 'Another name', { name: 'First' }],
  ];
  const texts = examples.flatMap(([shape, summary, value]) => {
    if (shape?.exampleFile !== `../examples/${resource}.yaml`) return [];
    const example = { [shape.example]: { summary, value: shape.existing ?? value } };
    // Some readers take a timestamp without quotes for a date.
    return stringify(example, { compat: 'yaml-1.1', singleQuote: true });
  });
  return texts.join('');
}

/** Puts the handler behind the last one. */
function draftHandler(draft: Draft, { resource }: Plan, fill: Fill): void {
  const file = `server/src/handlers/${resource}.ts`;
  const text = draft.read(file) ?? fill('handlers.ts.txt');
  const module = `../store/${resource}.ts`;
  const alias = new RegExp(`import \\* as (\\w+) from '${module}'`).exec(text)?.[1];
  const store = alias ?? `${camelOfKebab(resource)}Store`;
  draft.change(file, () =>
    text.replace(
      /(: HandlersOf<'[^']*'> => [\s\S]*?\n)(\}\);\n| {2}\};\n\};\n)/,
      (_, before, end) => `${before}\n${fill('handler.ts.txt', { store })}${end}`,
    ),
  );
  if (!alias) draft.change(file, (changed) => `import * as ${store} from '${module}';\n${changed}`);
}

function draftStore(draft: Draft, { resource, result, body }: Plan, fill: Fill): void {
  draft.change(`server/src/store/${resource}.ts`, (before) => {
    const schemas = [result, body].flatMap((shape) => shape?.schema ?? []);
    let text = schemas.length > 0 ? withImport(before, '../../../generated/types.ts', schemas) : before;
    text = withImport(text, '../domain/caller.ts', ['Caller']);
    text = withImport(text, './database.ts', ['Database']);
    return `${text.trimEnd()}\n\n${fill('store.ts.txt')}`;
  });
}

function draftTest(draft: Draft, { resource, addressables }: Plan, fill: Fill): void {
  const usesWorld = Object.values(addressables).some(({ value }) => value.startsWith('world.'));
  draft.change(`test/endpoints/${resource}.test.ts`, (before) => {
    let text = before || fill('endpoint-file.test.ts.txt');
    text = withImport(text, '../support/responses.ts', ['bodyOf', 'expectRefusal'], false);
    text = withImport(text, 'vitest', ['describe', 'expect', 'test'], false);
    text = withActors(text, ['owner', 'outsider', ...(usesWorld ? ['world'] : [])]);
    return `${text.trimEnd()}\n\n${fill('endpoint.test.ts.txt')}`;
  });
}

/** Both samples of the operation, which the portal shows and `npm test` runs: cURL and TypeScript. */
function draftSamples(draft: Draft, { resource }: Plan, fill: Fill): void {
  draft.change(`test/samples/${resource}.sh`, (before) =>
    `${before.trimEnd()}\n\n${fill('sample.sh.txt')}`.trimStart(),
  );
  draft.change(`test/samples/${resource}.ts`, (before) => {
    let text = before || fill('samples.ts.txt');
    text = withImport(text, 'vitest', ['describe', 'expect', 'test'], false);
    text = withImport(text, '@wrp/client', ['unwrap'], false);
    return text.replace(/\n\}\n*$/, () => `\n\n${fill('sample.ts.txt')}}\n`);
  });
}
