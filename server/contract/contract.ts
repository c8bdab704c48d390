/**
 * The contract at run time: matches a path and method to an operation, and checks requests and responses. It takes
 * and returns plain values and does not know `req` or `res`.
 *
 * The checks are those of express-openapi-validator, and stricter in these points: paths match exactly (no
 * trailing slash, case-sensitive); numbers in a query are decimal; a parameter occurs once; a text cannot replace
 * a file; responses with 500 and above are checked too, as are required headers, undeclared media types and Date
 * objects.
 */
import { setImmediate } from 'node:timers/promises';
import type { OperationId, Problem, Refusal } from './declared.ts';
import {
  createDeprecationCheck,
  type Deprecation,
  type DeprecationCheck,
  deprecationOf,
} from './deprecation.ts';
import { type ContractDocument, readDocument, resolve } from './document.ts';
import { createMatcher } from './match.ts';
import { createPathRefusal } from './near-paths.ts';
import { queryParametersOf } from './query.ts';
import { type CheckedRequest, createPathCheck, createRequestCheck, type RequestInput } from './request.ts';
import { createReplyCheck, responseDeclarations } from './response.ts';
import { type Form, parameterNames, propertiesOf, routesOf } from './routes.ts';

export type { CheckedRequest, RequestInput } from './request.ts';
export type { Form } from './routes.ts';

export interface Contract {
  operations: ReadonlyMap<OperationId, Operation>;
  /** All headers that the contract declares for responses. */
  responseHeaders: readonly string[];
  /** The security schemes that are deprecated, by name. */
  deprecatedSchemes: Readonly<Record<string, Deprecation>>;
  /**
   * Finds the operation of a path. A parameter with malformed percent-encoding matches and fails `checkPath`: it
   * becomes a 400 after authentication, like any invalid identifier.
   *
   * @param method HEAD matches the operation of GET
   * @param path without the query, as sent (percent-encoded)
   * @returns the operation with its decoded path parameters; the allowed methods if this one is not; undefined for
   *   an unknown path
   */
  match(
    method: string,
    path: string,
  ):
    | { operation: Operation; path: Record<string, string> }
    | { operation?: never; allow: string[] }
    | undefined;
  /** The 404 of a path that nothing serves. Its message names the path of the contract that is near, if there is one. */
  refuseUnknown(path: string): Refusal<404>;
  /**
   * Compiles the checks that no request has needed yet, one operation at a time between other work.
   * @throws an error that names the operation that does not compile
   */
  compile(): Promise<void>;
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
  /** Whether its response waits for something, for as long as the query parameter `wait` says. */
  waits: boolean;
  /** Media types of the request body; [] if the operation takes none. */
  bodyTypes: readonly string[];
  bodyRequired: boolean;
  /** Names of the fields of a JSON body, otherwise []. */
  bodyFields: readonly string[];
  /** The fields of a `multipart/form-data` body. */
  form: Form | undefined;
  /** The declared statuses. */
  statuses: readonly number[];
  /** Whether the body of its success is JSON with an `ETag`. */
  hasEntityTag: boolean;
  /** Checks only the path parameters. */
  checkPath(path: Record<string, string>): Problem[] | undefined;
  /** Checks everything. Returns the values with defaults, and with the declared types (bodies are never coerced). */
  checkRequest(input: RequestInput): CheckedRequest | { problems: Problem[] };
  /** Checks a response; see `createReplyCheck`. */
  checkReply: ReturnType<typeof createReplyCheck>;
  /** Finds what a request and its response used that is deprecated; undefined if nothing of the operation is. */
  findDeprecated: DeprecationCheck | undefined;
}

/** The published contract and its checks. */
export interface LoadedContract {
  document: ContractDocument;
  contract: Contract;
}

/** A contract whose checks are compiled at their first use. @throws if the file cannot be read */
export async function loadContract(file: URL): Promise<LoadedContract> {
  const document = await readDocument(file);
  return { document, contract: await prepareContract(document) };
}

/**
 * Compiles the bundled contract (about half a second for thirty operations); does not change `document`.
 * @throws if an operation does not compile, naming it, or if an upgrade changed an internal of the validator
 */
export async function openContract(document: ContractDocument): Promise<Contract> {
  const contract = await prepareContract(document);
  await contract.compile();
  return contract;
}

/** The bundled contract, whose checks are compiled at their first use. Does not change `document`. */
export async function prepareContract(document: ContractDocument): Promise<Contract> {
  // Loaded only if it is used: the validator takes half a second.
  const { prepareChecks } = await import('./validator.ts');
  const routes = routesOf(document);
  const compiled = await prepareChecks(document, routes);
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
      waits: parameters.some(({ in: place, name }) => place === 'query' && name === 'wait'),
      bodyTypes: Object.keys(requestBody?.content ?? {}),
      bodyRequired,
      bodyFields: Object.keys(propertiesOf(document, requestBody?.content['application/json']?.schema)),
      form,
      statuses: Object.keys(responses).map(Number),
      hasEntityTag: Object.values(responses).some(
        ({ types, headers }) => types.includes('application/json') && headers.includes('ETag'),
      ),
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
    [...operations.values()].flatMap((entry) =>
      methodsOf(entry).map((method) => ({ method, template: entry.template, entry })),
    ),
  );
  return {
    operations,
    responseHeaders: [...headers].sort(),
    refuseUnknown: createPathRefusal(routes.map(({ path }) => path)),
    deprecatedSchemes: deprecatedSchemesOf(document),
    async compile() {
      for (const { compile } of compiled.values()) {
        await setImmediate();
        compile();
      }
    },
    match(method, path) {
      const match = find(path);
      if (!match) return undefined;
      const operation = match.methods.get(method);
      return operation ? { operation, path: match.path } : { allow: [...match.methods.keys()] };
    },
  };
}

/** Where GET is, HEAD is too (RFC 9110, section 9.1): Node leaves out the body. The contract need not repeat it. */
function methodsOf({ method }: Operation): string[] {
  return method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
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
