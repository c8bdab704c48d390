import type { ErrorObject } from 'ajv';
import { nameOf, pointerTo } from '../domain/json-pointer.ts';
import type { Problem } from '../http/operation.ts';

/** Maximum number of problems in one response: a schema with alternatives can produce dozens. */
const most = 20;
/** The limits of an error's fields in the contract. */
const longest = { message: 1000, pointer: 500, parameter: 100 };

/** Converts the errors of a validator that checked `{query, headers, params, body}`. */
export function problemsOf(errors: readonly ErrorObject[] | null | undefined): Problem[] {
  const problems = (errors ?? []).slice(0, most).map(problemOf);
  return problems.length > 0 ? problems : [bodyProblem('', 'must be as documented')];
}

/** Converts the errors of a validator that checked `{response}` to sentences for a log. */
export function sentencesOf(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).slice(0, most).map((error) => {
    const place = placeOf(error).slice('/response'.length);
    return `${place === '' ? 'the body' : place} ${wordsOf(error)}`;
  });
}

export function parameterProblem(parameter: string, message: string): Problem {
  const name = parameter.slice(0, longest.parameter);
  return {
    code: 'parameter_invalid',
    parameter: name,
    message: `${name} ${message}`.slice(0, longest.message),
  };
}

export function bodyProblem(pointer: string, message: string): Problem {
  return { code: 'body_invalid', pointer: bounded(pointer), message: message.slice(0, longest.message) };
}

/** Converts an error that EOV's closure threw. */
export function problemsOfThrown(thrown: unknown): Problem[] {
  const { errors } = thrown as { errors?: { path?: string; message?: string }[] };
  if (!Array.isArray(errors) || errors.length === 0) throw thrown;
  return errors.slice(0, most).map(({ path = '', message = 'must be as documented' }) => at(path, message));
}

function problemOf(error: ErrorObject): Problem {
  return at(placeOf(error), wordsOf(error));
}

/** @param place starts with the checked part: `/query/page`, `/body/firstName` */
function at(place: string, message: string): Problem {
  const [, part = '', name = ''] = place.split(/[/.]/, 3);
  if (part === 'query' || part === 'headers' || part === 'params' || part === 'cookies')
    return parameterProblem(nameOf(name) || part, message);
  return bodyProblem(part === 'body' ? place.slice('/body'.length) : '', message);
}

/** Points to the missing or unexpected field; ajv points to its object. */
function placeOf({ instancePath, params }: ErrorObject): string {
  const field = params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof field === 'string' ? `${instancePath}${pointerTo(field)}` : instancePath;
}

function wordsOf({ keyword, params, message = 'must be as documented' }: ErrorObject): string {
  return keyword === 'enum' && Array.isArray(params['allowedValues'])
    ? `${message}: ${params['allowedValues'].join(', ')}`
    : message;
}

/** Field names come from the caller. If one is too long, the pointer names its object. */
function bounded(pointer: string): string {
  return pointer.length <= longest.pointer
    ? pointer
    : pointer.slice(0, pointer.lastIndexOf('/', longest.pointer));
}
