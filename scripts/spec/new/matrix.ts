import { operations } from '../../../generated/operations.ts';
import type { Draft } from './draft.ts';
import type { Plan } from './plan.ts';

const file = 'test/sweeps/authorization-matrix.txt';

/**
 * Drafts the line of the permission matrix: what an operation that asks the same permission on the same kind of object
 * has. A person approves it.
 * @returns whether there is such an operation
 */
export function draftMatrixLine(draft: Draft, plan: Plan): boolean {
  const text = draft.read(file) ?? '';
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('operation ')) + 1;
  const end = lines.findIndex((line, index) => index >= start && line === '');
  const model = lines.slice(start, end).find((line) => isModel(line, plan));
  if (start === 0 || !model) return false;
  const [, , cells = ''] = /^(\S+\s+\S+\s+)(.*)$/.exec(model) ?? [];
  const line = `${plan.operationId.padEnd(22)} ${plan.permission.padEnd(28)} ${cells}`;
  const listed = [...lines.slice(start, end), line].sort();
  draft.set(file, [...lines.slice(0, start), ...listed, ...lines.slice(end)].join('\n'));
  return true;
}

/** Of the same permission, and addressed in the same way: by the same objects in the path, or by none. */
function isModel(line: string, { permission, parameters }: Plan): boolean {
  const [id = '', asked] = line.split(/\s+/);
  const known = (operations as Record<string, { path: string } | undefined>)[id];
  if (asked !== permission || !known || bodyAddressed.has(id)) return false;
  const named = [...known.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return named[0] === parameters[0];
}

/** Their object is named in the body, and so they ask on something else. */
const bodyAddressed = new Set(['startWorkflow', 'createParameterSet', 'createLink', 'sendLink']);
