import {
  type Action,
  type Frame,
  longestCause,
  longestErrorName,
  type MachineError,
} from '../../../asl/index.ts';
import { type Json, startOf, storableText } from '../../../json/index.ts';
import type { HistoryEntry } from '../../store/threads.ts';

/** A history entry without its time. */
export type StepEntry = Omit<HistoryEntry, 'at'>;

/** Bytes of JSON. History has the size of a larger value instead of the value. */
const maxValueBytes = 65_536;

interface StepDetails {
  label: string;
  /** Before the action. */
  frame: Frame;
  /** Of the state. */
  type: () => string;
  /** Of the state's task or fork. */
  failure: MachineError | undefined;
}

/** The history entry of an action. */
export function entryOf(action: Action, { label, frame, type, failure }: StepDetails): StepEntry {
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
        ...valueOrSize('input', frame.input),
        ...valueOrSize('output', action.output),
        ...(failure && { failure: storable(failure) }),
      });
    case 'wait':
      return entry('waiting', { until: action.until.toISOString() });
    case 'retry':
      return entry('retry', { ...storable(action.failure), at: action.at.toISOString() });
    case 'task': {
      const { resource, timeoutSeconds } = action;
      return entry('task', { resource, timeoutSeconds, ...valueOrSize('arguments', action.arguments) });
    }
    case 'fork': {
      const { branches, maxConcurrency, toleratedFailures } = action;
      return entry('forked', { threads: branches.length, maxConcurrency, toleratedFailures });
    }
    case 'fail':
      return entry('failed', { ...storable(action.failure), ...valueOrSize('input', frame.input) });
  }
}

/** A failure that PostgreSQL can store, bounded in length. */
export function storable({ error, cause }: MachineError): MachineError {
  const clean = (text: string, max: number) => storableText(startOf(text, max));
  return { error: clean(error, longestErrorName), cause: clean(cause, longestCause) };
}

function valueOrSize(name: string, value: Json): Record<string, unknown> {
  const size = Buffer.byteLength(JSON.stringify(value));
  return size <= maxValueBytes ? { [name]: value } : { [`${name}Size`]: size };
}
