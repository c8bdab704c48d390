/**
 * The contract at run time: which operation a path and method name, and whether requests and answers are
 * what it declares. Plain values in and out; nothing here knows `req` or `res`.
 *
 * The verdicts are those of express-openapi-validator's own validators. On purpose it is stricter in this:
 * addresses match exactly (no trailing slash, no other case); numbers in a query are decimal; a parameter
 * is given once; a text cannot stand for a file; answers of 500 and above are checked too, and so are
 * required headers, undeclared media types and Date objects.
 */
import type { OperationId, Problem } from '../http/operation.ts';
import {
  createDeprecationCheck,
  type Deprecation,
  type DeprecationCheck,
  deprecationOf,
} from './deprecation.ts';
import { type ContractDocument, readDocument, resolve } from './document.ts';
import { createMatcher } from './match.ts';
import { queryParametersOf } from './query.ts';
import { type CheckedRequest, createPathCheck, createRequestCheck, type RequestInput } from './request.ts';
import { createReplyCheck, responseDeclarations } from './response.ts';
import { type Form, parameterNames, propertiesOf, routesOf } from './routes.ts';
import { compileContract } from './validator.ts';

export type { CheckedRequest, RequestInput } from './request.ts';
export type { Form } from './routes.ts';

export interface Contract {
  operations: ReadonlyMap<OperationId, Operation>;
  /** Every header that one of its answers declares. */
  answerHeaders: readonly string[];
  /** The security schemes that are deprecated, by name. */
  deprecatedSchemes: Readonly<Record<string, Deprecation>>;
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
  /** Finds what an exchange used that is deprecated; undefined if nothing of the operation is. */
  findDeprecated: DeprecationCheck | undefined;
}

/** The bundle as it is published, and the checks of its requests and responses. */
export interface LoadedContract {
  document: ContractDocument;
  contract: Contract;
}

/** @throws if the file cannot be read, or an operation in it does not compile; the message names it */
export async function loadContract(file: URL): Promise<LoadedContract> {
  const document = await readDocument(file);
  return { document, contract: await openContract(document) };
}

/**
 * Compiles the bundled contract (about a second for thirty operations); does not change `document`.
 * @throws if an operation does not compile, naming it, or if an upgrade changed an internal of the validator
 */
export async function openContract(document: ContractDocument): Promise<Contract> {
  const routes = routesOf(document);
  const compiled = await compileContract(document, routes);
  const operations = new Map<OperationId, Operation>();
  const headers = new Set<string>();
  for (const { path: template, method, operation } of routes) {
    const id = operation.operationId as OperationId;
    const validators = compiled.get(id);
    if (!validators || operations.has(id))
      throw new Error(`The contract declares the operationId ${id} twice.`);
    const { parameters, requestBody, form } = operation;
    const responses = responseDeclarations(operation);
    for (const response of Object.values(responses)) for (const name of response.headers) headers.add(name);
    const bodyRequired = requestBody?.required ?? false;
    operations.set(id, {
      id,
      method,
      template,
      pathParameters: parameterNames(template),
      headerParameters: parameters
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name.toLowerCase()),
      bodyTypes: Object.keys(requestBody?.content ?? {}),
      bodyRequired,
      bodyFields: Object.keys(propertiesOf(document, requestBody?.content['application/json']?.schema)),
      form,
      statuses: Object.keys(responses).map(Number),
      checkPath: createPathCheck(validators),
      checkRequest: createRequestCheck(validators, {
        query: queryParametersOf(document, parameters),
        bodyRequired,
        form,
      }),
      checkReply: createReplyCheck(validators, responses),
      findDeprecated: createDeprecationCheck(document, operation),
    });
  }
  const find = createMatcher(
    [...operations.values()].map((entry) => ({
      method: entry.method.toUpperCase(),
      template: entry.template,
      entry,
    })),
  );
  return {
    operations,
    answerHeaders: [...headers].sort(),
    deprecatedSchemes: deprecatedSchemesOf(document),
    match(method, path) {
      const match = find(path);
      if (!match) return undefined;
      const operation = match.methods.get(method);
      return operation ? { operation, path: match.path } : { allow: [...match.methods.keys()] };
    },
  };
}

function deprecatedSchemesOf(document: ContractDocument): Record<string, Deprecation> {
  const schemes = Object.entries(document.components['securitySchemes'] ?? {});
  return Object.fromEntries(
    schemes.flatMap(([name, scheme]) => {
      const dates = deprecationOf(resolve(document, scheme as object));
      return dates ? [[name, dates]] : [];
    }),
  );
}
