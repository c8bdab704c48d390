import type { Contract } from './source.ts';

/** An OpenAPI Overlay, version 1.0: https://spec.openapis.org/overlay/v1.0.0.html */
export interface Overlay {
  overlay: string;
  info?: { title: string; version: string };
  actions: OverlayAction[];
}

export interface OverlayAction {
  /** JSONPath of one node: names after a dot, or quoted in brackets. */
  target: string;
  update?: unknown;
  remove?: boolean;
}

const step = /^(?:\.([A-Za-z_$][\w$-]*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\])/;

/**
 * A copy of the contract with the overlay's actions applied in order: objects are merged, lists are appended to,
 * anything else is replaced. As the standard requires, a target that does not exist changes nothing.
 *
 * @throws if a target is not a path of plain names
 */
export function applyOverlay(contract: Contract, { actions }: Overlay): Contract {
  const result = structuredClone(contract);
  for (const { target, update, remove } of actions) {
    const keys = keysOf(target);
    const parent = keys.slice(0, -1).reduce<unknown>((node, key) => child(node, key), result);
    const last = keys.at(-1);
    const found = last === undefined ? result : child(parent, last);
    if (found === undefined) continue;
    if (remove && last !== undefined) delete (parent as Record<string, unknown>)[last];
    else if (Array.isArray(found)) found.push(update);
    else merge(found, update, target);
  }
  return result;
}

/** The target of an action on one operation. */
export function operationTarget(path: string, method: string, place: 'paths' | 'webhooks' = 'paths'): string {
  return `$.${place}['${path.replaceAll("'", "\\'")}'].${method}`;
}

function keysOf(target: string): string[] {
  const refuse = () => new Error(`The overlay's target ${target} is not a path of plain names.`);
  if (!target.startsWith('$')) throw refuse();
  const keys: string[] = [];
  for (let rest = target.slice(1); rest; ) {
    const found = step.exec(rest);
    if (!found) throw refuse();
    const [whole, ...names] = found;
    keys.push((names.find((name) => name !== undefined) ?? '').replaceAll(/\\(.)/g, '$1'));
    rest = rest.slice(whole.length);
  }
  return keys;
}

function child(node: unknown, key: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
  return (node as Record<string, unknown>)[key];
}

function merge(into: unknown, update: unknown, target: string): void {
  if (!isRecord(into) || !isRecord(update)) {
    throw new Error(`The overlay's target ${target} is not an object, so it cannot be updated.`);
  }
  for (const [key, value] of Object.entries(update)) {
    const before = into[key];
    if (isRecord(before) && isRecord(value)) merge(before, value, target);
    else if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
    else into[key] = value;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
