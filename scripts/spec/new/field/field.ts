import { readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isMap, parseDocument, visit, type YAMLMap } from 'yaml';
import { parameterNames, propertiesOf, routesOf, type Schema } from '../../../../server/contract/index.ts';
import { CommandError } from '../../../command-line/command.ts';
import type { Contract } from '../../../contract/source.ts';
import { withActors } from '../code-edits.ts';
import type { Draft } from '../draft.ts';
import { addressableOf } from '../operation/addressables.ts';
import { nextMigration } from '../resource/resource.ts';
import { templatesIn, type Values } from '../template.ts';
import { camelOfKebab, capital, singular, wordsOf } from '../words.ts';

/** A field that can be added: every name is possible, and none is taken. */
type Field = {
  resource: string;
  /** In camelCase. */
  name: string;
  /** The schema that gets it: `User`. */
  schema: string;
  table: string;
  column: string;
  type: Type;
  limits: FieldLimits;
  isRequired: boolean;
};

/** A field as it is asked for on the command line. */
export type FieldRequest = FieldLimits & {
  name: string;
  type: string;
  /** Every object has it; those that exist get the example. */
  isRequired?: boolean;
};

type FieldLimits = {
  format?: string | undefined;
  pattern?: string | undefined;
  /** The values, separated by commas. */
  enum?: string | undefined;
  example?: string | undefined;
};

type Type = {
  column: string;
  /** What a caller reads, as JSON: in code, and in YAML. */
  value: string;
  /** What a test writes into the column. Default: `value` */
  stored?: string;
  /** What makes the value of the column that of the response. */
  conversion?: string;
};

const types: Record<string, Type> = {
  string: { column: 'text', value: '"First"' },
  integer: { column: 'integer', value: '1' },
  number: { column: 'double precision', value: '1.5' },
  boolean: { column: 'boolean', value: 'true' },
  uuid: { column: 'uuid', value: '"7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01"' },
  'date-time': {
    column: 'timestamptz(3)',
    value: '"2026-11-16T08:30:00.000Z"',
    stored: 'new Date("2026-11-16T08:30:00.000Z")',
    conversion: '.toISOString()',
  },
};

/**
 * Drafts a field of what a resource returns, in five files: schema, migration, mapping, example and test.
 * @returns what its author does next
 * @throws {CommandError} for a name that is not possible or is taken
 */
export function draftField(draft: Draft, root: URL, asked: FieldRequest, contract: Contract): string[] {
  const field = fieldOf(draft, root, asked, contract);
  const { resource, name, schema, table, column, type, limits } = field;
  const { value, stored = value } = type;
  const { isRequired } = field;
  const fill = templatesIn(new URL('templates/', import.meta.url), {
    resource,
    name,
    schema,
    table,
    column,
    value,
    stored,
    words: wordsOf(schema),
    nameWords: wordsOf(name),
    isDateTime: asked.type === 'date-time',
    isInteger: asked.type === 'integer',
    isString: asked.type === 'string',
    isBoolean: asked.type === 'boolean',
    isNumber: asked.type === 'number',
    isUuid: asked.type === 'uuid',
    format: limits.format ?? '',
    pattern: limits.pattern === undefined ? '' : `'${limits.pattern.replaceAll("'", "''")}'`,
    enum: valuesIn(limits.enum).join(', '),
    columnType: type.column,
    isRequired,
    sqlValue: value.replace(
      /^"(.*)"$/,
      (_, text: string) => `'${text.replaceAll("'", "''").replaceAll(/[`$]/g, '\\$&')}'`,
    ),
    ...readingOf(draft, field, contract),
  });
  draft.change(`spec/schemas/${resource}.yaml`, (text) =>
    withRequired(withEntry(text, [schema, 'properties'], fill('property.yaml')), field),
  );
  const migration = `${nextMigration(root)}-${resource}-${column.replaceAll('_', '-')}`;
  draft.set(`server/src/store/migrations/${migration}.ts`, fill('migration.ts.txt'));
  draft.change(`server/src/store/${resource}.ts`, (text) => withMapping(text, field));
  draft.change(`spec/examples/${resource}.yaml`, (text) => withExample(text, field, contract));
  draft.change(
    `test/endpoints/${resource}.test.ts`,
    (text) => `${withActors(text, ['owner', 'world', 'database'])}\n${fill('endpoint.test.ts.txt')}`,
  );
  return fill('remaining.txt').trimEnd().split('\n');
}

