import { randomUUID } from 'node:crypto';
import { stringify } from 'yaml';
import type { Contract } from '../../../contract/source.ts';
import { withActors, withImport } from '../code-edits.ts';
import { appended, appendedTag } from '../contract-edits.ts';
import type { Draft } from '../draft.ts';
import { draftMatrixLines } from '../matrix.ts';
import { templatesIn, type Values } from '../template.ts';
import { article, camelOfKebab, capital, wordsOf } from '../words.ts';
import type { Plan } from './plan.ts';
import type { Shape } from './shapes.ts';
import { valuesOf } from './values.ts';

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

/** Adds the operation to the item of its path, or the item and its line in the table of contents. */
function draftPath(draft: Draft, plan: Plan, fill: Fill): void {
  const { resource, path } = plan;
  const file = `spec/paths/${resource}.yaml`;
  const text = draft.read(file) ?? '';
  const existing = itemOf(draft.read(entry) ?? '', path);
  const item = existing ?? freeName(text, plan);
  const operation = fill('path.yaml', { item: existing ? '' : item });
  if (existing) draft.change(file, () => appended(text, item, operation));
  else {
    draft.set(file, text + operation);
    const line = `  ${path}: { $ref: paths/${resource}.yaml#/${item} }\n`;
    draft.change(entry, (root) => appended(root, 'paths', line));
  }
  if (plan.isNewResource) {
    const description = `The ${wordsOf(camelOfKebab(resource))} of a workspace.`;
    draft.change(entry, (root) => appendedTag(root, resource, description));
  }
}

/** The name under which the path's item stands in its file, where the path is there already. */
function itemOf(text: string, path: string): string | undefined {
  const at = text.indexOf(`\n  ${path}:`);
  return at < 0 ? undefined : /\$ref: \S+#\/(\w+)/.exec(text.slice(at))?.[1];
}

/** The last word of the path, or the operationId where that is taken. */
function freeName(text: string, { path, resource, operationId }: Plan): string {
  const words = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  const name = camelOfKebab(words.at(-1) ?? resource);
  return new RegExp(`^${name}:`, 'm').test(text) ? operationId : name;
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
