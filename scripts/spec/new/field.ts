import { isMap, parseDocument, visit, type YAMLMap } from 'yaml';
import { parameterNames, propertiesOf, routesOf, type Schema } from '../../../server/contract/index.ts';
import { CommandError } from '../../command-line/command.ts';
import type { Contract } from '../../contract/source.ts';
import type { Draft } from './draft.ts';
import { addressableOf } from './operation/addressables.ts';
import { withActors } from './operation/code-files.ts';
import { nextMigration } from './resource/resource.ts';
import { camelOfKebab, capital, singular, wordsOf } from './words.ts';

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
};

interface Type {
  schema: string[];
  column: string;
  example: string;
  /** From the row to the response. */
  map(value: string): string;
  /** What a test writes into the column, and what a caller then reads. */
  stored: string;
  read: string;
}

const itself = (value: string) => value;
const types: Record<string, Type> = {
  string: {
    schema: ['type: string', 'minLength: 1', 'maxLength: 200'],
    column: 'text',
    example: 'First',
    map: itself,
    stored: "'First'",
    read: "'First'",
  },
  integer: {
    schema: ['type: integer', 'minimum: 0', 'maximum: 2147483647'],
    column: 'integer',
    example: '1',
    map: itself,
    stored: '1',
    read: '1',
  },
  boolean: {
    schema: ['type: boolean'],
    column: 'boolean',
    example: 'true',
    map: itself,
    stored: 'true',
    read: 'true',
  },
  'date-time': {
    schema: ['$ref: identifiers.yaml#/DateTime'],
    column: 'timestamptz(3)',
    example: "'2026-11-16T08:30:00.000Z'",
    map: (value) => `${value}.toISOString()`,
    stored: "new Date('2026-11-16T08:30:00.000Z')",
    read: "'2026-11-16T08:30:00.000Z'",
  },
};

/**
 * Drafts an optional field of what a resource returns, in five files: schema, migration, mapping, example and test.
 * @throws {CommandError} for a name that is not possible or is taken
 */
export function draftField(
  draft: Draft,
  root: URL,
  asked: { name: string; type: string },
  contract: Contract,
): Field {
  const field = fieldOf(draft, asked, contract);
  const { resource, name, schema, table, column, type } = field;
  const words = `the ${wordsOf(schema)}`;
  const property = [`description: The ${wordsOf(name)} of ${words}, if it has one.`, ...type.schema];
  draft.change(`spec/schemas/${resource}.yaml`, (text) =>
    withEntry(text, [schema, 'properties'], `${name}:\n${property.map((line) => `  ${line}\n`).join('')}`),
  );
  const migration = `${nextMigration(root)}-${resource}-${column.replaceAll('_', '-')}`;
  draft.set(
    `server/src/store/migrations/${migration}.ts`,
    `import { type Kysely, sql } from 'kysely';

/** The ${wordsOf(name)} of ${words}. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table ${table} add column ${column} ${type.column}\`.execute(db);
}
`,
  );
  draft.change(`server/src/store/${resource}.ts`, (text) => withMapping(text, field));
  draft.change(`spec/examples/${resource}.yaml`, (text) => withExample(text, field, contract));
  const test = testOf(draft, field, contract);
  draft.change(
    `test/endpoints/${resource}.test.ts`,
    (text) => `${withActors(text, ['owner', 'world', 'database'])}\n${test}`,
  );
  return field;
}

export function remainingOfField({ resource, name, schema }: Field): string[] {
  return [
    `Write the description and limits of ${schema}.${name} in spec/schemas/${resource}.yaml.`,
    `Set it: add it to the body of an operation, and to the statement in server/src/store/${resource}.ts.`,
    'Run npm run generate, npm run check, npm test.',
  ];
}

function fieldOf(draft: Draft, asked: { name: string; type: string }, contract: Contract): Field {
  const [resource = '', name = '', ...rest] = asked.name.split('/');
  if (!/^[a-z][a-z0-9-]*$/.test(resource) || !/^[a-z][A-Za-z0-9]*$/.test(name) || rest.length > 0) {
    throw new CommandError(`"${asked.name}" is not <resource>/<field>, such as users/nickname.`);
  }
  const type = types[asked.type];
  if (!type) {
    throw new CommandError(`"${asked.type}" is not a type; the types are ${Object.keys(types).join(', ')}.`);
  }
  const schema = capital(singular(camelOfKebab(resource)));
  const store = draft.read(`server/src/store/${resource}.ts`);
  const table = new RegExp(`^type ${schema}Row = Selectable<Schema\\['(\\w+)'\\]>;`, 'm').exec(
    store ?? '',
  )?.[1];
  if (!table || !store?.includes(`function to${schema}(row: ${schema}Row)`)) {
    throw new CommandError(
      `server/src/store/${resource}.ts has no to${schema}(row: ${schema}Row) that maps whole rows; add the field by hand.`,
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
  return { resource, name, schema, table, column, type };
}

/** Adds the field to the object that the mapping function returns. */
function withMapping(text: string, { name, schema, column, type }: Field): string {
  const property = `...(row.${column} !== null && { ${name}: ${type.map(`row.${column}`)} }),`;
  return text.replace(
    new RegExp(`(function to${schema}\\(row: ${schema}Row\\)[^]*?\\n  return \\{\\n[^]*?)(\\n  \\};\\n\\})`),
    `$1\n    ${property}$2`,
  );
}

/** Adds the field to the first example of the schema. */
function withExample(text: string, { name, schema, type }: Field, contract: Contract): string {
  const { required = [] } = schemaOf(contract, schema) ?? {};
  let first: YAMLMap | undefined;
  visit(parseDocument(text), {
    Map(_, map) {
      if (first || map.flow || !required.every((key) => map.has(key))) return undefined;
      first = map;
      return visit.BREAK;
    },
  });
  return first ? inserted(text, first, `${name}: ${type.example}\n`) : text;
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

/** A test that sets the column, and reads the field through the operation that returns one object. */
function testOf(
  draft: Draft,
  { resource, name, schema, table, column, type }: Field,
  contract: Contract,
): string {
  const route = routesOf(contract).find(({ method, operation }) => {
    const media = operation.responses['200']?.content?.['application/json'];
    return method === 'get' && media?.schema?.$ref?.endsWith(`/${schema}`);
  });
  const [parameter = '', ...others] = parameterNames(route?.path ?? '');
  const id = addressableOf(draft, resource, parameter)?.value;
  if (!route || !id || others.length > 0) {
    throw new CommandError(`no operation returns one ${schema} by its identifier; add the field by hand.`);
  }
  const words = wordsOf(name);
  return `describe('${route.operation.operationId}', () => {
  test('returns the ${words} of the ${wordsOf(schema)}, if it has one', async () => {
    const ${parameter} = ${id};
    const get = () => owner.GET('${route.path}', { params: { path: { ${parameter} } } });
    expect(await bodyOf(200, get())).not.toHaveProperty('${name}');
    await database
      .updateTable('${table}')
      .set({ ${column}: ${type.stored} })
      .where('id', '=', ${parameter})
      .execute();
    expect(await bodyOf(200, get())).toHaveProperty('${name}', ${type.read});
  });
});
`;
}

function schemaOf(contract: Contract, name: string): Schema | undefined {
  return contract.components['schemas']?.[name] as Schema | undefined;
}
