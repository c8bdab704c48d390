import type { MachineError } from '../domain/failures.ts';
import type { Json } from '../domain/json.ts';
import { kept } from '../store/history.ts';
import type { HistoryEntry } from '../store/threads.ts';
import type { Run } from './engine.ts';
import type { Action } from './machine/actions.ts';
import { storable } from './storable-failure.ts';
import type { Decision } from './write-down.ts';

/** What history tells of each action; `failure`: what the state's work failed with before it. */
export function entriesOf(
  run: Run,
  {
    action,
    done,
    failure,
  }: { action: Decision; done?: Task | undefined; failure?: MachineError | undefined },
  now: Date,
): HistoryEntry[] {
  const { label, frame } = run.thread;
  const told = (kind: HistoryEntry['kind'], detail: object): HistoryEntry => ({
    at: now,
    kind,
    state: frame.state,
    detail: { ...(label && { branch: label }), ...detail },
  });
  const state = (output: Json) =>
    told('state', {
      type: run.machine.state(run.thread.scope, frame.state).Type,
      enteredAt: frame.enteredAt,
      ...kept('input', frame.input),
      ...kept('output', output),
      ...(failure && { failure: storable(failure) }),
    });
  const before = done ? [told('task', asked(done))] : [];
  switch (action.kind) {
    case 'next':
    case 'end':
    case 'complete':
      return [...before, state(action.output)];
    case 'wait':
      return [...before, told('waiting', { until: action.until.toISOString() })];
    case 'retry':
      return [...before, told('retry', { ...storable(action.failure), at: action.at.toISOString() })];
    case 'task':
      return [...before, told('task', asked(action))];
    case 'fork': {
      const { branches, maxConcurrency, toleratedFailures } = action;
      return [...before, told('forked', { threads: branches.length, maxConcurrency, toleratedFailures })];
    }
    case 'fail':
      return [...before, told('failed', { ...storable(action.failure), ...kept('input', frame.input) })];
  }
}

type Task = Extract<Action, { kind: 'task' }>;

function asked({ resource, arguments: given, timeoutSeconds }: Task): object {
  return { resource, timeoutSeconds, ...kept('arguments', given) };
}
