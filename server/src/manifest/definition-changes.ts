import { isObject, type JsonObject } from '../../json/index.ts';
import { type Difference, differencesOf } from '../domain/json-differences.ts';

/** What a revision consists of. */
export interface RevisionContent {
  /** An Amazon States Language document. */
  definition: JsonObject;
  inputSchema: JsonObject;
  uiOptions: JsonObject;
}

export interface StateChange {
  name: string;
  type: string;
  change: 'added' | 'removed' | 'changed';
  /** Of a changed state, with pointers into the state. */
  differences: Difference[];
}

/** How the revisions of a definition differ. */
export interface RevisionChange {
  states: StateChange[];
  /** Outside the states: `/definition/StartAt`, `/inputSchema/properties/amount`. */
  differences: Difference[];
}

/** How applying a file changes a definition. */
export interface DefinitionChange extends RevisionChange {
  workspace: string;
  name: string;
  /** The current revision before. Null: the definition is new. */
  from: string | null;
  to: string;
}

/**
 * The states that were added, removed or changed, those of branches and ItemProcessors included, and other differences.
 *
 * @param from undefined: there is no revision to compare with, and every state is added
 */
export function compareRevisions<Content extends RevisionContent>(
  from: Content | undefined,
  to: Content,
): RevisionChange {
  const [before, after] = [statesIn(from?.definition ?? {}), statesIn(to.definition)];
  const states = [...new Set([...before.keys(), ...after.keys()])].flatMap((name): StateChange[] => {
    const [old, now] = [before.get(name), after.get(name)];
    const { Type: type } = (now ?? old) as JsonObject;
    const differences = old && now ? [...differencesOf(old, now)] : [];
    if (old && now && differences.length === 0) return [];
    const change = !old ? 'added' : !now ? 'removed' : 'changed';
    return [{ name, type: String(type), change, differences }];
  });
  return { states, differences: from ? [...differencesOf(withoutStates(from), withoutStates(to))] : [] };
}

function withoutStates({ definition, ...rest }: RevisionContent): object {
  const { States: _, ...fields } = definition;
  return { definition: fields, ...rest };
}

/** The states of a scope and of the scopes in it, by name, which is unique. An inner scope has the names of its states. */
function statesIn(scope: object, found = new Map<string, object>()): Map<string, object> {
  const { States } = scope as { States?: unknown };
  for (const [name, state] of Object.entries(isObject(States) ? States : {})) {
    if (!isObject(state)) continue;
    const { Branches, ItemProcessor } = state;
    found.set(name, {
      ...state,
      ...(Array.isArray(Branches) && { Branches: Branches.map(outline) }),
      ...(ItemProcessor !== undefined && { ItemProcessor: outline(ItemProcessor) }),
    });
    for (const inner of [...(Array.isArray(Branches) ? Branches : []), ItemProcessor]) {
      if (isObject(inner)) statesIn(inner, found);
    }
  }
  return found;
}

const outline = (scope: unknown) =>
  isObject(scope) && isObject(scope['States'])
    ? { ...scope, States: Object.keys(scope['States']).sort() }
    : scope;
