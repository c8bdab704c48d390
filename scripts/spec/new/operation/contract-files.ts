import { appended, appendedTag } from '../contract-edits.ts';
import type { Draft } from '../draft.ts';
import { camelOfKebab, wordsOf } from '../words.ts';
import { examplesYaml, operationYaml, pathParametersYaml, schemasYaml } from './contract-text.ts';
import type { Plan } from './plan.ts';

const entry = 'spec/openapi.yaml';

/** Drafts everything of the contract: path, tag, schemas, examples. */
export function draftContract(draft: Draft, plan: Plan): void {
  const file = `spec/paths/${plan.resource}.yaml`;
  const existing = itemOf(draft.read(entry) ?? '', plan.path);
  if (existing) {
    draft.change(file, (text) => appended(text, existing, operationYaml(plan, hasHeaders(text))));
  } else {
    const text = draft.read(file) ?? heading(plan);
    const item = freeName(text, plan);
    const operation = `${pathParametersYaml(plan)}${operationYaml(plan, hasHeaders(text))}`;
    draft.set(file, `${text}${item}:\n${operation}`);
    const path = `  ${plan.path}:\n    $ref: paths/${plan.resource}.yaml#/${item}\n`;
    draft.change(entry, (root) => appended(root, 'paths', path));
  }
  if (plan.isNewResource) {
    const description = `The ${wordsOf(camelOfKebab(plan.resource))} of a workspace.`;
    draft.change(entry, (text) => appendedTag(text, plan.resource, description));
  }
  draftEntries(draft, `spec/schemas/${plan.resource}.yaml`, schemasYaml(plan));
  draftEntries(draft, `spec/examples/${plan.resource}.yaml`, newExamples(plan));
}

/** Those that stand in no other file. */
function newExamples(plan: Plan): Map<string, string> {
  const elsewhere = [plan.result, plan.body]
    .filter((shape) => shape && shape.exampleFile !== `../examples/${plan.resource}.yaml`)
    .map((shape) => shape?.example);
  return new Map([...examplesYaml(plan)].filter(([name]) => !elsewhere.includes(name)));
}

/** Adds what is not there yet under its name. */
function draftEntries(draft: Draft, file: string, entries: Map<string, string>): void {
  const text = draft.read(file) ?? '';
  const missing = [...entries].filter(([name]) => !new RegExp(`^${name}:`, 'm').test(text));
  if (missing.length > 0) draft.set(file, text + missing.map(([, entry]) => entry).join(''));
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

function hasHeaders(text: string): boolean {
  return text.includes('&commonHeaders');
}

function heading({ resource }: Plan): string {
  return `# Path items of the ${resource} resource. The headers that every result to an identified caller carries are
# written once, at the first result, and repeated by alias.
`;
}
