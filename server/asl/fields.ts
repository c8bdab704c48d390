import { type Json, shortened, timestampOf } from '../json/index.ts';
import { isExpression } from './expressions.ts';
import { queryFailure } from './failure.ts';
import type { Visit } from './visit.ts';

/** The longest wait or timeout in seconds: 30 days, the longest that an execution runs. */
export const maximumSeconds = 30 * 86_400;

/** The longest call of a task in seconds: 25 minutes. The job that makes it expires five minutes later. */
export const maximumCallSeconds = 1_500;

/** Default TimeoutSeconds of a Task (specification: Task State). */
export const defaultTimeoutSeconds = 60;

export interface Bounds {
  minimum: number;
  maximum: number;
  /** Fractions are allowed. */
  fractional?: boolean;
  /** What the maximum is, for a message. */
  reason?: string;
}

export const longestRun = '30 days, the longest that an execution runs';

export const bounds = {
  waitSeconds: { minimum: 0, maximum: maximumSeconds, reason: longestRun },
  taskSeconds: { minimum: 1, maximum: maximumSeconds, reason: longestRun },
  /** MaxAttempts of a Retrier, as in AWS Step Functions. */
  attempts: { minimum: 0, maximum: 99_999_999 },
  count: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  percentage: { minimum: 0, maximum: 100, fractional: true },
} as const satisfies Record<string, Bounds>;

/** Whether a value is valid for a numeric field. Literals are checked when the definition is applied. */
export function fitsBounds(value: unknown, { minimum, maximum, fractional }: Bounds): value is number {
  if (typeof value !== 'number' || value < minimum || value > maximum) return false;
  return fractional === true || Number.isInteger(value);
}

export function describeBounds({ minimum, maximum, fractional, reason }: Bounds): string {
  const kind = fractional ? 'a number' : 'an integer';
  return maximum >= Number.MAX_SAFE_INTEGER
    ? `${kind} not below ${minimum}`
    : `${kind} from ${minimum} to ${maximum}${reason ? `, which is ${reason}` : ''}`;
}

/**
 * The number of a field: its literal, or the value of its expression, which must be within bounds. The literal was
 * checked when the definition was applied, maybe within other bounds.
 */
export function numberOf(visit: Visit, value: number | string, field: string, limits: Bounds): number {
  if (typeof value === 'number') return value;
  const result = visit.evaluate(value, field);
  if (fitsBounds(result, limits)) return result;
  throw queryFailure(`${field} must be ${describeBounds(limits)}, not ${shown(result)}.`, { field });
}

/** The string of a field: its literal, or the value of its expression. */
export function stringOf(visit: Visit, value: string, field: string): string {
  const result = isExpression(value) ? visit.evaluate(value, field) : value;
  if (typeof result === 'string') return result;
  throw queryFailure(`${field} must be a string, not ${shown(result)}.`, { field });
}

/** A timestamp in the specification's profile of RFC 3339: upper-case T, and Z or an offset. */
export function parseTimestamp(text: string): Date | undefined {
  return /[tz]/.test(text) ? undefined : timestampOf(text);
}

/** A short description of a value for a cause. */
export function shown(value: Json): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return shortened(JSON.stringify(value), 60);
}
