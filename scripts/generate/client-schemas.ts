/** The client's Valibot schemas of JSON bodies, exported as `@wrp/client/schemas`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { type MediaType, resolve, routesOf, type Schema } from '../../server/contract/index.ts';
import { temporaryDirectory } from '../command-line/temporary-directory.ts';
import type { Contract } from '../contract/source.ts';

const json = 'application/json';
/** Carries `minProperties` through the generator, which drops it. */
const minEntries = 'x-min-entries';

/** The schema of an operation's body, or of a component. */
interface Named {
  name: string;
  schema: Schema;
  /** Its type in terms of `types.ts`. */
  type: string;
}

/** Request bodies, with every constraint of the contract. */
export function requestSchemasModule(contract: Contract): Promise<string> {
  const bodies = routesOf(contract).flatMap(({ operation: { operationId, requestBody } }) =>
    bodyOf(operationId, requestBody, `NonNullable<operations['${operationId}']['requestBody']>`),
  );
  const prepare = (schema: Schema) => constraintsOf(schema, contract);
  return schemasModule(contract, bodies, prepare, formerNames(contract));
}

/** Names of schemas that only refer to the current one: programs may import them. */
function formerNames({ components }: Contract): string[] {
  const schemas = (components['schemas'] ?? {}) as Record<string, Schema>;
  return Object.keys(schemas).filter((name) => schemas[name]?.$ref);
}

/** Bodies of successful responses, and `Error`. They stay valid when a minor version adds fields, values or limits. */
export function responseSchemasModule(contract: Contract): Promise<string> {
  const bodies = routesOf(contract).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        bodyOf(operationId, response, `operations['${operationId}']['responses'][${status}]`),
      ),
  );
  return schemasModule(contract, bodies, structureOf, ['Error']);
}

/** Bodies of webhooks: like responses, but each accepts only its own event type. */
export function eventSchemasModule(contract: Contract): Promise<string> {
  const names = Object.values(contract.webhooks ?? {}).map((webhook) => {
    const { requestBody } = Object.values(webhook)[0] as {
      requestBody: { content: Record<string, MediaType> };
    };
    const { $ref = '' } = requestBody.content[json]?.schema ?? {};
    return $ref.slice($ref.lastIndexOf('/') + 1);
  });
  return schemasModule(contract, [], eventStructureOf, names);
}

function bodyOf(
  name: string,
  of: { content?: Record<string, MediaType> } | undefined,
  type: string,
): Named[] {
  const schema = of?.content?.[json]?.schema;
  return schema ? [{ name, schema, type: `${type}['content']['${json}']` }] : [];
}

/**
 * @param prepare changes a schema before the code is generated
 * @param roots components that are included even if no body refers to them
 */
async function schemasModule(
  contract: Contract,
  bodies: readonly Named[],
  prepare: (schema: Schema) => Schema,
  roots: readonly string[] = [],
): Promise<string> {
  const all = contract.components['schemas'] as Record<string, Schema>;
  const schemas: Record<string, Schema> = {};
  const include = (name: string): void => {
    if (name in schemas) return;
    const schema = prepare(all[name] as Schema);
    schemas[name] = schema;
    includeReferences(schema);
  };
  const includeReferences = (schema: Schema) => {
    for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      include(name as string);
  };
  const paths = bodies.map(({ name, schema: unprepared }) => {
    const schema = prepare(unprepared);
    includeReferences(schema);
    const responses = { 200: { description: '', content: { [json]: { schema } } } };
    return [`/${name}`, { get: { operationId: name, responses } }];
  });
  for (const name of roots) include(name);
  const named = Object.entries(schemas).map(([name, schema]) => ({
    ...{ name, schema },
    type: `components['schemas']['${name}']`,
  }));
  const info = { title: '', version: '' };
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(paths), components: { schemas } };
  return withTypes(await generate(document), [...named, ...bodies]);
}

/** A request's schema as the generator understands it. */
function constraintsOf(schema: Schema, contract: Contract): Schema {
  const { $ref, description, default: _, ...beside } = schema;
  // The generator ignores constraints beside a reference.
  const inline = $ref !== undefined && Object.keys(beside).length > 0;
  const own: Schema = { ...(inline ? resolve(contract, { $ref } as Schema) : $ref && { $ref }), ...beside };
  const least = own['minProperties'];
  return {
    ...withInner(own, (inner) => constraintsOf(inner, contract)),
    ...(description !== undefined && { description }),
    ...(least !== undefined && { [minEntries]: least }),
  };
}

