import {
  type Action,
  type Frame,
  longestCause,
  longestErrorName,
  type MachineError,
  type State,
} from '../../../asl/index.ts';
import { type Json, startOf, storableText } from '../../../json/index.ts';
import { redactText, redactValue } from '../../domain/redaction.ts';
import type { HistoryEntry } from '../../store/threads.ts';

/** A history entry without its time. */
export type StepEntry = Omit<HistoryEntry, 'at'>;

/** Bytes of JSON. A larger value is stored in the blob store. */
const maxValueBytes = 65_536;

interface StepDetails {
  label: string;
  /** Before the action. */
  frame: Frame;
  state: () => State;
  /** The failure of the state's task or fork. */
  failure: MachineError | undefined;
  /** The result of the state's task or fork; undefined if it failed, or if the state has none. */
  result: Json | undefined;
}

/** The history entry of an action, without secrets (`redaction.ts`). Its kinds and fields are those of the contract. */
export function entryOf(
  action: Action,
  { label, frame, state: stateOf, failure, result }: StepDetails,
): StepEntry {
  const { state } = frame;
  const branch = label && { branch: label };
  const entry = (
    kind: HistoryEntry['kind'],
    detail: object,
    values: Record<string, Json | undefined> = {},
  ) => {
    const large: Record<string, string> = {};
    const stored: Record<string, unknown> = {};
    for (const name in values) {
      const value = values[name];
      if (value !== undefined) addValue(name, value, stored, large);
    }
    const hasLarge = Object.keys(large).length > 0;
    return {
      kind,
      state,
      detail: { ...branch, ...detail, ...stored },
      ...(hasLarge && { largeValues: large }),
    };
  };
  switch (action.kind) {
    case 'next':
    case 'end': {
      const { output } = action;
      const { via, failure: caught = failure } = action.kind === 'next' ? action : { via: '' };
      const definition = stateOf();
      const isPassedOn = via === '' && !('Output' in definition);
      const values = {
        input: frame.input,
        result: isPassedOn ? undefined : result,
        assigned: action.assigned,
        output,
      };
      const detail = {
        type: definition.Type,
        enteredAt: frame.enteredAt,
        ...(via && { via: via.slice(0, -1) }),
        ...(caught && { failure: reported(caught) }),
      };
      return entry('state', detail, values);
    }
    case 'wait':
      return entry('waiting', { until: action.until.toISOString() });
    case 'retry': {
      const { failure: error, at, retrier } = action;
      const next = { at: at.toISOString(), attempt: attemptOf(frame), via: `Retry/${retrier}` };
      return entry('retry', { ...reported(error), ...next }, { result });
    }
    case 'task': {
      const { resource, timeoutSeconds } = action;
      return entry(
        'task',
        { resource, timeoutSeconds, attempt: attemptOf(frame) },
        { arguments: action.arguments },
      );
    }
    case 'fork': {
      const { branches, maxConcurrency, toleratedFailures } = action;
      return entry('forked', { threads: branches.length, maxConcurrency, toleratedFailures });
    }
    case 'fail':
      return entry(
        'failed',
        { ...reported(action.failure), attempt: attemptOf(frame) },
        { input: frame.input, result },
      );
  }
}

/** The history entry of a retry of the execution. */
export function retriedEntry(
  state: string,
  detail: { by: string; error: string | null; failed?: string; revision?: string },
  input: Json | undefined,
): StepEntry {
  const stored: Record<string, unknown> = {};
  // The state whose input it is has a large one in its own entry.
  if (input !== undefined) addValue('input', input, stored, {});
  return { kind: 'retried', state, detail: { ...detail, ...stored } };
}

/** The number of the attempt, from 1. */
function attemptOf({ retries }: Frame): number {
  return retries.reduce((sum, used) => sum + used, 1);
}

/** JSON that PostgreSQL may refuse: see `textProblem`. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** Adds a value, or its size if it is not stored with the entry. */
function addValue(
  name: string,
  value: Json,
  stored: Record<string, unknown>,
  large: Record<string, string>,
): void {
  const text = JSON.stringify(value);
  const shown = redactValue(value, text);
  const shownText = shown === value ? text : JSON.stringify(shown);
  const size = Buffer.byteLength(shownText);
  // Results of other systems have not been checked if they failed their state.
  const isStorable = name !== 'result' || !unstorable.test(shownText);
  if (isStorable && size <= maxValueBytes) stored[name] = shown;
  else {
    stored[`${name}Size`] = size;
    if (isStorable) large[name] = shownText;
  }
}

/** A failure as the history shows it. */
function reported(failure: MachineError): MachineError {
  const { error, cause } = storable(failure);
  return { error, cause: redactText(cause) };
}

/** A failure that PostgreSQL can store, bounded in length. */
export function storable({ error, cause }: MachineError): MachineError {
  const clean = (text: string, max: number) => storableText(startOf(text, max));
  return { error: clean(error, longestErrorName), cause: clean(cause, longestCause) };
}
