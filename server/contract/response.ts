import type { Check, CompiledOperation } from './compiled.ts';
import { platformHeaders } from './declared.ts';
import { sentencesOf } from './problems.ts';
import type { OperationObject } from './routes.ts';

export interface ResponseDeclaration {
  /** The declared media types; [] for a response without a body. */
  types: readonly string[];
  headers: readonly string[];
  /** The headers that the handler must set: it alone knows their values. */
  requiredHeaders: readonly string[];
}

/** By status, such as `200`. */
export type ResponseDeclarations = Record<string, ResponseDeclaration>;

interface DeclaredResponse {
  /** Whether it is JSON, by media type. */
  types: ReadonlyMap<string, boolean>;
  /** By media type. */
  checks: () => Readonly<Record<string, Check>>;
  /** The media type if there is only one, or if it is that of a file. */
  only: string | undefined;
  requiredHeaders: readonly string[];
}

/** Added by the platform, after the check. */
const added: ReadonlySet<string> = new Set(platformHeaders);
const noChecks = () => ({});
const isJson = /^[^/]+\/(?:[^/]+\+)?json$/;

/** @throws if a status is not a number */
export function responseDeclarations({ operationId, responses }: OperationObject): ResponseDeclarations {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content = {}, headers = {} }]) => {
      if (!/^[1-5][0-9][0-9]$/.test(status))
        throw new Error(`${operationId}: declare each status, not ${status}.`);
      const required = Object.keys(headers).filter(
        (name) => headers[name]?.required && headers[name].schema?.enum?.length !== 1 && !added.has(name),
      );
      const types = Object.keys(content);
      return [status, { types, headers: Object.keys(headers), requiredHeaders: required }];
    }),
  );
}

/** Checks responses of any status against the contract. Does not modify them. */
export function createReplyCheck({ responses }: CompiledOperation, declared: ResponseDeclarations) {
  const byStatus = new Map<number, DeclaredResponse>();
  for (const [status, { types, requiredHeaders }] of Object.entries(declared)) {
    byStatus.set(Number(status), {
      types: new Map(types.map((type) => [type, isJson.test(type)])),
      checks: responses[status] ?? noChecks,
      only: types.length === 1 ? types[0] : types.find((type) => type === '*/*'),
      requiredHeaders,
    });
  }

  /**
   * @param type media type without parameters; optional if only one is declared
   * @param body before serialization; a file, stream or string if it is not JSON
   * @param headers of the handler, by name in any case
   * @returns the errors as sentences; undefined if the response is valid
   */
  return (
    status: number,
    type: string | undefined,
    body: unknown,
    headers: Readonly<Record<string, unknown>> = {},
  ): string[] | undefined => {
    const declared = byStatus.get(status);
    if (!declared) return [`status ${status} is not declared`];
    if (declared.requiredHeaders.length > 0) {
      const missing = declared.requiredHeaders.filter((name) => !isSet(headers, name));
      if (missing.length > 0) return missing.map((name) => `the header ${name} is missing`);
    }
    if (declared.types.size === 0) {
      return body === undefined && type === undefined
        ? undefined
        : [`status ${status} is declared without a body`];
    }
    const actual = type ?? declared.only;
    if (actual === undefined) return [`status ${status} has several media types and none is named`];
    const isChecked = declared.types.get(actual);
    if (isChecked === undefined) return [`status ${status} is not declared as ${actual}`];
    if (body === undefined || body === null) return ['the body is missing'];
    const check = isChecked ? declared.checks()[actual] : undefined;
    if (!check) return undefined;
    try {
      return check({ response: body }) ? undefined : sentencesOf(check.errors);
    } catch (error) {
      // A recursive schema can overflow the stack.
      return [`the body cannot be checked: ${(error as Error).message}`];
    }
  };
}

function isSet(headers: Readonly<Record<string, unknown>>, name: string): boolean {
  return headers[name] !== undefined || headers[name.toLowerCase()] !== undefined;
}
