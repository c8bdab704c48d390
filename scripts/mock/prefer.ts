import type { OperationObject } from '../../server/src/contract/routes.ts';
import type { Refuse } from './failure.ts';

/** What a `Prefer` header (RFC 7240) asks the mock for: `Prefer: code=404, wait=2`. */
export type Preference = { code?: string; example?: string };

const longestWaitSeconds = 60;

/** The entries of the header that the mock knows; all others are ignored, as the RFC says. */
export function readPreferences(header: string | string[] | undefined): Preference & { wait?: string } {
  const entries = String(header ?? '').matchAll(/(?:^|[,;\s])(code|example|wait)\s*=\s*"?([\w.-]+)"?/gi);
  return Object.fromEntries([...entries].map(([, name = '', value]) => [name.toLowerCase(), value]));
}

/**
 * How long the answer is to take.
 *
 * @returns milliseconds, 0 where nothing is said
 * @throws {Refusal} 400 `parameter_invalid` where `wait` is no number of seconds from 0 to 60
 */
export function waitOf({ wait = '0' }: { wait?: string }, refuse: Refuse): number {
  const seconds = /^\d{1,2}(\.\d{1,3})?$/.test(wait) ? Number(wait) : Number.NaN;
  if (seconds <= longestWaitSeconds) return seconds * 1000;
  const message = `wait must be a number of seconds from 0 to ${longestWaitSeconds}.`;
  throw refuse(400, 'parameter_invalid', { message, parameter: 'Prefer' });
}

/** Says in the answer what was done as asked (RFC 7240, section 3). */
export function appliedPreferences(preferences: Preference & { wait?: string }): Record<string, string> {
  const applied = Object.entries(preferences).map(([name, value]) => `${name}=${value}`);
  return applied.length > 0 ? { 'preference-applied': applied.join(', ') } : {};
}

/** @throws {Refusal} 400 `parameter_invalid` for a status or an example that the operation does not document. */
export function preferenceOf(
  { code, example }: Preference,
  operation: OperationObject,
  refuse: Refuse,
): Preference {
  const documented = Object.keys(operation.responses);
  const statuses = code === undefined ? documented : [code];
  if (code !== undefined && !documented.includes(code)) {
    throw unknown(refuse, `status ${code}`, operation, documented);
  }
  if (example === undefined) return code === undefined ? {} : { code };
  // An example's name finds its status, so that `Prefer: example=userNotFound` is enough.
  const found = statuses.find((status) => examplesOf(operation, status).includes(example));
  if (found) return { code: found, example };
  const examples = statuses.flatMap((status) => examplesOf(operation, status));
  throw unknown(refuse, `example ${example}`, operation, examples);
}

/** The names of a response's examples, over all of its media types. */
export function examplesOf(operation: OperationObject, status: string): string[] {
  const media = Object.values(operation.responses[status]?.content ?? {});
  return media.flatMap(({ examples }) => Object.keys(examples ?? {}));
}

function unknown(refuse: Refuse, what: string, { operationId }: OperationObject, documented: string[]) {
  const message = `${operationId} does not document the ${what}; it documents ${documented.join(', ') || 'none'}.`;
  return refuse(400, 'parameter_invalid', { message, parameter: 'Prefer' });
}
