import type { Operation } from '../contract-routes.ts';
import type { Refuse } from './failure.ts';

/** What a `Prefer` header (RFC 7240) asks the mock for: `Prefer: code=404, example=userNotFound`. */
export type Preference = { code?: string; example?: string };

/** @throws {Refusal} 400 `parameter_invalid` for a status or an example that the operation does not document. */
export function preferenceOf(header: string, operation: Operation, refuse: Refuse): Preference {
  const entries = [...header.matchAll(/\b(code|example)\s*=\s*"?([\w.-]+)"?/g)];
  const wanted: Preference = Object.fromEntries(entries.map(([, name, value]) => [name, value]));
  const documented = Object.keys(operation.responses);
  const statuses = wanted.code === undefined ? documented : [wanted.code];
  if (wanted.code !== undefined && !documented.includes(wanted.code)) {
    throw unknown(refuse, `status ${wanted.code}`, operation, documented);
  }
  if (wanted.example === undefined) return wanted;
  // An example's name finds its status, so that `Prefer: example=userNotFound` is enough.
  const code = statuses.find((status) => examplesOf(operation, status).includes(wanted.example ?? ''));
  if (code) return { ...wanted, code };
  const examples = statuses.flatMap((status) => examplesOf(operation, status));
  throw unknown(refuse, `example ${wanted.example}`, operation, examples);
}

/** The names of a response's examples, over all of its media types. */
export function examplesOf(operation: Operation, status: string): string[] {
  const media = Object.values(operation.responses[status]?.content ?? {});
  return media.flatMap(({ examples }) => Object.keys(examples ?? {}));
}

function unknown(refuse: Refuse, what: string, { operationId }: Operation, documented: string[]) {
  const message = `${operationId} does not document the ${what}; it documents ${documented.join(', ') || 'none'}.`;
  return refuse(400, 'parameter_invalid', { message, parameter: 'Prefer' });
}
