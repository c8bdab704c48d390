import { parameterNames, routesOf } from '../../../../server/contract/index.ts';
import {
  type AddressableObject,
  addressableObjects,
} from '../../../../server/src/store/addressable-objects.ts';
import type { Contract } from '../../../contract/source.ts';
import type { Draft } from '../draft.ts';
import { camelOfKebab, capital } from '../words.ts';

/** An object that the path of a new operation can name. */
export type Addressable = {
  /** Its parameter in a path item, as YAML. */
  parameter: string;
  /** The response if it does not exist, as YAML. */
  missing: string;
  /** What a test names it by. */
  value: string;
};

const objects: Record<string, AddressableObject> = addressableObjects;

/** Objects that every test file has at hand; all others are created by the test file of their resource. */
const world: Record<string, string> = {
  workspaceId: 'world.workspace.id',
  userId: 'world.member.id',
  tableId: 'world.table.id',
  recordId: 'world.record.id',
  workflowDefinitionId: 'world.workflowDefinition.id',
};

/** The names that a path may have. */
export const addressableNames = Object.keys(objects);

/** What an operation of the resource needs to name the object; undefined if the project does not have all of it. */
export function addressableOf(
  draft: Draft,
  contract: Contract,
  resource: string,
  name: string,
): Addressable | undefined {
  const object = objects[name];
  if (!object) return undefined;
  const isShared = capital(name) in (contract.components['parameters'] ?? {});
  const parameter = isShared && `$ref: ../parameters.yaml#/${capital(name)}`;
  const example = camelOfKebab(object.missing.replaceAll('_', '-'));
  const response = responseWith(contract, example);
  const missing = response && `{ $ref: ../responses.yaml#/${response} }`;
  const tests = draft.read(`test/endpoints/${resource}.test.ts`) ?? '';
  const created = tests.includes('async function created(') ? '(await created()).id' : undefined;
  const value = world[name] ?? created;
  return parameter && missing && value ? { parameter, missing, value } : undefined;
}

/** The parameter that stands before this one in the paths of the contract, if the object is found only inside another. */
export function containerOf(contract: Contract, name: string): string | undefined {
  if (objects[name]?.select) return undefined;
  const names = routesOf(contract).map(({ path }) => parameterNames(path));
  const containing = names.find((all) => all.includes(name)) ?? [];
  return containing[containing.indexOf(name) - 1];
}

/** The shared response that shows the example, with as few others as possible. */
function responseWith(contract: Contract, example: string): string | undefined {
  const [shortest] = Object.entries(contract.components['responses'] ?? {})
    .map(([name, response]) => ({ name, text: JSON.stringify(response) }))
    .filter(({ text }) => text.includes(`"${example}":`))
    .sort((one, other) => one.text.length - other.text.length);
  return shortest?.name;
}
