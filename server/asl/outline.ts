import type { Scope, State } from './definition.ts';
import { isExpression, sourceOf } from './expressions.ts';

/** The states of a scope and their transitions, for drawings. */
export interface Outline {
  startAt: string;
  /** In the order of the definition. */
  states: OutlinedState[];
}

export interface OutlinedState {
  name: string;
  type: State['Type'];
  /** What it does: the resource of a Task, the time of a Wait, the error of a Fail; otherwise empty. */
  detail: string;
  transitions: Transition[];
  /** The branches of a Parallel, or the one scope of a Map; otherwise none. */
  scopes: Outline[];
}

export interface Transition {
  /** Undefined: the end of the scope. */
  to: string | undefined;
  /** The condition of a Choice, or the errors of a Catch. */
  label?: string;
  /** Of a Catch. */
  caught?: true;
}

export function outlineOf(scope: Scope): Outline {
  const states = Object.entries(scope.States).map(([name, state]) => ({
    name,
    type: state.Type,
    detail: detailOf(state),
    transitions: transitionsOf(state),
    scopes: scopesOf(state).map(outlineOf),
  }));
  return { startAt: scope.StartAt, states };
}

function detailOf(state: State): string {
  switch (state.Type) {
    case 'Task':
      return state.Resource;
    case 'Wait':
      return state.Timestamp === undefined
        ? `for ${textOf(String(state.Seconds))} s`
        : `until ${textOf(state.Timestamp)}`;
    case 'Fail':
      return state.Error ?? '';
    default:
      return '';
  }
}

function scopesOf(state: State): Scope[] {
  if (state.Type === 'Map') return [state.ItemProcessor];
  return state.Type === 'Parallel' ? state.Branches : [];
}

function transitionsOf(state: State): Transition[] {
  const transitions: Transition[] = [];
  if (state.Type === 'Choice') {
    for (const { Condition, Next } of state.Choices)
      transitions.push({ to: Next, label: textOf(String(Condition)) });
    if (state.Default !== undefined) transitions.push({ to: state.Default, label: 'otherwise' });
  }
  if ('Next' in state || 'End' in state) transitions.push({ to: state.Next });
  if ('Catch' in state) {
    for (const { ErrorEquals, Next } of state.Catch ?? [])
      transitions.push({ to: Next, label: ErrorEquals.join(', '), caught: true });
  }
  return transitions;
}

function textOf(value: string): string {
  return isExpression(value) ? sourceOf(value).trim() : value;
}
