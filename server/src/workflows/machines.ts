import type { Machine } from './machine/actions.ts';
import type { Definition } from './machine/definition.ts';
import { openMachine } from './machine/machine.ts';

/** Opened definitions that a process keeps. */
const mostOpen = 200;

/**
 * The machines of definitions, each opened once: a revision never changes.
 *
 * @param findDocument of a revision that is stored
 */
export function machines(findDocument: (revisionId: string) => Promise<object>) {
  const open = new Map<string, Promise<Machine>>();
  return (revisionId: string): Promise<Machine> => {
    const known = open.get(revisionId);
    if (known) return known;
    const opening = findDocument(revisionId).then((document) => openMachine(document as Definition));
    opening.catch(() => open.delete(revisionId));
    if (open.size >= mostOpen) open.delete(open.keys().next().value as string);
    open.set(revisionId, opening);
    return opening;
  };
}
