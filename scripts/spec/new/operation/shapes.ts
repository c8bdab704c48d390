import { readdirSync, readFileSync } from 'node:fs';
import { type MediaType, routesOf } from '../../../../server/contract/index.ts';
import { CommandError } from '../../../command-line/command.ts';
import type { Contract } from '../../../contract/source.ts';
import { camel } from '../words.ts';

/** The schema of a response or a body, with its example: new or existing. */
export type Shape = {
  schema: string;
  isList: boolean;
  example: string;
  /** The file of the example, relative to spec/paths. */
  exampleFile: string;
  /** The example's value if the schema exists. */
  existing?: unknown;
};

/**
 * Reuses an existing schema with one of its examples; otherwise both are to be written.
 * @throws {CommandError} if the name belongs to another resource, or no example could be reused
 */
export function shapeOf(
  root: URL,
  contract: Contract,
  resource: string,
  schema: string,
  isList: boolean,
): Shape {
  const name = isList ? `${camel(schema)}List` : camel(schema);
  const fresh = { schema, isList, example: name, exampleFile: `../examples/${resource}.yaml` };
  const schemas = contract.components['schemas'] ?? {};
  if (!(schema in schemas)) return fresh;
  const file = fileOf(root, 'schemas', schema);
  if (file !== `${resource}.yaml`) {
    throw new CommandError(
      `${schema} is a schema in spec/schemas/${file}; name the operation after something else.`,
    );
  }
  const found = exampleOf(contract, schema, isList);
  if (found) {
    const exampleFile = `../examples/${fileOf(root, 'examples', found.name)}`;
    return { schema, isList, example: found.name, exampleFile, existing: found.value };
  }
  // An example of a list also gives one of its item, and the other way round.
  const other = exampleOf(contract, schema, !isList)?.value;
  const value = isList ? other && [other] : (other as unknown[] | undefined)?.[0];
  if (value !== undefined) return { ...fresh, existing: value };
  throw new CommandError(`${schema} has no example that could be used; add the operation by hand.`);
}

/** The example of a body or a response of this schema, or of a list of it. */
function exampleOf(contract: Contract, schema: string, isList: boolean) {
  const media = routesOf(contract)
    .flatMap(({ operation: { requestBody, responses } }) => [requestBody, ...Object.values(responses)])
    .flatMap((owner) => Object.values(owner?.content ?? {}))
    .find((one) => schemaIn(one, isList) === schema && one.examples);
  const [example] = Object.values(media?.examples ?? {});
  const named = Object.entries(contract.components['examples'] ?? {});
  const [name] = named.find(([, one]) => one === example) ?? [];
  return name ? { name, value: example?.value } : undefined;
}

function schemaIn({ schema }: MediaType, isList: boolean): string | undefined {
  const reference = (isList ? schema?.items : schema)?.$ref;
  return reference?.slice(reference.lastIndexOf('/') + 1);
}

/** The file of a folder in which a name is defined. */
function fileOf(root: URL, folder: 'schemas' | 'examples', name: string): string {
  const directory = new URL(`spec/${folder}/`, root);
  const found = readdirSync(directory).find((file) =>
    new RegExp(`^${name}:`, 'm').test(readFileSync(new URL(file, directory), 'utf8')),
  );
  if (!found) throw new CommandError(`${name} is defined in no file of spec/${folder}/.`);
  return found;
}
