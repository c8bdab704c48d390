import type { IncomingHttpHeaders } from 'node:http';
import type { CompiledOperation, RequestChecks, StockRequest } from './compiled.ts';
import type { Problem } from './declared.ts';
import { malformed } from './match.ts';
import { bodyProblem, combined, parameterProblem, problemsOf, problemsOfThrown } from './problems.ts';
import { type QueryParameters, type ReadQuery, readQuery } from './query.ts';
import type { Form } from './routes.ts';

export interface RequestInput {
  /** Decoded path parameters, as matched. */
  path: Record<string, string>;
  /** The query as sent, without the question mark; '' for none. */
  search: string;
  headers: IncomingHttpHeaders;
  /**
   * The parsed JSON, or the fields of a form, in which a file is an object of the caller that is returned
   * unchanged. Ignored unless `bodyType` is set.
   */
  body: unknown;
  /** The media type of the body, one of `bodyTypes`; undefined for no body. */
  bodyType: string | undefined;
  /** What was found while the body was read. The body is undefined if it could not be read. */
  bodyProblems?: readonly Problem[];
  /** The body was left unread because the request is refused anyway. */
  isBodyUnread?: boolean;
}

export interface CheckedRequest {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface RequestDeclaration {
  query: QueryParameters;
  bodyRequired: boolean;
  form: Form | undefined;
}

export function createPathCheck({ path: pathCheck, bare }: CompiledOperation) {
  return (path: Record<string, string>): Problem[] | undefined => {
    const wrong = malformedParameters(path);
    if (wrong.length === 0 && pathCheck()({ query: {}, headers: {}, params: path })) return undefined;
    const { parameters } = bare().full();
    parameters({ query: {}, headers: {}, params: path });
    const inPath = parameters.errors?.filter(({ instancePath }) => instancePath.startsWith('/params/'));
    return combined(wrong, problemsOf(inPath));
  };
}

/** Valid requests share it, so that they allocate nothing for errors. */
const none: readonly Problem[] = [];

function malformedParameters(path: Record<string, string>): readonly Problem[] {
  let wrong = none;
  for (const name in path)
    if (path[name] === malformed) wrong = [...wrong, parameterProblem(name, 'must be percent-encoded UTF-8')];
  return wrong;
}

function joined(some: readonly Problem[], others: readonly Problem[]): readonly Problem[] {
  if (others.length === 0) return some;
  return some.length === 0 ? others : [...some, ...others];
}

export function createRequestCheck(compiled: CompiledOperation, declared: RequestDeclaration) {
  const { bare, bodies } = compiled;

  return (input: RequestInput): CheckedRequest | { problems: Problem[] } => {
    const { path, bodyType, bodyProblems = none, isBodyUnread = false } = input;
    const isMissing = bodyType === undefined || input.body === undefined;
    if (bodyType !== undefined && !bodies.has(bodyType))
      throw new Error(`${compiled.method} ${compiled.template} declares no body of type ${bodyType}.`);
    const checks = ((isMissing ? undefined : bodies.get(bodyType)) ?? bare)();
    const read = readQuery(input.search, declared.query);
    const isRequired = (declared.bodyRequired || bodyType !== undefined) && !isBodyUnread;
    const missing =
      isMissing && isRequired && bodyProblems.length === 0 ? [bodyProblem('', 'is required')] : none;
    const wrong = malformedParameters(path);
    const found = joined(wrong, joined(read.problems, joined(bodyProblems, missing)));

    const { query } = read;
    if (!isMissing && bodyType === 'multipart/form-data' && declared.form) {
      const { problems: notFiles, fields, files } = readForm(declared.form, input.body);
      const problems = problemsIn(checks, input, read, fields, joined(found, notFiles));
      return problems ? { problems } : { path, query, body: Object.assign(fields, files) };
    }
    const body = isMissing ? undefined : input.body;
    const problems = problemsIn(checks, input, read, body, found);
    return problems ? { problems } : { path, query, body };
  };

  /** @param found the problems so far; a request with any is checked only for the sake of the others */
  function problemsIn(
    checks: RequestChecks,
    input: RequestInput,
    read: ReadQuery,
    body: unknown,
    found: readonly Problem[],
  ): Problem[] | undefined {
    try {
      const thrown = found.length > 0 ? undefined : firstError(checks, input, read, body);
      if (thrown === valid) return undefined;
      const checked = { query: read.query, headers: input.headers, params: input.path, body };
      const full = checks.full();
      full.parameters(checked);
      full.body(checked);
      const problems = combined(found, problemsOf(full.parameters.errors), problemsOf(full.body.errors));
      // What only the closure checks.
      return problems.length > 0 ? problems : combined(problemsOfThrown(thrown));
    } catch (error) {
      // A recursive schema or `uniqueItems` can overflow the stack.
      if (error instanceof RangeError) return combined(found, [bodyProblem('', 'is nested too deeply')]);
      throw error;
    }
  }

  /**
   * Calls the validators directly if the request is plain, otherwise EOV's closure.
   *
   * @returns `valid`, or what the closure threw, or undefined if a validator found an error
   */
  function firstError(
    { parameters, body: bodyCheck, stock, stockOnly }: RequestChecks,
    { path, headers, search }: RequestInput,
    { query, plain }: ReadQuery,
    body: unknown,
  ): unknown {
    if (plain && !stockOnly) {
      const checked = { query, headers, params: path, cookies: undefined, body };
      return parameters(checked) && bodyCheck(checked) ? valid : undefined;
    }
    const request: StockRequest = {
      method: compiled.method,
      path: compiled.template,
      originalUrl: `${compiled.template}?${search}`,
      openapi: { ...compiled.openapi, pathParams: path },
      headers,
      params: path,
      query,
      body,
    };
    try {
      stock(request, {}, () => undefined);
      return valid;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return error;
    }
  }
}

const valid = Symbol('valid');

/**
 * The fields of a form for the validator: a file becomes a string, a single value of a list an array. A text in
 * place of a file is refused here, because the validator accepts any string.
 */
function readForm({ files, lists }: Form, body: unknown) {
  const fields = { ...(body as Record<string, unknown>) };
  const stored: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const name of files) {
    const file = fields[name];
    if (file === undefined) continue;
    if (typeof file === 'object' && file !== null) stored[name] = file;
    else problems.push(bodyProblem(`/${name}`, 'must be a file'));
    fields[name] = '';
  }
  for (const name of lists) if (typeof fields[name] === 'string') fields[name] = [fields[name]];
  return { problems, fields, files: stored };
}
