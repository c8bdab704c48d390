import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../http/operation.ts';
import type { CompiledOperation, RequestChecks, StockRequest } from './compiled.ts';
import { malformed } from './match.ts';
import { bodyProblem, parameterProblem, problemsOf, problemsOfThrown } from './problems.ts';
import { type QueryParameters, readQuery } from './query.ts';
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

export function createPathCheck({ path: check }: CompiledOperation) {
  return (path: Record<string, string>): Problem[] | undefined => {
    for (const name in path)
      if (path[name] === malformed) return [parameterProblem(name, 'must be percent-encoded UTF-8')];
    return check({ query: {}, headers: {}, params: path }) ? undefined : problemsOf(check.errors);
  };
}

export function createRequestCheck(compiled: CompiledOperation, declared: RequestDeclaration) {
  const { bare, bodies } = compiled;

  return (input: RequestInput): CheckedRequest | { problems: Problem[] } => {
    const { path, bodyType } = input;
    const checks = bodyType === undefined ? bare : bodies.get(bodyType);
    if (!checks)
      throw new Error(`${compiled.method} ${compiled.template} declares no body of type ${bodyType}.`);
    if (bodyType === undefined ? declared.bodyRequired : input.body === undefined)
      return { problems: [bodyProblem('', 'A body is required.')] };

    const parsed = readQuery(input.search, declared.query);
    if ('problems' in parsed) return parsed;
    const { query } = parsed;
    const body = bodyType === undefined ? undefined : input.body;

    if (bodyType === 'multipart/form-data' && declared.form) {
      const { problem, fields, files } = readForm(declared.form, body);
      if (problem) return { problems: [problem] };
      const problems = problemsIn(checks, input, query, fields, parsed.plain);
      return problems ? { problems } : { path, query, body: Object.assign(fields, files) };
    }
    const problems = problemsIn(checks, input, query, body, parsed.plain);
    return problems ? { problems } : { path, query, body };
  };

  /** Calls the validators directly if the request is plain, otherwise EOV's closure. */
  function problemsIn(
    { parameters, body: bodyCheck, stock, stockOnly }: RequestChecks,
    { path, headers, search }: RequestInput,
    query: Record<string, unknown>,
    body: unknown,
    plain: boolean,
  ): Problem[] | undefined {
    try {
      if (plain && !stockOnly) {
        const checked = { query, headers, params: path, cookies: undefined, body };
        if (!parameters(checked)) return problemsOf(parameters.errors);
        return bodyCheck(checked) ? undefined : problemsOf(bodyCheck.errors);
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
      stock(request, {}, () => undefined);
      return undefined;
    } catch (error) {
      // A recursive schema or `uniqueItems` can overflow the stack.
      if (error instanceof RangeError) return [bodyProblem('', 'is nested too deeply')];
      return problemsOfThrown(error);
    }
  }
}

/**
 * The fields of a form for the validator: a file becomes a string, a single value of a list an array. A text in
 * place of a file is refused here, because the validator accepts any string.
 */
function readForm({ files, lists }: Form, body: unknown) {
  const fields = { ...(body as Record<string, unknown>) };
  const stored: Record<string, unknown> = {};
  for (const name of files) {
    const file = fields[name];
    if (file === undefined) continue;
    if (typeof file !== 'object' || file === null)
      return { problem: bodyProblem(`/${name}`, 'must be a file') };
    stored[name] = file;
    fields[name] = '';
  }
  for (const name of lists) if (typeof fields[name] === 'string') fields[name] = [fields[name]];
  return { fields, files: stored };
}
