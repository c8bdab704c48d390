import { parameterNames, permissionOf, propertiesOf, routesOf } from '../../../server/contract/index.ts';
import { addressableObjects } from '../../../server/src/store/addressable-objects.ts';
import type { Contract } from '../../contract/source.ts';
import type { Draft } from './draft.ts';
import { isNewPermission } from './permission.ts';

const file = 'test/sweeps/authorization-matrix.txt';

/** The cells of viewer, editor and manager, which do not have a new permission. */
const ofBuiltInRoles = /(?<=^\S+\s+\S+\s+)\S+\s+\S+\s+\S+/;

/** An operation to list in the permission matrix. */
type Listed = { operationId: string; permission: string; parameters: string[] };

/**
 * Drafts lines of the permission matrix, each with the cells of an operation that checks the same permission on the same
 * type of object. A person approves them.
 * @returns whether there is such an operation for each
 */
export function draftMatrixLines(draft: Draft, contract: Contract, operations: Listed[]): boolean {
  const lines = (draft.read(file) ?? '').split('\n');
  const start = lines.findIndex((line) => line.startsWith('operation ')) + 1;
  const end = lines.findIndex((line, index) => index >= start && line === '');
  const added = operations.map(({ operationId, permission, parameters }) => {
    const isNew = isNewPermission(permission);
    const model = modelOf(contract, isNew ? 'can_view_workspace' : permission, parameters[0]);
    const line = lines.slice(start, end).find((one) => model !== undefined && one.startsWith(`${model} `));
    const [, cells] = /^\S+\s+\S+\s+(.*)$/.exec(line ?? '') ?? [];
    const granted = isNew ? cells?.replace(ofBuiltInRoles, (all) => all.replaceAll('yes', '403')) : cells;
    return granted && `${operationId.padEnd(24)} ${permission.padEnd(28)} ${granted}`;
  });
  if (start === 0 || !added.every((line) => line !== undefined)) return false;
  const listed = [...lines.slice(start, end), ...added].sort();
  draft.set(file, [...lines.slice(0, start), ...listed, ...lines.slice(end)].join('\n'));
  return true;
}

/** An operation with the same permission whose target object is named by the same parameter, or by none, and not in the body. */
function modelOf(contract: Contract, permission: string, parameter: string | undefined): string | undefined {
  return routesOf(contract).find(({ path, operation }) => {
    const media = Object.values(operation.requestBody?.content ?? {});
    const fields = media.flatMap(({ schema }) => Object.keys(propertiesOf(contract, schema)));
    const [first] = parameterNames(path);
    const isByBody = first === undefined && fields.some((name) => name in addressableObjects);
    return permissionOf(operation) === permission && first === parameter && !isByBody;
  })?.operation.operationId;
}