const valuesIn = (list = '') =>
  list
    .split(',')
    .map((value) => value.trim())
    .filter(Boolean);

/**
 * The type with the example that was asked for, or the first of its values.
 * @throws {CommandError} if the example does not satisfy the limits
 */
function limitedType(schema: string, { name, type: typeName, ...limits }: FieldRequest): Type {
  const type = types[typeName];
  if (!type)
    throw new CommandError(`"${typeName}" is not a type; the types are ${Object.keys(types).join(', ')}.`);
  const { format, pattern, example } = limits;
  const values = valuesIn(limits.enum);
  const isText = typeName === 'string';
  if (!isText && (format ?? pattern ?? limits.enum) !== undefined)
    throw new CommandError('--format, --pattern and --enum are limits of a string.');
  if (limits.enum !== undefined && values.length < 2)
    throw new CommandError('--enum needs at least two values, separated by commas.');
  const given = example ?? values[0];
  const value = given === undefined ? type.value : isQuoted(type) ? JSON.stringify(given) : given;
  const rules = {
    ...(isText || isQuoted(type) ? { type: 'string' } : { type: typeName }),
    ...(isText ? { format, pattern } : { format: isQuoted(type) ? typeName : undefined }),
    ...(values.length > 0 && { enum: values }),
  };
  const problem = problemOf(rules, value);
  if (problem) throw new CommandError(`the example ${value} ${problem}: give one that fits with --example.`);
  const stored = type.stored === undefined ? {} : { stored: `new Date(${value})` };
  const conversion =
    values.length > 0 ? { conversion: ` as NonNullable<${schema}['${name.split('/')[1]}']>` } : {};
  return { ...type, value, ...stored, ...conversion };
}

const isQuoted = (type: Type) => type.value.startsWith('"');

/** @throws {CommandError} if a limit is invalid. @returns what is wrong with a value, if anything is */
function problemOf(rules: Record<string, unknown>, value: string): string | undefined {
  const schema = Object.fromEntries(Object.entries(rules).filter(([, limit]) => limit !== undefined));
  try {
    const ajv = addFormats.default(new Ajv2020({ allErrors: false }));
    const validate = ajv.compile(schema);
    return validate(JSON.parse(value)) ? undefined : validate.errors?.[0]?.message;
  } catch (error) {
    if (error instanceof SyntaxError && !('pattern' in schema)) return `is not of the type ${rules['type']}`;
    throw new CommandError(`a limit is invalid: ${(error as Error).message}`);
  }
}

function fieldOf(draft: Draft, root: URL, asked: FieldRequest, contract: Contract): Field {
  const [resource = '', name = '', ...rest] = asked.name.split('/');
  if (!/^[a-z][a-z0-9-]*$/.test(resource) || !/^[a-z][A-Za-z0-9]*$/.test(name) || rest.length > 0) {
    throw new CommandError(`"${asked.name}" is not <resource>/<field>, such as users/nickname.`);
  }
  const schema = schemaNameOf(resource);
  const type = limitedType(schema, asked);
  const table = tableOf(draft, resource);
  if (table === undefined) {
    throw new CommandError(
      `nothing in server/src/store/${resource}.ts maps whole rows to ${schema}: add the field by hand. Scaffolded fields are for ${resourcesWithTables(draft, root).join(', ')}.`,
    );
  }
  const known = propertiesOf(contract, schemaOf(contract, schema));
  if (name in known) throw new CommandError(`${schema}.${name} exists already.`);
  const column = wordsOf(name).replaceAll(' ', '_');
  const tables = draft.read('generated/tables.ts') ?? '';
  const [, columns = ''] = new RegExp(`^  ${table}: \\{\\n((?: {4}.*\\n)*)`, 'm').exec(tables) ?? [];
  if (new RegExp(`^ {4}${column}: `, 'm').test(columns)) {
    throw new CommandError(`the table ${table} has a column ${column} already; choose another name.`);
  }
  return {
    resource,
    name,
    schema,
    table,
    column,
    type,
    limits: asked,
    isRequired: asked.isRequired === true,
  };
}

