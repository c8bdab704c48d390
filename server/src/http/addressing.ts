import type { ErrorCode, Permission } from '../../contract/index.ts';
import { scopeOf } from '../domain/permissions.ts';
import type { AddressedObject } from '../store/access.ts';
import { type AddressableObject, addressableObjects, type ObjectName } from '../store/addressable-objects.ts';

/** Where an operation names the object that its permission is checked on. */
export interface Addressing {
  /** `body`: the object is named in the body, so permission is checked after validation. */
  where: 'path' | 'body';
  object(values: Record<string, unknown>): AddressedObject;
  /** The 404 if the caller's organization has no such object. */
  missing: ErrorCode;
  /** The 404 if the object exists and the part of it that the request names does not. */
  partMissing: ErrorCode;
}

/**
 * @param pathParameters names of the operation's path parameters
 * @param bodyFields names of the fields of its JSON body
 * @param reads whether the operation reads the object
 * @returns undefined if the operation addresses no known object
 */
export function addressingOf(
  pathParameters: readonly string[],
  bodyFields: readonly string[],
  permission: Permission | null,
  reads: boolean,
): Addressing | undefined {
  const inPath = firstOf(pathParameters);
  if (inPath) return { where: 'path', ...named(inPath, reads) };
  if (pathParameters.length > 0) return undefined;
  const inBody = permission && scopeOf(permission) !== 'organization' && firstOf(bodyFields);
  if (inBody) return { where: 'body', ...named(inBody, false) };
  const name = unnamed(permission);
  return {
    where: 'path',
    object: () => ({ name }),
    missing: 'path_not_found',
    partMissing: 'path_not_found',
  };
}

const objects: Record<string, AddressableObject> = addressableObjects;

function firstOf(names: readonly string[]): ObjectName | undefined {
  const all = Object.keys(objects) as ObjectName[];
  return all.find((name) => objects[name]?.select && names.includes(name));
}

function named(name: ObjectName, reads: boolean): Omit<Addressing, 'where'> {
  const { missing, part, row }: AddressableObject = addressableObjects[name];
  const withRow = reads && row !== undefined;
  const partOf = (values: Record<string, unknown>) => (part ? ((values[part] as string) ?? null) : undefined);
  return {
    object: (values) => ({ name, id: String(values[name]), part: partOf(values), withRow }),
    missing,
    partMissing: objects[part ?? name]?.missing ?? missing,
  };
}

/** If the request names no object, permission is checked on what every caller has. */
function unnamed(permission: Permission | null): 'none' | 'organization' | 'home_workspace' {
  if (permission === null) return 'none';
  return scopeOf(permission) === 'organization' ? 'organization' : 'home_workspace';
}