const structural = ['$ref', 'type', 'description', 'required', 'properties', 'items', 'additionalProperties'];
const widened = /^(deprecated|enum|default|format|pattern|(min|max)(imum|[A-Z]\w+)|x-.+)$/;

/** A response's schema without what a minor version may widen. */
function structureOf(schema: Schema): Schema {
  const unknown = Object.keys(schema).find((one) => !structural.includes(one) && !widened.test(one));
  if (unknown)
    throw new Error(`client-schemas.ts does not know whether ${unknown} of a response may be widened.`);
  const kept = Object.entries(schema).filter(([keyword]) => structural.includes(keyword));
  return withInner(Object.fromEntries(kept), structureOf);
}

function eventStructureOf(schema: Schema): Schema {
  const structure = structureOf(schema);
  const type = schema.properties?.['type'];
  return type?.enum ? { ...structure, properties: { ...structure.properties, type } } : structure;
}

function withInner(schema: Schema, change: (inner: Schema) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const changed = Object.entries(properties ?? {}).map(([name, inner]) => [name, change(inner)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(changed) }),
    ...(items && { items: change(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: change(additionalProperties) }),
  };
}

async function generate(document: object): Promise<string> {
  await using temporary = await temporaryDirectory('schemas');
  const { path } = temporary;
  await createClient({
    input: document as Record<string, unknown>,
    output: { path, header: [] },
    logs: { level: 'silent', file: false },
    plugins: [
      {
        name: 'valibot',
        case: 'preserve',
        definitions: '{{name}}',
        responses: '{{name}}',
        requests: false,
        webhooks: false,
        '~resolvers': {
          // An object that the contract does not close keeps unknown fields.
          object(context) {
            const { $, nodes, pipes, plugin, schema } = context;
            const valibot = $(plugin.imports['v']);
            const isOpen = nodes.additionalProperties(context) === undefined;
            if (!schema.properties) {
              // Valibot would take an array for a record.
              const isArray = $('Array').attr('isArray').call('value');
              const noArray = $.func()
                .param('value')
                .do($.return($.not(isArray)));
              pipes.push(pipes.current, valibot.attr('unknown').call());
              pipes.push(pipes.current, valibot.attr('check').call(noArray));
            }
            const open = () => valibot.attr('looseObject').call(nodes.shape(context));
            pipes.push(pipes.current, isOpen ? open() : nodes.base(context));
            const least = (schema as Record<string, unknown>)[minEntries];
            if (least) pipes.push(pipes.current, valibot.attr('minEntries').call($.literal(Number(least))));
            return pipes.current;
          },
        },
      },
    ],
  });
  return await readFile(join(path, 'valibot.gen.ts'), 'utf8');
}

/** The contract counts code points, Valibot's `maxLength` UTF-16 units. */
const atMost = `const atMost = (limit: number) =>
  v.check<string, string>((text) => [...text].length <= limit, \`Invalid length: Expected <=\${limit}\`);
`;

/** Valibot's own check also takes a space instead of `T`, and offsets without minutes or colon. */
const dateTime = 'v.check(isDateTime)';

/** Declares each schema with the client's own type, which also spares compilers Valibot's inference. */
function withTypes(code: string, named: readonly Named[]): string {
  const types = new Map(named.map(({ name, type }) => [name, type]));
  const statement = /^export const (\w+) = (?:(\w+)|([\s\S]+?\)));$/gm;
  const declared = code
    .replaceAll(/\bError_\b/g, 'Error')
    .replaceAll('v.isoTimestamp()', dateTime)
    .replaceAll(/(?<=v\.string\(\)(?:, v\.minLength\([01]\))?, )v\.maxLength\((\d+)\)/g, 'atMost($1)')
    .replaceAll(/^( +)/gm, (indent) => indent.slice(indent.length / 2))
    .replace(statement, (_, name: string, alias: string | undefined, expression: string) =>
      alias
        ? `export const ${name}: typeof ${alias} = ${alias};`
        : `export const ${name} = ${expression} as v.GenericSchema<${types.get(name)}>;`,
    );
  const roots = ['components', 'operations'].filter((root) => declared.includes(`${root}['`));
  const grammar = declared.includes(dateTime) ? `import { isDateTime } from './date-times.ts';\n` : '';
  const imported = `${grammar}import type { ${roots.join(', ')} } from './types.ts';\n`;
  const codePoints = declared.includes('atMost(') ? `\n${atMost}` : '';
  const banner = '// Generated from spec/ by `npm run generate`. Do not edit.\n\n';
  return `${banner}${declared.replace(/(?<=^import .*\n)/, imported + codePoints)}`;
}
