import type { ErrorObject } from 'ajv';
import { messageAtPlace, nameOf, namesIn, placeOf, startOf, timestampOf } from '../json/index.ts';
import type { Problem } from './declared.ts';

/** Maximum number of problems in one response. */
export const problemLimit = 20;
/** Maximum number of errors that a check collects: several can be about one value. */
export const rawErrorLimit = 3 * problemLimit;
/** The limits of an error's fields in the contract. */
const longest = { message: 1000, pointer: 500, parameter: 100, subject: 200 };

/** What the contract's patterns for requests demand, in words. */
const patterns: Record<string, string> = {
  '^[^\\x00]*$': 'must not contain NUL (U+0000)',
  '^[\\x21-\\x7e]+$': 'must consist of visible ASCII characters, without spaces',
  '^[A-Za-z0-9_-]{40}$': 'must be the `nextCursor` of an earlier response',
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': 'must be a language tag such as `en` or `de-CH`',
};

/** Converts the errors of a validator that checked `{query, headers, params, body}`: one problem for each value. */
export function problemsOf(errors: readonly ErrorObject[] | null | undefined): Problem[] {
  const byPlace = new Map<string, ErrorObject>();
  for (const error of withoutAlternatives(errors ?? [])) {
    const place = placeOf(error);
    // A malformed identifier or cursor also violates its length, which says less.
    if (!byPlace.has(place) || error.keyword === 'format' || error.keyword === 'pattern')
      byPlace.set(place, error);
  }
  return [...byPlace].map(([place, error]) =>
    at(
      place,
      plusMistake(place, error) ?? patterns[String(error.params['pattern'])] ?? messageAtPlace(error),
    ),
  );
}

/** In a query, `+` is a space (application/x-www-form-urlencoded), and the offset of a time begins with one. */
function plusMistake(place: string, { data, params }: ErrorObject): string | undefined {
  if (!place.startsWith('/query/') || params['format'] !== 'date-time' || typeof data !== 'string')
    return undefined;
  return timestampOf(data.replace(' ', '+'))
    ? 'must have + encoded as %2B: an unencoded + is a space in a query'
    : undefined;
}

/**
 * ajv has no limit on the errors that it collects, so a list of 200,000 invalid items would occupy the event loop.
 * Each loop of a compiled check ends once there are enough errors.
 *
 * @param code of a check, for the option `code.process` of ajv
 */
export function stopAtLimit(code: string): string {
  return code.replace(/for\((?:const|let|var) [^()]*\)\{/g, `$&if(errors>=${rawErrorLimit})break;`);
}

/** The problems of a request, the first for each parameter and each part of the body. */
export function combined(...lists: (readonly Problem[])[]): Problem[] {
  const byPlace = new Map<string, Problem>();
  for (const problem of lists.flat()) {
    const { parameter, pointer, message } = problem;
    // A problem without a place, such as malformed JSON, is one of its own.
    const place = parameter !== undefined ? `?${parameter}` : (pointer ?? `${message}`);
    if (!byPlace.has(place)) byPlace.set(place, problem);
  }
  return [...byPlace.values()].slice(0, problemLimit);
}

/** Only the summary of a value that matches none of its alternatives, not the errors of each of them. */
function withoutAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const summaries = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  if (summaries.length === 0) return errors;
  return errors.filter(
    (error) =>
      summaries.includes(error) ||
      !summaries.some(({ instancePath }) => `${error.instancePath}/`.startsWith(`${instancePath}/`)),
  );
}

/** Converts the errors of a validator that checked `{response}` to sentences for a log. */
export function sentencesOf(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).slice(0, problemLimit).map((error) => {
    const place = placeOf(error).slice('/response'.length);
    return `${place === '' ? 'the body' : place} ${messageAtPlace(error)}`;
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

/** @param predicate completes "firstName …", or "The body …" for an empty pointer */
export function bodyProblem(pointer: string, predicate: string): Problem {
  return { code: 'body_invalid', pointer: bounded(pointer), message: messageAt(pointer, predicate) };
}

/**
 * A message about a part of the body, which names it as code does: `tags[0] must …`, `parameters.cause must …`.
 *
 * @param pointer of the part; names in it come from the caller
 */
export function messageAt(pointer: string, predicate: string): string {
  const message = `${subjectOf(pointer)} ${predicate}`;
  return message.length <= longest.message ? message : startOf(message, longest.message);
}

function subjectOf(pointer: string): string {
  if (pointer === '') return 'The body';
  let subject = '';
  for (const name of namesIn(pointer))
    subject += index.test(name) ? `[${name}]` : subject === '' ? name || '""' : `.${name}`;
  return startOf(subject.toWellFormed(), longest.subject);
}

const index = /^\d+$/;

/** Converts an error that EOV's closure threw. */
export function problemsOfThrown(thrown: unknown): Problem[] {
  const { errors } = thrown as { errors?: { path?: string; message?: string }[] };
  if (!Array.isArray(errors) || errors.length === 0) throw thrown;
  return errors.map(({ path = '', message = 'must be as documented' }) => at(path, message));
}

/** @param place starts with the checked part: `/query/page`, `/body/firstName` */
function at(place: string, message: string): Problem {
  const [, part = '', name = ''] = place.split(/[/.]/, 3);
  if (part === 'query' || part === 'headers' || part === 'params' || part === 'cookies')
    return parameterProblem(part === 'headers' ? headerName(name) : nameOf(name) || part, message);
  return bodyProblem(part === 'body' ? place.slice('/body'.length) : '', message);
}

/** As the contract writes it; Node's names of headers are in lower case. */
const headerName = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Field names come from the caller. If one is too long, the pointer names its object. */
function bounded(pointer: string): string {
  return pointer.length <= longest.pointer
    ? pointer
    : pointer.slice(0, pointer.lastIndexOf('/', longest.pointer));
}