/** The table of a resource, if its store maps whole rows to its schema. */
function tableOf(draft: Draft, resource: string): string | undefined {
  const schema = schemaNameOf(resource);
  const store = draft.read(`server/src/store/${resource}.ts`) ?? '';
  const isMapped = store.includes(`function to${schema}(row: ${schema}Row)`);
  const type = new RegExp(`^type ${schema}Row = Selectable<Schema\\['(\\w+)'\\]>;`, 'm').exec(store);
  return isMapped ? type?.[1] : undefined;
}

const schemaNameOf = (resource: string) => capital(singular(camelOfKebab(resource)));

function resourcesWithTables(draft: Draft, root: URL): string[] {
  const files = readdirSync(new URL('server/src/store/', root)).filter((file) => file.endsWith('.ts'));
  return files.map((file) => file.slice(0, -3)).filter((name) => tableOf(draft, name) !== undefined);
}

/** Adds the field to the object that the mapping function returns. */
function withMapping(text: string, { name, schema, column, type, isRequired }: Field): string {
  const entry = `${name}: row.${column}${type.conversion ?? ''}`;
  const property = isRequired ? `${entry},` : `...(row.${column} !== null && { ${entry} }),`;
  return text.replace(
    new RegExp(`(function to${schema}\\(row: ${schema}Row\\)[^]*?\\n  return \\{\\n[^]*?)(\\n  \\};\\n\\})`),
    `$1\n    ${property}$2`,
  );
}

/** Adds the field to the first example of the schema, and wherever else the examples show that object; or to all. */
function withExample(text: string, { name, schema, type, isRequired }: Field, contract: Contract): string {
  const { required = [] } = schemaOf(contract, schema) ?? {};
  const shown: YAMLMap[] = [];
  visit(parseDocument(text), {
    Map(_, map) {
      const isOfSchema = !map.flow && required.every((key) => map.has(key));
      if (isOfSchema && (isRequired || (shown[0] ?? map).get('id') === map.get('id'))) shown.push(map);
    },
  });
  const entry = `${name}: ${type.value.replace(/^"([A-Za-z][\w -]*)"$/, '$1')}\n`;
  return shown.reduceRight((changed, map) => inserted(changed, map, entry), text);
}

/** Adds the field to the required ones of the schema. */
function withRequired(text: string, { name, schema, isRequired }: Field): string {
  if (!isRequired) return text;
  const list = parseDocument(text).getIn([schema, 'required'], true) as {
    range?: [number, number, number];
  } | null;
  if (list?.range === undefined || text[list.range[1] - 1] !== ']')
    throw new CommandError(`${schema} has no list \`required: […]\`; add the field by hand.`);
  return `${text.slice(0, list.range[1] - 1)}, ${name}${text.slice(list.range[1] - 1)}`;
}

/** Adds an entry at the end of the mapping that the keys lead to. */
function withEntry(text: string, keys: string[], entry: string): string {
  const map = parseDocument(text).getIn(keys);
  return isMap(map) ? inserted(text, map, entry) : text;
}

function inserted(text: string, map: YAMLMap, entry: string): string {
  const first = map.items[0]?.key as { range?: [number, number, number] } | undefined;
  const start = first?.range?.[0] ?? 0;
  const indent = ' '.repeat(start - text.lastIndexOf('\n', start - 1) - 1);
  const [, end = text.length] = map.range ?? [];
  // A block may end in the indentation of the next line.
  const at = text.lastIndexOf('\n', end - 1) + 1;
  return text.slice(0, at) + entry.replaceAll(/^(?=.)/gm, indent) + text.slice(at);
}

/** The operation that returns one object, and how a test names the object. */
function readingOf(draft: Draft, { resource, schema }: Field, contract: Contract): Values {
  const route = routesOf(contract).find(({ method, operation }) => {
    const media = operation.responses['200']?.content?.['application/json'];
    return method === 'get' && media?.schema?.$ref?.endsWith(`/${schema}`);
  });
  const [parameter = '', ...others] = parameterNames(route?.path ?? '');
  const id = addressableOf(draft, contract, resource, parameter)?.value;
  if (!route || !id || others.length > 0) {
    throw new CommandError(`no operation returns one ${schema} by its identifier; add the field by hand.`);
  }
  return { operationId: route.operation.operationId, path: route.path, parameter, id };
}

function schemaOf(contract: Contract, name: string): Schema | undefined {
  return contract.components['schemas']?.[name] as Schema | undefined;
}
