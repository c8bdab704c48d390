import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { errorBody, type Problem, parameterProblem, problemsOf, type Refusal } from '../../contract/index.ts';
import { checkOf } from './checks.ts';

/** Names, versions and tokens, which responses repeat. */
const short = { type: 'string', maxLength: 200 };
const token = { type: ['string', 'integer'], maxLength: 200 };
const implementation = object({ name: short, version: short }, ['name', 'version']);
const capabilities = object({});
const meta = object({
  progressToken: token,
  'io.modelcontextprotocol/protocolVersion': short,
  'io.modelcontextprotocol/clientInfo': implementation,
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});
const params = object({
  _meta: meta,
  cursor: short,
  name: short,
  arguments: { type: 'object' },
  protocolVersion: short,
  capabilities,
  clientInfo: implementation,
});
const requiredParams = {
  initialize: ['protocolVersion', 'capabilities', 'clientInfo'],
  'tools/call': ['name'],
};

/** JSON-RPC 2.0, and the members of the Model Context Protocol that the platform reads. */
const schema = {
  ...object({ jsonrpc: { const: '2.0' }, id: token, method: short, params }, ['jsonrpc', 'method']),
  allOf: Object.entries(requiredParams).map(([method, required]) => ({
    if: { properties: { method: { const: method } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['params'], properties: { params: { required } } },
  })),
};

function object(properties: Record<string, object>, required: string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An error of JSON-RPC, for a response with status 400. */
export interface MessageError {
  jsonrpc: '2.0';
  id: string | number | null;
  /** `data` is the error object of the contract. */
  error: { code: number; message: string; data: object };
}

/**
 * Creates the check of messages that precedes the protocol library, which accepts members of any size, repeats some of
 * them, and reports wrong ones in sentences of its own validator. The check removes members that the platform does not
 * read, so the library meets nothing that it could refuse.
 */
export function messageCheck(): (message: unknown, headers: IncomingHttpHeaders) => MessageError | undefined {
  const check = checkOf(schema, { removeAdditional: true });
  return (message, headers) => {
    // Removed from the protocol in 2025-06-18. One request of a batch could stand for thousands.
    if (Array.isArray(message)) return invalid('Send one message at a time.');
    const errors = check(message).filter(({ keyword }) => keyword !== 'if');
    const placed = errors.map((error) => ({ ...error, instancePath: `/body${error.instancePath}` }));
    const problems = [...problemsOf(placed), ...headerProblems(headers)];
    if (problems.length === 0) return undefined;
    return messageError({ status: 400, errors: problems }, idOf(message));
  };
}

/**
 * Checks `Accept`, which must allow both media types of the protocol, and the headers that repeat members of the message
 * (revision 2026-07-28): the library repeats them in its errors.
 */
function headerProblems(headers: IncomingHttpHeaders): Problem[] {
  const { accept = '*/*' } = headers;
  const isAccepted = ['application/json', 'text/event-stream'].every((type) =>
    [type, type.replace(/\/.*/, '/*'), '*/*'].some((range) => accept.toLowerCase().includes(range)),
  );
  const unaccepted = isAccepted
    ? []
    : [parameterProblem('accept', 'must allow application/json and text/event-stream')];
  const long = Object.entries(headers)
    .filter(([name, value = '']) => name.startsWith('mcp-') && value.length > short.maxLength)
    .map(([name]) => parameterProblem(name, `must not have more than ${short.maxLength} characters`));
  return [...unaccepted, ...long];
}

const invalid = (message: string) =>
  messageError({ status: 400, errors: [{ code: 'body_invalid', message }] });

/** The refusal of a body or of a message, as an error of JSON-RPC. */
export function messageError(refusal: Refusal, id: string | number | null = null): MessageError {
  const { fingerprint, errors } = errorBody(refusal, randomUUID());
  const [{ code, pointer = '', message } = { code: undefined, message: '' }] = errors;
  const [number, name] =
    code === 'body_malformed'
      ? [-32700, 'Parse error']
      : pointer.startsWith('/params/')
        ? [-32602, 'Invalid params']
        : [-32600, 'Invalid request'];
  const data = { fingerprint, errors: errors.slice(0, mostErrors) };
  return { jsonrpc: '2.0', id, error: { code: number, message: `${name}: ${message}`, data } };
}

/** Fewer than elsewhere: with pointers of 500 control characters, 20 take more than a response holds. */
const mostErrors = 10;

/** The id that the response repeats; null if it cannot be an id. */
function idOf(message: unknown): string | number | null {
  const id = (message as { id?: unknown } | null)?.id;
  return typeof id === 'number' || (typeof id === 'string' && id.length <= short.maxLength) ? id : null;
}
