import ts from 'typescript';
import type { Draft } from '../draft.ts';
import { camelOfKebab } from '../words.ts';
import { handlersFile, handlerText, storeText, storeTypes, testFile, testText } from './code-text.ts';
import type { Plan } from './plan.ts';

/** Drafts handler, store function and test. */
export function draftCode(draft: Draft, plan: Plan): void {
  draftHandler(draft, plan);
  draftStore(draft, plan);
  draftTest(draft, plan);
}

function draftHandler(draft: Draft, plan: Plan): void {
  const file = `server/src/handlers/${plan.resource}.ts`;
  const text = draft.read(file);
  if (text === undefined) {
    draft.set(file, handlersFile(plan));
    return;
  }
  const store = `../store/${plan.resource}.ts`;
  const alias = new RegExp(`import \\* as (\\w+) from '${store}'`).exec(text)?.[1];
  const name = alias ?? `${camelOfKebab(plan.resource)}Store`;
  const imported = alias ? text : `import * as ${name} from '${store}';\n${text}`;
  draft.set(file, withHandler(imported, plan, name, file));
}

/** Puts the handler behind the last one of the object that the others stand in. */
function withHandler(text: string, plan: Plan, store: string, file: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  let last: ts.ObjectLiteralElementLike | undefined;
  const visit = (node: ts.Node): void => {
    if (last) return;
    if (ts.isObjectLiteralExpression(node) && node.properties.some(isHandler)) last = node.properties.at(-1);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  if (!last)
    throw new Error(`${file} holds no handlers that spec:new knows; add ${plan.operationId} by hand.`);
  const indent = ' '.repeat(source.getLineAndCharacterOfPosition(last.getStart()).character);
  const rest = text.slice(last.end).replace(/^,/, '');
  return `${text.slice(0, last.end)},\n\n${handlerText(plan, indent, store).trimEnd()}${rest}`;
}

/** A handler is an asynchronous method that is called with one object. */
function isHandler(property: ts.ObjectLiteralElementLike): boolean {
  return (
    ts.isMethodDeclaration(property) &&
    property.parameters.length <= 1 &&
    /^[a-z]+[A-Z]/.test(property.name.getText())
  );
}

function draftStore(draft: Draft, plan: Plan): void {
  const file = `server/src/store/${plan.resource}.ts`;
  let text = draft.read(file) ?? '';
  const types = storeTypes(plan);
  if (types.length > 0) text = withImport(text, '../../../generated/types.ts', types);
  text = withImport(text, '../domain/caller.ts', ['Caller']);
  text = withImport(text, './database.ts', ['Database']);
  draft.set(file, `${text.trimEnd()}\n\n${storeText(plan)}`);
}

function draftTest(draft: Draft, plan: Plan): void {
  const file = `test/endpoints/${plan.resource}.test.ts`;
  const text = draft.read(file);
  if (text === undefined) {
    draft.set(file, testFile(plan));
    return;
  }
  const callers = [
    'owner',
    'outsider',
    ...(Object.values(plan.addressables).some(({ value }) => value.startsWith('world.')) ? ['world'] : []),
  ];
  let changed = withImport(text, '../support/responses.ts', ['bodyOf', 'expectRefusal'], false);
  changed = withImport(changed, 'vitest', ['describe', 'expect', 'test'], false);
  changed = withActors(changed, callers);
  draft.set(file, `${changed.trimEnd()}\n\n${testText(plan)}`);
}

/** The text of a test file with more of what `await api()` gives. */
export function withActors(text: string, names: string[]): string {
  return text.replace(/const \{([^}]*)\} = await api\(/, (_, known: string) => {
    const all = known.split(',').map((name) => name.trim());
    const missing = names.filter((name) => !all.includes(name));
    return `const { ${[...all, ...missing].filter(Boolean).join(', ')} } = await api(`;
  });
}

/** The text with names imported from a module, beside what it imports of it already. */
export function withImport(text: string, module: string, names: string[], isType = true): string {
  const pattern = new RegExp(`import (type )?\\{([^}]*)\\} from '${module.replaceAll('.', '\\.')}';`);
  const found = pattern.exec(text);
  if (!found) return `import ${isType ? 'type ' : ''}{ ${names.join(', ')} } from '${module}';\n${text}`;
  const known = (found[2] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const mark = isType && !found[1] ? 'type ' : '';
  const missing = names.filter((name) => !known.includes(name) && !known.includes(`type ${name}`));
  const all = [...known, ...missing.map((name) => mark + name)];
  return text.replace(pattern, `import ${found[1] ?? ''}{ ${all.join(', ')} } from '${module}';`);
}
