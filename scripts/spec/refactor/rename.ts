import { isScalar, type Node } from 'yaml';
import { propertiesOf, routesOf, type Schema } from '../../../server/contract/index.ts';
import { entityTag } from '../../../server/http-bodies/index.ts';
import { suggestion } from '../../../spec/rules/nearest.js';
import type { Contract } from '../../contract/source.ts';
import { methodName } from '../../generate/client-operations.ts';
import { ArgumentError, type Edits, wordsIn } from './edits.ts';
import { typesOf } from './typescript.ts';
import { pairsIn, replaceIn, yamlOf } from './yaml.ts';

export const kinds = ['operation', 'schema', 'field', 'parameter'] as const;
export type Kind = (typeof kinds)[number];

type Rename = {
  root: URL;
  edits: Edits;
  contract: Contract;
  from: string;
  to: string;
  /** Renames a field of several resources in all of them. */
  everywhere?: boolean;
};

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
      Object.entries(schemas).flatMap(([name, schema]) =>
        fieldsOf(schema).map((field) => `${name}.${field}`),
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

/** The fields that a schema declares itself, at any depth. */
function fieldsOf(schema: Schema): string[] {
  const found: string[] = [];
  JSON.stringify(schema, (key, value) => {
    if (/^(examples?|default|enum|const)$/.test(key)) return undefined;
    if (key === 'properties') found.push(...Object.keys(value));
    return value;
  });
  return found;
}

/**
 * Plans a rename.
 * @returns what its author should know
 * @throws {ArgumentError} if there is no such name, or the new name is taken or has another form
 */
export function planRename(kind: Kind, rename: Rename): string[] {
  const { contract, from, to } = rename;
  const names = namesIn(kind, contract);
  if (!names.has(from)) throw new ArgumentError(`there is no ${kind} ${from}.${suggestion(from, names)}`);
  const [example = ''] = names;
  if (!forms[kind].test(to))
    throw new ArgumentError(`${to} is not a name of a ${kind}, such as ${example.split('.').at(-1)}.`);
  const full = kind === 'field' ? `${from.split('.')[0]}.${to}` : to;
  if (names.has(full)) throw new ArgumentError(`there is a ${kind} ${full} already.`);
  const renames = {
    operation: renameOperation,
    schema: renameSchema,
    field: renameField,
    parameter: renameParameter,
  };
  return renames[kind](rename) ?? [];
}

const matrix = 'test/sweeps/authorization-matrix.txt';

/** An operationId is a word that means nothing else: it is renamed wherever it is written. */
function renameOperation({ root, edits, contract, from, to }: Rename): void {
  const files = edits.files.filter((file) => file !== matrix);
  const code = files.filter((file) => /^(spec|server|client|scripts)\//.test(file));
  refuseTaken(edits, code, to);
  renameWord(edits, files, from, to);
  if (wordsIn(edits.read(matrix), from).length > 0)
    edits.set(matrix, matrixWith(edits.read(matrix), from, to));
  renameMethod({ root, edits, contract, from, to });
}

function refuseTaken(edits: Edits, files: readonly string[], to: string): void {
  const taken = files.find((file) => wordsIn(edits.read(file), to).length > 0);
  if (taken) throw new ArgumentError(`${to} is in use in ${taken} already.`);
}

function renameWord(edits: Edits, files: readonly string[], from: string, to: string): void {
  for (const file of files)
    for (const at of wordsIn(edits.read(file), from)) edits.replace(file, at, at + from.length, to);
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

function renameSchema({ root, edits, from, to }: Rename): void {
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
}

const isMigration = (file: string) => file.startsWith('server/src/store/migrations/');
const events = 'spec/schemas/webhooks.yaml';
const manifest = 'server/src/manifest/platform-schema.json';

/** The field of one resource and its events is renamed wherever it is written, if its word means nothing else. */
function renameField({ from: full, ...rename }: Rename): string[] {
  const { edits, contract, to } = rename;
  const from = full.slice(full.indexOf('.') + 1);
  const files = edits.files.filter((file) => wordsIn(edits.read(file), from).length > 0);
  const owners = ownersOf(edits, contract, from);
  refuseAmbiguous({ ...rename, from }, owners, files);
  const changing = files.filter((file) => !isMigration(file));
  renameWord(edits, changing, from, to);
  for (const file of files.filter(isMigration))
    for (const at of wordsIn(edits.read(file), from)) edits.unsure(file, at);
  renameTags({ ...rename, from });
  const notes = [
    `${from} is ${to} in ${[...owners.keys()].join(', ')}.`,
    `Columns keep their names. Stored JSON, such as events and definitions, keeps ${from}: if the server reads it, write a migration.`,
  ];
  if (files.includes(manifest))
    notes.push(`It is in ${manifest}, too: operators change their platform files and definitions.`);
  if ([...owners.values()].includes(events))
    notes.push(
      `Events have it: if the example of Webhook-Signature is of such an event, sign it with a new key.`,
    );
  return notes;
}

/** @throws {ArgumentError} if the word of a field has another meaning, or the new word has one beside it */
function refuseAmbiguous(rename: Rename, owners: Map<string, string>, files: readonly string[]): void {
  const { root, edits, contract, from, to, everywhere } = rename;
  const other = otherMeaning(from, contract);
  if (other) throw new ArgumentError(`${from} ${other}; rename it by hand.`);
  const resources = new Set([...owners.values()].filter((file) => file !== events));
  if (resources.size > 1 && !everywhere) {
    const schemas = [...owners.keys()].join(', ');
    throw new ArgumentError(`${from} is in ${schemas}; --everywhere renames it in all of them.`);
  }
  const both = Object.entries(contract.components.schemas ?? {}).find(([, schema]) => {
    const properties = propertiesOf(contract, schema as Schema);
    return from in properties && to in properties;
  });
  if (both) throw new ArgumentError(`there is a field ${both[0]}.${to} already.`);
  const code = files.filter((file) => /^(server|client|scripts)\/.*\.m?[jt]sx?$/.test(file));
  refuseTaken(edits, code, to);
  const foreign = typesOf(root, edits).foreign(from);
  if (foreign) throw new ArgumentError(`${from} means something else in ${foreign}; rename it by hand.`);
}

/** Examples of `ETag` are digests of other examples. */
function renameTags({ edits, contract, from, to }: Rename): void {
  const files = edits.files.filter((file) => file.startsWith('spec/'));
  JSON.stringify(contract, (_, value) => {
    const text = JSON.stringify(value) ?? '';
    const after = text.replaceAll(`"${from}":`, `"${to}":`);
    if (after !== text) renameWord(edits, files, entityTag(text).slice(1, -1), entityTag(after).slice(1, -1));
    return value;
  });
}

/** The schemas that declare a field of this name, with the file of each. */
function ownersOf(edits: Edits, contract: Contract, word: string): Map<string, string> {
  const yaml = yamlOf(edits);
  const files = yaml.files.filter((file) => file.startsWith('spec/schemas/'));
  const owners = [...namesIn('field', contract)].flatMap((name) => {
    const [schema = '', field] = name.split('.');
    return field === word ? schema : [];
  });
  const declares = (schema: string) => (file: string) =>
    yaml.child({ file, node: yaml.open(file).document.contents }, schema) !== undefined;
  return new Map(owners.map((schema) => [schema, files.find(declares(schema)) ?? '']));
}

/** What a word means besides a field, if anything. */
function otherMeaning(word: string, contract: Contract): string | undefined {
  if (!forms.operation.test(word)) return 'means other things in code and texts, too';
  if (namesIn('parameter', contract).has(word)) return 'is a parameter, too';
  if (word in (contract.components.securitySchemes ?? {})) return 'is a security scheme, too';
  const isValue = new RegExp(`"enum":\\[[^\\]]*"${word}"`).test(JSON.stringify(contract));
  return isValue ? 'is a value, too' : undefined;
}

function renameParameter({ root, edits, from, to }: Rename): void {
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
      const isQuoted = /[`'"]/.test(before ?? '') && before === after;
      // Tables of the sweeps are keyed by the names of parameters.
      const isOfSweeps =
        file.startsWith('test/sweeps/') &&
        (isQuoted || /[\s{]/.test(before ?? '')) &&
        (isQuoted || after === ':');
      const isObject = (file === objects && after === ':') || /\b(?:path\[|ids\()'$/.test(text.slice(0, at));
      if ((isInPath || isObject || isOfSweeps) && !edits.has(file, at))
        edits.replace(file, at, at + from.length, to);
      else if (isQuoted) edits.unsure(file, at);
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
}
