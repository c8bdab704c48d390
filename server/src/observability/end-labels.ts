import type { ExecutionEnd } from '../store/webhook-relay.ts';

/** Each label and each of its values is a series in every process, so there are at most so many. */
const maxDefinitions = 100;
/** Of one definition, so that the errors of one do not displace those of another. */
const maxErrors = 20;
/** In UTF-16 code units. Authors of definitions choose the names. */
const maxErrorLength = 64;

/** What stands for definitions and errors beyond the limits. */
const otherLabel = 'other';
export const other = { definition: otherLabel, name: otherLabel };

/** The labels of the end of an execution. The first definitions and errors that a process counts get their own. */
export type EndLabels = ReturnType<typeof endLabels>;

export function endLabels() {
  const errorsOf = new Map<string, Set<string>>();
  return ({ definitionId, name, status, error }: ExecutionEnd) => {
    // A definition with a new name has another series.
    const key = `${definitionId} ${name}`;
    if (!errorsOf.has(key) && errorsOf.size < maxDefinitions) errorsOf.set(key, new Set());
    const errors = errorsOf.get(key);
    const labels = errors ? { definition: definitionId, name: name ?? '' } : other;
    if (status !== 'FAILED') return { ...labels, status, error: '' };
    const label = (error ?? '')
      .slice(0, maxErrorLength)
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, '\ufffd');
    if (errors && errors.size < maxErrors) errors.add(label);
    return { ...labels, status, error: errors?.has(label) ? label : otherLabel };
  };
}
