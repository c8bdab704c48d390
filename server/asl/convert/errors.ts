import { pointerTo } from '../../json/index.ts';
import { reservedErrors } from '../validation/recovery.ts';
import type { Fields } from './flow.ts';
import { isCallback, isForeign } from './integrations.ts';
import type { Reporter } from './templates.ts';

const errorNames = new Map([
  ['States.ParameterPathFailure', ['States.QueryEvaluationError']],
  ['States.ResultPathMatchFailure', ['States.QueryEvaluationError']],
  ['States.IntrinsicFailure', ['States.QueryEvaluationError']],
  ['States.Http.Socket', ['Http.Failed']],
  // The result of a function or service may be too large; here it is the response of a call.
  ['States.DataLimitExceeded', ['States.DataLimitExceeded', 'Http.TooLarge']],
]);

/** The transient errors of services, without the name of the service, as errors of HTTP calls. */
const transientErrors: [name: RegExp, here: string[]][] = [
  [/TooManyRequests|Throttl|ThroughputExceeded|RequestLimitExceeded/, ['Http.Status.429']],
  [/ServiceUnavailable|ResourceNotReady/, ['Http.Status.503']],
  [/^SdkClient/, ['Http.Failed']],
  [/Timeout/, ['Http.Status.504', 'Http.Failed']],
  [/^Unknown$/, ['Http.Status.500', 'Http.Status.502']],
  [/^(AWS\w*|Service)Exception$|^Internal/, ['Http.Status.500', 'Http.Status.502', 'Http.Status.503']],
];

/** The error of a service: `Lambda.ServiceException`. */
const serviceError = /^(?!States\.|Http\.|Wrp\.)[A-Z]\w*\.(\w+)$/;

/** The names of the errors here that correspond to a transient error of a service. */
function transientNames(name: string): string[] | undefined {
  const error = serviceError.exec(name)?.[1];
  return error === undefined ? undefined : transientErrors.find(([pattern]) => pattern.test(error))?.[1];
}

/**
 * The names of an error of AWS Step Functions here. There, a definition may use names of its own that start with
 * `States.`; here they are without this prefix.
 */
function namesHere(name: unknown): unknown[] {
  if (typeof name !== 'string') return [name];
  const transient = transientNames(name);
  if (transient) return transient;
  const known = errorNames.get(name) ?? [name.replace(/^States\.Http\.StatusCode\./, 'Http.Status.')];
  return known.map((each) => (reservedErrors.has(each) ? each : ownErrorName(each)));
}

/** The name of an error with which a Fail fails. */
export const ownErrorName = (name: string) => name.replace(/^States\./, '');

/** `ErrorEquals` of a retrier or catcher of a state, with the names of errors here. */
export function errorsOf(names: unknown, state: Fields, pointer: string, report: Reporter): Fields {
  if (!Array.isArray(names)) return names === undefined ? {} : { ErrorEquals: names };
  const at = pointer + pointerTo('ErrorEquals');
  const unknown = names.filter((name) => typeof name === 'string' && neverOccurs(name, state));
  if (unknown.length > 0) {
    report.todo(
      at,
      `no task here fails with ${unknown.join(', ')}: use Http.Status.<code>, Http.Failed or States.TaskFailed`,
    );
  }
  if (names.some((name) => typeof name === 'string' && transientNames(name))) {
    report.note(
      at,
      'transient errors of services become those of HTTP calls: let the endpoint respond with 429 or 5xx',
    );
  }
  return { ErrorEquals: [...new Set(names.flatMap(namesHere))] };
}

/**
 * Whether no task here fails with an error. A call reports only errors of HTTP; a callback and the states of a branch
 * also those that the author names.
 */
function neverOccurs(name: string, { Type, Resource }: Fields): boolean {
  if (transientNames(name)) return false;
  if (Type === 'Task' && isForeign(Resource) && !isCallback(Resource))
    return !/^(States|Http|Wrp)\./.test(name);
  return serviceError.test(name);
}
