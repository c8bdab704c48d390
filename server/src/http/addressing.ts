import { scopeOf } from '../domain/permissions.ts';
import type { AddressedObject } from '../store/access.ts';
import type { ErrorCode, Permission } from './operation.ts';

/** Where an operation names the object that its permission is asked on. */
export interface Addressing {
  /** `body`: the object is named in the body, so permission is settled after validation. */
  where: 'path' | 'body';
  object(values: Record<string, unknown>): AddressedObject;
  /** The 404 where the caller's organization has no such object. */
  missing: ErrorCode;
}

type Named = Pick<Addressing, 'object' | 'missing'>;

/**
 * From the name of a parameter to the object it names. The first that an operation has is the one its
 * permission is asked on: a membership's workspace before its user, a link's definition before its parameter set.
 */
const byParameter: Record<string, Named> = {
  tableId: {
    object: ({ tableId, recordId }) => ({ kind: 'table', id: String(tableId), recordId: String(recordId) }),
    missing: 'table_not_found',
  },
  workspaceId: {
    object: ({ workspaceId }) => ({ kind: 'workspace', id: String(workspaceId) }),
    missing: 'workspace_not_found',
  },
  userId: { object: ({ userId }) => ({ kind: 'user', id: String(userId) }), missing: 'user_not_found' },
  resourceId: {
    object: ({ resourceId }) => ({ kind: 'resource', id: String(resourceId) }),
    missing: 'resource_not_found',
  },
  workflowDefinitionId: {
    object: ({ workflowDefinitionId }) => ({ kind: 'workflow_definition', id: String(workflowDefinitionId) }),
    missing: 'workflow_definition_not_found',
  },
  parametersId: {
    object: ({ parametersId }) => ({ kind: 'parameter_set', id: String(parametersId) }),
    missing: 'parameters_not_found',
  },
  workflowId: {
    object: ({ workflowId }) => ({ kind: 'execution', id: String(workflowId) }),
    missing: 'execution_not_found',
  },
};

/**
 * @param pathParameters names of the operation's path parameters
 * @param bodyFields names of the fields of its JSON body
 * @returns undefined where the operation addresses nothing that is known here
 */
export function addressingOf(
  pathParameters: readonly string[],
  bodyFields: readonly string[],
  permission: Permission | null,
): Addressing | undefined {
  const named = (names: readonly string[]) => Object.keys(byParameter).find((name) => names.includes(name));
  const inPath = named(pathParameters);
  if (inPath) return { where: 'path', ...(byParameter[inPath] as Named) };
  if (pathParameters.length > 0) return undefined;
  const inBody = permission && named(bodyFields);
  if (inBody && scopeOf(permission) !== 'organization') {
    return { where: 'body', ...(byParameter[inBody] as Named) };
  }
  return { where: 'path', object: () => ({ kind: unnamed(permission) }), missing: 'path_not_found' };
}

/** Without a name in the request the permission is asked on what belongs to every caller. */
function unnamed(permission: Permission | null): 'none' | 'organization' | 'home_workspace' {
  if (permission === null) return 'none';
  return scopeOf(permission) === 'organization' ? 'organization' : 'home_workspace';
}
