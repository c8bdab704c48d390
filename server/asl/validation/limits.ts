import { isDeeperThan, isObject } from '../../json/index.ts';
import { at, type Problem } from './problems.ts';

/** Nesting levels of a definition. */
export const maxDepth = 100;

/**
 * Bytes of a definition as JSON in UTF-8: 1 MiB, as in AWS Step Functions. Each process that takes a step parses the
 * whole definition.
 */
export const maxDefinitionBytes = 1_048_576;

/** What makes a definition too large to be validated any further. */
export function problemOfLimits(document: unknown): Problem | undefined {
  if (isDeeperThan(document, maxDepth)) {
    const message = `A definition must not be nested deeper than ${maxDepth} levels`;
    return { path: deepField(document), message };
  }
  const bytes = Buffer.byteLength(JSON.stringify(document) ?? '');
  if (bytes <= maxDefinitionBytes) return undefined;
  const message = `A definition must not be larger than ${maxDefinitionBytes} bytes (1 MiB) as JSON; this one has ${bytes}`;
  return { path: '', message };
}

/** The field of a state that is too deep. The whole path would be too long to read. */
function deepField(document: unknown): string {
  let path = '';
  let value = document;
  for (const level of [1, 2, 3]) {
    const members: [string, unknown][] = isObject(value) ? Object.entries(value) : [];
    const deep = members.find(([, member]) => isDeeperThan(member, maxDepth - level));
    if (!deep) return path;
    path = at(path, deep[0]);
    value = deep[1];
  }
  return path;
}
