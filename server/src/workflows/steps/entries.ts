import type { Frame } from '../../domain/checkpoints.ts';
import type { MachineError } from '../../domain/failures.ts';
import type { Json } from '../../domain/json.ts';
import type { HistoryEntry } from '../../store/threads.ts';
import type { Action } from '../machine/actions.ts';
import { storable } from '../storable-failure.ts';

/** A line of history whose time is not known yet. */
export type StepEntry = Omit<HistoryEntry, 'at'>;

/** Bytes of JSON up to which history keeps a value; of a longer one it keeps the size. */
const keptBytes = 65_536;

/**
 * What history says of an action.
 *
 * @param of the thread's label, its frame before the action, the type of its state, and what the state's work failed with
 */
export function entryOf(
  action: Action,
  {
    label,
    frame,
    type,
    failure,
  }: { label: string; frame: Frame; type: () => string; failure: MachineError | undefined },
): StepEntry {
  const entry = (kind: HistoryEntry['kind'], detail: object): StepEntry => ({
    kind,
    state: frame.state,
    detail: { ...(label && { branch: label }), ...detail },
  });
  switch (action.kind) {
    case 'next':
    case 'end':
      return entry('state', {
        type: type(),
        enteredAt: frame.enteredAt,
        ...kept('input', frame.input),
        ...kept('output', action.output),
        ...(failure && { failure: storable(failure) }),
      });
    case 'wait':
      return entry('waiting', { until: action.until.toISOString() });
    case 'retry':
      return entry('retry', { ...storable(action.failure), at: action.at.toISOString() });
    case 'task': {
      const { resource, timeoutSeconds } = action;
      return entry('task', { resource, timeoutSeconds, ...kept('arguments', action.arguments) });
    }
    case 'fork': {
      const { branches, maxConcurrency, toleratedFailures } = action;
      return entry('forked', { threads: branches.length, maxConcurrency, toleratedFailures });
    }
    case 'fail':
      return entry('failed', { ...storable(action.failure), ...kept('input', frame.input) });
  }
}

function kept(name: string, value: Json): Record<string, unknown> {
  const text = JSON.stringify(value);
  const size = Buffer.byteLength(text);
  return size <= keptBytes ? { [name]: value } : { [`${name}Size`]: size };
}
