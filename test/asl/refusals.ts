import { expect } from 'vitest';
import type { Definition } from '../../server/asl/definition.ts';
import { validateDefinition } from '../../server/asl/validate.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { definitionOf } from './run.ts';

/** Where and why a document is refused; nothing if it is accepted. */
export function refusals(document: unknown): [path: string, message: string][] {
  const checked = validateDefinition(document, supportedResources);
  return 'problems' in checked ? checked.problems.map(({ path, message }) => [path, message]) : [];
}

/** A row of a table: a document that is refused at `path`, with this message or one like it. */
export type Refused = [what: string, document: unknown, path: string, message: string | RegExp];

export function expectRefused(
  _what: string,
  document: unknown,
  path: string,
  message: string | RegExp,
): void {
  const found = refusals(document);
  expect(found.map(([where]) => where)).toContain(path);
  expect(found.filter(([where]) => where === path).map(([, why]) => why)).toContainEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  );
}

export const task = { Type: 'Task', Resource: 'wrp:http:call' };
export const ends = { E: { Type: 'Succeed' } };

/** A definition whose first state, `S`, goes on to `E`. */
export const having = (state: object): Definition => definitionOf({ S: { Next: 'E', ...state }, ...ends });

/** States as they stand in a branch or an item's processor. */
export const inner = (states: Record<string, object>) => ({
  StartAt: Object.keys(states)[0],
  States: states,
});
