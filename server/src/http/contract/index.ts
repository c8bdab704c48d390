/**
 * The contract at run time: which operation a path and method name, and whether requests and answers are
 * what it declares. Plain values in and out; nothing here knows `req` or `res`.
 *
 * The verdicts are those of express-openapi-validator's own validators. On purpose it is stricter in this:
 * addresses match exactly (no trailing slash, no other case); numbers in a query are decimal; a parameter
 * is given once; a text cannot stand for a file; answers of 500 and above are checked too, and so are
 * required headers, undeclared media types and Date objects.
 */
import type { OperationId, Problem } from '../operation.ts';
import { declarationsOf } from './declarations.ts';
import { createMatcher } from './match.ts';
import {
  type CheckedRequest,
  createPathCheck,
  createRequestCheck,
  type Form,
  type RequestInput,
} from './request.ts';
import { createReplyCheck } from './response.ts';
import { compileContract } from './validator.ts';

export type { CheckedRequest, Form, RequestInput } from './request.ts';

export interface Contract {
  operations: ReadonlyMap<OperationId, Operation>;
  /** Every header that one of its answers declares. */
  answerHeaders: readonly string[];
  /**
   * What a path leads to. A parameter with malformed percent-encoding matches, and fails `checkPath`: it
   * ends as 400 after identity, like any malformed identifier.
   *
   * @param path without the query, as sent (percent-encoded)
   * @returns the operation with its decoded path parameters; the methods allowed where this one is not;
   *   undefined for an unknown path
   */
  match(
    method: string,
    path: string,
  ):
    | { operation: Operation; path: Record<string, string> }
    | { operation?: never; allow: string[] }
    | undefined;
}

export interface Operation {
  id: OperationId;
  /** In lower case, as in the contract. */
  method: string;
  /** `/organizations/users/{userId}`. */
  template: string;
  pathParameters: readonly string[];
  /** In lower case, as Node names headers. */
  headerParameters: readonly string[];
  /** Media types of the request body; [] where the operation takes none. */
  bodyTypes: readonly string[];
  bodyRequired: boolean;
  /** Names of the fields of a JSON body; [] for any other. */
  bodyFields: readonly string[];
  /** The fields of a `multipart/form-data` body. */
  form: Form | undefined;
  /** The declared statuses of its answers. */
  statuses: readonly number[];
  /** Checks matched path parameters alone. */
  checkPath(path: Record<string, string>): Problem[] | undefined;
  /** Checks everything, and gives the values as declared: coerced (never in bodies), defaults added. */
  checkRequest(input: RequestInput): CheckedRequest | { problems: Problem[] };
  /** Is this answer what the contract declares? See `createReplyCheck`. */
  checkReply: ReturnType<typeof createReplyCheck>;
}

/**
 * Compiles the bundled contract (about a second for thirty operations); changes nothing in `document`.
 * @throws where an operation does not compile, naming it, or an upgrade moved an inside of the validator.
 */
export async function openContract(document: object): Promise<Contract> {
  const declarations = declarationsOf(document);
  const compiled = await compileContract(document, declarations);
  const operations = new Map<OperationId, Operation>();
  for (const { id, method, request, responses, ...declared } of declarations) {
    const validators = compiled.get(id);
    if (!validators || operations.has(id as OperationId))
      throw new Error(`The contract declares the operationId ${id} twice.`);
    operations.set(id as OperationId, {
      id: id as OperationId,
      method: method.toLowerCase(),
      template: declared.template,
      pathParameters: declared.pathParameters,
      headerParameters: declared.headerParameters,
      bodyTypes: declared.bodyTypes,
      bodyRequired: request.bodyRequired,
      bodyFields: declared.bodyFields,
      form: request.form,
      statuses: Object.keys(responses).map(Number),
      checkPath: createPathCheck(validators),
      checkRequest: createRequestCheck(validators, request),
      checkReply: createReplyCheck(validators, responses),
    });
  }
  const find = createMatcher(
    [...operations.values()].map((entry) => ({
      method: entry.method.toUpperCase(),
      template: entry.template,
      entry,
    })),
  );
  const answers = declarations.flatMap(({ responses }) => Object.values(responses));
  return {
    operations,
    answerHeaders: [...new Set(answers.flatMap(({ headers }) => headers))].sort(),
    match(method, path) {
      const match = find(path);
      if (!match) return undefined;
      const operation = match.methods.get(method);
      return operation ? { operation, path: match.path } : { allow: [...match.methods.keys()] };
    },
  };
}
