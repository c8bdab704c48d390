import {
  type ContractDocument,
  type OperationObject,
  type Problem,
  parameterProblem,
  resolve,
  type Schema,
} from '../../contract/index.ts';
import { alternatives, isObject } from '../../json/index.ts';

const json = /^application\/(?:[\w.-]+\+)?json\b/;

/** The fields that paths such as `content.profile.lastName` name; of a list, those of each item. */
export function pick(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, paths));
  if (!isObject(value)) return value;
  const picked = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (paths.includes(name)) return [[name, inner]];
    const below = paths.filter((path) => path.startsWith(`${name}.`));
    return below.length > 0
      ? [
          [
            name,
            pick(
              inner,
              below.map((path) => path.slice(name.length + 1)),
            ),
          ],
        ]
      : [];
  });
  return Object.fromEntries(picked);
}

/** The picked fields of a response. A page keeps its cursor and numbers, without which its reader would not go on. */
export function select(response: unknown, paths: readonly string[]): unknown {
  const picked = pick(response, paths);
  if (!isObject(response) || !isObject(picked)) return picked;
  if (!('nextCursor' in response || 'totalPages' in response)) return picked;
  const position = Object.entries(response).filter(([, field]) => typeof field !== 'object');
  return { ...picked, ...Object.fromEntries(position) };
}

/** The paths that name no field of a successful response: `pick` would leave out everything without a word. */
export function fieldProblems(
  contract: ContractDocument,
  { responses }: OperationObject,
  paths: readonly string[] = [],
): Problem[] {
  const schemas = Object.entries(responses)
    .filter(([status]) => status < '400')
    .flatMap(([, { content = {} }]) => Object.entries(content))
    .flatMap(([type, { schema }]) => (json.test(type) ? partsOf(contract, schema) : []));
  if (schemas.length === 0) return [];
  return paths.flatMap((path) => {
    const message = problemOf(contract, schemas, path);
    return message === undefined ? [] : [{ ...parameterProblem('fields', ''), message }];
  });
}

function problemOf(
  contract: ContractDocument,
  response: readonly Schema[],
  path: string,
): string | undefined {
  let schemas = response;
  let parent = '';
  for (const name of path.split('.')) {
    if (schemas.some(isOpen)) return undefined;
    const fields = schemas.flatMap(({ properties = {} }) => Object.entries(properties));
    const found = fields.filter(([field]) => field === name);
    if (found.length === 0) {
      const known = [...new Set(fields.map(([field]) => `${parent}${field}`))];
      return `${path} is not a field of the response${alternatives(`${parent}${name}`, known, 'has')}`;
    }
    schemas = found.flatMap(([, schema]) => partsOf(contract, schema));
    parent += `${name}.`;
  }
  return undefined;
}

/** A schema with the alternatives and parts of it; of a list, those of its items. */
function partsOf(contract: ContractDocument, schema: Schema | undefined): Schema[] {
  const resolved = resolve(contract, schema);
  if (!resolved) return [];
  if (resolved.items) return partsOf(contract, resolved.items);
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => (resolved[keyword] as Schema[]) ?? []);
  const nested = parts.flatMap((part) => partsOf(contract, part));
  return parts.length > 0 && !resolved.properties ? nested : [resolved, ...nested];
}

/** Whether an object may have fields that the contract does not name, such as the result of a workflow. */
function isOpen({ type, properties, additionalProperties }: Schema): boolean {
  if (additionalProperties) return true;
  return !properties && (type === undefined || [type].flat().includes('object'));
}
