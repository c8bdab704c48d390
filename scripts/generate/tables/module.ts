import { type Kysely, sql } from 'kysely';

interface Column {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  generated: boolean;
  /** The values of a CHECK that lists them: `status in ('ACTIVE', 'TERMINATED')`. */
  values: string[] | null;
}

/** The JavaScript type that pg uses for a PostgreSQL type. bigint stays below 2^53 and is read as a number (database.ts). */
const types: Record<string, string> = {
  bigint: 'number',
  bit: 'string',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  smallint: 'number',
  text: 'string',
  uuid: 'string',
  'text[]': 'string[]',
  'timestamp with time zone[]': 'Date[]',
  'uuid[]': 'string[]',
};

/**
 * The types of the tables as the migrations create them.
 *
 * @param database must be migrated
 * @param digest of the migrations, written into the first lines
 * @throws {Error} if a column has an unknown type
 */
export async function tablesModule(
  database: Kysely<never>,
  { schema, digest }: { schema: string; digest: string },
): Promise<string> {
  const columns = await columnsOf(database, schema);
  const tables = Object.entries(Object.groupBy(columns, ({ table }) => table)).map(
    ([table, its = []]) => `  ${table}: {\n${its.map(property).join('')}  };\n`,
  );
  return [
    '// Generated from server/src/store/migrations/ by `npm run generate`. Do not edit.\n',
    `// ${digest}\n\n`,
    "import type { ColumnType } from 'kysely';\n\n",
    'type Timestamp = ColumnType<Date, Date | string, Date | string>;\n',
    'type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;\n',
    'type Json = ColumnType<object, string, string>;\n',
    'type NullableJson = ColumnType<object | null, string | null | undefined, string | null>;\n',
    'type Generated<Type> = Type extends ColumnType<infer Select, infer Insert, infer Update>\n',
    '  ? ColumnType<Select, Insert | undefined, Update>\n',
    '  : ColumnType<Type, Type | undefined, Type>;\n\n',
    '/** The tables of an environment, column for column. */\n',
    `export interface Tables {\n${tables.join('')}}\n`,
  ].join('');
}

async function columnsOf(database: Kysely<never>, schema: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      not a.attnotnull as nullable, a.atthasdef or a.attidentity <> '' as generated,
      (select array_agg(value[1] order by position) from pg_constraint k,
        regexp_matches(pg_get_constraintdef(k.oid), '''([^'']*)''::text', 'g') with ordinality as found(value, position)
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
          and pg_get_constraintdef(k.oid) ~ ('^CHECK \\(\\(' || a.attname || ' = ANY \\(ARRAY\\[[^]]*\\]\\)\\)\\)$')
      ) as values
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and c.relname not in ('migrations', 'migration_lock')
    order by c.relname, a.attnum`.execute(database);
  return rows;
}

function property(column: Column): string {
  const type = typeOf(column);
  return `    ${column.name}: ${column.generated ? `Generated<${type}>` : type};\n`;
}

function typeOf({ table, name, type, nullable, values }: Column): string {
  if (/^timestamp.*[^\]]$/.test(type)) return nullable ? 'NullableTimestamp' : 'Timestamp';
  if (type === 'json' || type === 'jsonb') return nullable ? 'NullableJson' : 'Json';
  const plain = values?.map((value) => `'${value}'`).join(' | ') ?? types[type];
  if (!plain)
    throw new Error(`Add the type ${type} of ${table}.${name} to scripts/generate/tables/module.ts.`);
  return nullable ? `${plain} | null` : plain;
}
