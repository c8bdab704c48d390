import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { routesOf, type Schema } from '../../../server/contract/index.ts';
import { suggestion } from '../../../spec/rules/nearest.js';
import type { Contract } from '../../contract/source.ts';
import { methodName } from '../../generate/client-operations.ts';
import { ArgumentError, type Edits, wordsIn } from './edits.ts';
import { typesOf } from './typescript.ts';
import { pairsIn, replaceIn, walkExamples, yamlOf } from './yaml.ts';

export const kinds = ['operation', 'schema', 'field', 'parameter'] as const;
export type Kind = (typeof kinds)[number];

type Rename = { root: URL; edits: Edits; contract: Contract; from: string; to: string };

const forms: Record<Kind, RegExp> = {
  operation: /^[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+$/,
  schema: /^[A-Z][A-Za-z0-9]*$/,
  field: /^[a-z][A-Za-z0-9]*$/,
  parameter: /^[a-z][A-Za-z0-9]*$/,
};

/** The names of a kind in a contract. A field is `Schema.field`; a parameter is in a path or a query. */
export function namesIn(kind: Kind, contract: Contract): Set<string> {
  const schemas = (contract.components.schemas ?? {}) as Record<string, Schema>;
  const names: Record<Kind, () => string[]> = {
    operation: () => routesOf(contract).map(({ operation }) => operation.operationId),
    schema: () => Object.keys(schemas),
    field: () =>
      Object.entries(schemas).flatMap(([schema, { properties }]) =>
        Object.keys(properties ?? {}).map((field) => `${schema}.${field}`),
      ),
    parameter: () => {
      const found: string[] = [];
      JSON.stringify(contract, (_, value) => {
        if (value?.in === 'path' || value?.in === 'query') found.push(value.name);
        return value;
      });
      return found;
    },
  };
  return new Set(names[kind]());
}

/**
 * Plans a rename.
 * @returns what its author does next
 * @throws {ArgumentError} if there is no such name, or the new name is taken or has another form
 */
export function planRename(kind: Kind, rename: Rename): string[] {
  const { contract, from, to } = rename;
  const names = namesIn(kind, contract);
  if (!names.has(from)) throw new ArgumentError(`there is no ${kind} ${from}.${suggestion(from, names)}`);
  if (!forms[kind].test(to))
    throw new ArgumentError(`${to} is not a name of a ${kind}, such as ${[...names][0]?.split('.').at(-1)}.`);
  const full = kind === 'field' ? `${from.split('.')[0]}.${to}` : to;
  if (names.has(full)) throw new ArgumentError(`there is a ${kind} ${full} already.`);
  return { operation: renameOperation, schema: renameSchema, field: renameField, parameter: renameParameter }[
    kind
  ](rename);
}

const matrix = 'test/sweeps/authorization-matrix.txt';

/** An operationId is a word that means nothing else: it is renamed wherever it is written. */
function renameOperation({ root, edits, contract, from, to }: Rename): string[] {
  const isCode = /^(spec|server|client|scripts)\//;
  const taken = edits.files.find((file) => isCode.test(file) && wordsIn(edits.read(file), to).length > 0);
  if (taken) throw new ArgumentError(`${to} is in use in ${taken} already.`);
  for (const file of edits.files.filter((file) => file !== matrix)) {
    for (const at of wordsIn(edits.read(file), from)) edits.replace(file, at, at + from.length, to);
  }
  if (wordsIn(edits.read(matrix), from).length > 0)
    edits.set(matrix, matrixWith(edits.read(matrix), from, to));
  renameMethod({ root, edits, contract, from, to });
  return [];
}

/** Keeps the columns, and the order of the first table. */
function matrixWith(text: string, from: string, to: string): string {
  const lines = text
    .replace(new RegExp(`^${from}( +)`, 'gm'), (all) => `${to.padEnd(all.length - 1)} `)
    .replace(new RegExp(`(?<!\\w)${from}(?!\\w)`, 'g'), to)
    .split('\n');
  const start = lines.findIndex((line) => line.startsWith('operation ')) + 1;
  const end = lines.indexOf('', start);
  return [...lines.slice(0, start), ...lines.slice(start, end).sort(), ...lines.slice(end)].join('\n');
}

/** The client's method is named after the operation: `users.reinstate`. */
function renameMethod({ root, edits, contract, from, to }: Rename): void {
  const route = routesOf(contract).find(({ operation }) => operation.operationId === from);
  const tag = route?.operation.tags?.[0] ?? 'default';
  const [old, method] = [methodName(from, tag), methodName(to, tag)];
  if (old === method) return;
  const group = tag.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const holder = group[0]?.toUpperCase() + group.slice(1);
  typesOf(root, edits).rename(
    'client/src/operations.ts',
    (path) => path.length === 2 && path[1] === old && path[0]?.startsWith(holder) === true,
    method,
  );
  // Calls in guides and in text that tests expect. The store has functions of the same names.
  for (const file of edits.files.filter((file) => !/^server\/src\//.test(file))) {
    for (const { index } of edits.read(file).matchAll(new RegExp(`\\b${group}\\.${old}(?=\\()`, 'g'))) {
      const at = index + group.length + 1;
      if (!edits.has(file, at)) edits.replace(file, at, at + old.length, method);
    }
  }
}

function renameSchema({ root, edits, from, to }: Rename): string[] {
  const yaml = yamlOf(edits);
  const isOurs = (file: string) => file.startsWith('spec/schemas/');
  for (const file of yaml.files) {
    for (const { pair, path } of pairsIn(yaml.open(file))) {
      if (isOurs(file) && path.length === 0 && isScalar(pair.key) && pair.key.value === from)
        replaceIn(edits, file, pair.key, from, to);
    }
  }
  for (const { file, scalar, target, keys } of yaml.references()) {
    const isSchema = isOurs(target) && keys[0] === from;
    if (isSchema) replaceIn(edits, file, scalar, `#/${from}`, `#/${to}`);
  }
  const types = typesOf(root, edits, { isType: true });
  types.rename(
    'generated/types.ts',
    (path) => ['components.schemas.', ''].some((before) => path.join('.') === before + from),
    to,
  );
  for (const kind of ['request', 'response', 'event'])
    types.rename(`generated/${kind}-schemas.ts`, (path) => path.join() === from, to);
  const inText = new RegExp(`[sS]chemas?\\b[^\\n]{0,20}?['./]${from}(?![\\w$])`, 'g');
  for (const file of edits.files.filter((file) => !isOurs(file))) {
    const text = edits.read(file);
    for (const { 0: all, index } of text.matchAll(inText)) {
      const at = index + all.length - from.length;
      if (/\.[jt]s$/.test(file) && !edits.has(file, at)) edits.replace(file, at, at + from.length, to);
    }
    for (const at of wordsIn(text, from))
      if (/[`'"]/.test(text[at - 1] ?? '') && text[at - 1] === text[at + from.length]) edits.unsure(file, at);
  }
  return [];
}

function renameField({ root, edits, contract, from, to }: Rename): string[] {
  const [schema = '', field = ''] = from.split('.');
  const yaml = yamlOf(edits);
  const file = yaml.files.find(
    (file) =>
      file.startsWith('spec/schemas/') &&
      yaml.child({ file, node: yaml.open(file).document.contents }, schema),
  );
  const declared = file && yaml.child({ file, node: yaml.open(file).document.contents }, schema);
  if (!declared) throw new ArgumentError(`spec/schemas/ does not declare ${schema}.`);
  const target = yaml.follow(declared);
  const properties = yaml.child(target, 'properties')?.node;
  const key = isMap(properties)
    ? properties.items.find(({ key }) => isScalar(key) && key.value === field)?.key
    : undefined;
  if (!key) throw new ArgumentError(`${schema} takes ${field} from another schema; rename it there.`);
  replaceIn(edits, target.file, key, field, to);
  const required = yaml.child(target, 'required')?.node;
  for (const item of isSeq(required) ? required.items : [])
    if (isScalar(item) && item.value === field) replaceIn(edits, target.file, item, field, to);
  walkExamples(yaml, (owner, value, pair) => {
    const isOurs = owner.node === target.node && isScalar(pair.key) && pair.key.value === field;
    if (isOurs) replaceIn(edits, value.file, pair.key, field, to);
  });
  typesOf(root, edits).rename(
    'generated/types.ts',
    (path) => path.join('.') === `components.schemas.${from}`,
    to,
  );
  renameInSamples({ root, edits, contract, from: field, to }, schema);
  const siblings = (isMap(properties) ? properties.items : [])
    .map(({ key }) => String(key))
    .filter((name) => name !== field && name !== 'id');
  const quoted = /[`'"/.{ ,]/;
  for (const file of edits.files.filter((file) =>
    /^(spec\/(guides|arazzo|paths|webhooks|examples)|test)\//.test(file),
  )) {
    const text = edits.read(file);
    for (const at of wordsIn(text, field)) {
      const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
      const isQuoted = /["'`/]/.test(text[at - 1] ?? '') && quoted.test(text[at + field.length] ?? '\n');
      // An object without a type, such as an expected value, that has another field of the schema beside it.
      const near = text.slice(Math.max(0, at - 120), at + 120);
      const isKey = /^ *[:,}]/.test(text.slice(at + field.length)) && /[{,]\s*$/.test(text.slice(0, at));
      const isLike = isKey && /\.ts$/.test(file) && siblings.some((name) => wordsIn(near, name).length > 0);
      if ((isQuoted && !/^\s*import /.test(line)) || isLike) edits.unsure(file, at);
    }
  }
  return [`The column of ${field} keeps its name; only the mapping of server/src/store/ changed.`];
}

/** The bodies of the shell samples of the operations that take the schema. */
function renameInSamples({ edits, contract, from, to }: Rename, schema: string): void {
  const reaches = (value: unknown, seen = new Set<string>()): boolean => {
    const names = [...JSON.stringify(value ?? null).matchAll(/#\/components\/schemas\/(\w+)"/g)].map(
      ([, name = '']) => name,
    );
    const fresh = names.filter((name) => !seen.has(name));
    for (const name of fresh) seen.add(name);
    return names.includes(schema) || fresh.some((name) => reaches(contract.components.schemas?.[name], seen));
  };
  const takers = routesOf(contract).filter(({ operation }) => reaches(operation.requestBody));
  const ids = new Set(takers.map(({ operation }) => operation.operationId));
  for (const file of edits.files.filter((file) => /^test\/samples\/.*\.sh$/.test(file))) {
    const text = edits.read(file);
    for (const region of text.matchAll(/^#region (\w+)\n[\s\S]*?^#endregion/gm)) {
      for (const at of ids.has(region[1] ?? '') ? wordsIn(region[0], from) : []) {
        const isKey = region[0][at - 1] === '"' && /^" *:/.test(region[0].slice(at + from.length));
        if (isKey) edits.replace(file, region.index + at, region.index + at + from.length, to);
      }
    }
  }
}

function renameParameter({ root, edits, from, to }: Rename): string[] {
  const yaml = yamlOf(edits);
  for (const file of yaml.files) {
    for (const { pair, path } of pairsIn(yaml.open(file))) {
      const [key, value] = [
        isScalar(pair.key) ? pair.key.value : '',
        isScalar(pair.value) ? pair.value.value : '',
      ];
      const isStep =
        file.startsWith('spec/arazzo/') && path.includes('steps') && path.at(-1) === 'parameters';
      const isDeclared = isStep || file === 'spec/parameters.yaml' || path.at(-1) === 'parameters';
      if (value === from && ((key === 'name' && isDeclared) || key === 'parameter'))
        replaceIn(edits, file, pair.value, from, to);
      if (key === from && path.at(-1) === 'parameters' && path.includes('links'))
        replaceIn(edits, file, pair.key as Node, from, to);
    }
  }
  typesOf(root, edits).rename(
    'generated/types.ts',
    (path) =>
      path.at(-1) === from && /^(path|query)$/.test(path.at(-2) ?? '') && path.at(-3) === 'parameters',
    to,
  );
  const objects = 'server/src/store/addressable-objects.ts';
  for (const file of edits.files) {
    const text = edits.read(file);
    for (const at of wordsIn(text, from)) {
      const [before, after] = [text[at - 1], text[at + from.length]];
      const isInPath = before === '{' && after === '}' && /\/$/.test(text.slice(0, at - 1));
      const isObject = (file === objects && after === ':') || /\b(?:path\[|ids\()'$/.test(text.slice(0, at));
      if ((isInPath || isObject) && !edits.has(file, at)) edits.replace(file, at, at + from.length, to);
      else if (/[`'"]/.test(before ?? '') && before === after) edits.unsure(file, at);
    }
  }
  for (const file of edits.files.filter((file) => /\.tsx?$/.test(file))) {
    // Objects without a declared type, such as `const params = { path: { userId } }`.
    for (const { 0: all, index } of edits
      .read(file)
      .matchAll(new RegExp(`\\b(?:path|query): \\{[^{}]*?(?<![\\w$.])${from}(?= *[:,}])`, 'g'))) {
      const at = index + all.length - from.length;
      const isKey = /^ *:/.test(edits.read(file).slice(at + from.length));
      if (/[{,]\s*$/.test(all.slice(0, -from.length)) && !edits.has(file, at))
        edits.replace(file, at, at + from.length, isKey ? to : `${to}: ${from}`);
    }
  }
  return [];
}
