import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { sleep } from '../../client/src/abort.ts';
import {
  bodyProblem,
  type Contract as CheckedContract,
  messageAt,
  type OperationObject,
  type Problem,
  Refused,
  routesOf,
} from '../../server/contract/index.ts';
import { hasBody } from '../../server/http-server/index.ts';
import { alternatives, pointerTo } from '../../server/json/index.ts';
import { suggestion } from '../../spec/rules/nearest.js';
import type { Contract } from '../contract/source.ts';
import { preferenceOf } from './examples/prefer.ts';
import type { Fault } from './fault.ts';

/** The faults of a running mock. The first that applies to a request is used. */
export interface Faults {
  /** @throws {Refused} 400 `body_invalid` with every error */
  add(fault: unknown): Fault;
  list(): Fault[];
  clear(): void;
  /** The fault of a request, which counts. */
  take(method: string, pathname: string): Fault | undefined;
}

const longest = 60;
const number = (least: number, most: number, isWhole = false) => ({
  expected: `must be ${isWhole ? 'a whole' : 'a'} number from ${least} to ${most}`,
  isValid: (value: unknown) =>
    typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value)),
});
const rules: Record<keyof Fault, { expected: string; isValid(value: unknown): boolean }> = {
  operation: { expected: 'must be an operationId', isValid: (value) => typeof value === 'string' },
  status: number(400, 599, true),
  example: { expected: 'must be the name of an example', isValid: (value) => typeof value === 'string' },
  retryAfterSeconds: number(0, 3600, true),
  delaySeconds: number(0, longest),
  uploadSeconds: number(0, longest),
  bodySeconds: number(0, longest),
  drop: {
    expected: 'must be "request" or "response"',
    isValid: (value) => value === 'request' || value === 'response',
  },
  times: number(1, 1_000_000, true),
  share: number(0.001, 1),
};

/** A fault has at least one of them. */
const effects = ['status', 'example', 'delaySeconds', 'uploadSeconds', 'bodySeconds', 'drop'] as const;

/** @param contract the current one @param document the same, with its examples */
export function createFaults(contract: () => CheckedContract, document: () => Contract): Faults {
  let faults: Fault[] = [];
  return {
    add(fault) {
      const problems = problemsOf(fault, contract(), document());
      if (problems.length > 0) throw new Refused({ status: 400, errors: problems });
      const added = { ...(fault as Fault) };
      faults.push(added);
      return { ...added };
    },
    list: () => faults.map((fault) => ({ ...fault })),
    clear() {
      faults = [];
    },
    take(method, pathname) {
      if (faults.length === 0) return undefined;
      const id = contract().match(method, pathname)?.operation?.id;
      if (id === undefined) return undefined;
      const fault = faults.find(
        ({ operation = id, share = 1 }) => operation === id && (share === 1 || Math.random() < share),
      );
      if (fault?.times !== undefined) {
        fault.times -= 1;
        faults = faults.filter(({ times }) => times !== 0);
      }
      return fault;
    },
  };
}

function problemsOf(fault: unknown, contract: CheckedContract, document: Contract): Problem[] {
  if (typeof fault !== 'object' || fault === null || Array.isArray(fault))
    return [bodyProblem('', 'must be an object')];
  const problems = Object.entries(fault).flatMap(([name, value]) => {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof Fault] : undefined;
    if (!rule)
      return [
        bodyProblem(pointerTo(name), `is not a property of a fault${alternatives(name, Object.keys(rules))}`),
      ];
    return rule.isValid(value) ? [] : [bodyProblem(pointerTo(name), rule.expected)];
  });
  const { operation, status, example, retryAfterSeconds, uploadSeconds, drop } = fault as Fault;
  const { operations } = contract;
  if (typeof operation === 'string' && !operations.has(operation as never)) {
    const message = `is not an operation of the contract.${suggestion(operation, operations.keys())}`;
    problems.push(bodyProblem('/operation', message));
  }
  const route = routesOf(document).find((one) => one.operation.operationId === operation);
  if (typeof example === 'string') {
    const problem = route
      ? exampleProblem(fault as Fault, route.operation)
      : messageAt('/example', 'needs an operation');
    if (problem) problems.push({ code: 'body_invalid', pointer: '/example', message: problem });
  }
  if (effects.every((effect) => (fault as Fault)[effect] === undefined))
    problems.push(bodyProblem('', `must have ${effects.slice(0, -1).join(', ')} or ${effects.at(-1)}`));
  if (drop === 'request' && status !== undefined)
    problems.push(bodyProblem('/status', 'is not sent if the connection is dropped'));
  if (drop === 'request' && uploadSeconds !== undefined)
    problems.push(bodyProblem('/uploadSeconds', 'is without effect if the connection is dropped'));
  if (retryAfterSeconds !== undefined && status === undefined)
    problems.push(bodyProblem('/retryAfterSeconds', 'needs a status'));
  return problems;
}

function exampleProblem({ example = '', status }: Fault, operation: OperationObject): string | undefined {
  try {
    preferenceOf({ example, ...(status !== undefined && { code: String(status) }) }, operation);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.refusal.errors[0]?.message;
    throw error;
  }
}

/** The `Prefer` header for the documented status or example of a fault; '' if it has neither. */
export const faultPreference = ({ status: code, example, retryAfterSeconds }: Fault): string =>
  Object.entries({ code, example, 'retry-after': retryAfterSeconds })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(', ');

/** The response of a proxy, for a status that the operation does not document. */
export const proxyResponse = (status: number) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<html><body><h1>${status}</h1></body></html>\n`,
});

/**
 * Does what a fault says to a request and its response. A documented status becomes a `Prefer` header.
 *
 * @returns whether the request is to be handled
 */
export async function applyFault(
  fault: Fault,
  {
    request,
    response,
    documented,
  }: { request: IncomingMessage; response: ServerResponse; documented: readonly number[] },
): Promise<boolean> {
  const { status, delaySeconds = 0, bodySeconds = 0, drop } = fault;
  await pause(delaySeconds * 1000);
  if (drop === 'request') {
    request.socket.destroy();
    return false;
  }
  await slowUpload(request, fault);
  if (drop === 'response') replaceBody(response, () => void request.socket.destroy());
  else if (bodySeconds > 0) {
    const { write, end } = response;
    replaceBody(response, async (body) => {
      for await (const part of partsOf(body, bodySeconds)) write.call(response, part, 'utf8');
      end.call(response, '', 'utf8');
    });
  }
  const preference = faultPreference(fault);
  if (status === undefined || documented.includes(status)) {
    if (preference) request.headers['prefer'] = preference;
    return true;
  }
  const { headers, body } = proxyResponse(status);
  response.writeHead(status, headers).end(body);
  return false;
}

const never = new AbortController().signal;

/**
 * Waits by the global timers, which tests may have replaced; for 0 milliseconds not at all.
 *
 * @throws the signal's reason if it aborts first
 */
export async function pause(milliseconds: number, signal = never): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, signal);
}

/**
 * Lets a request with a body take as long as its fault says, so that the client sees progress, and reads it if nothing else
 * does. A body of unknown length takes all of the time before its beginning.
 */
export async function slowUpload(
  request: IncomingMessage,
  { uploadSeconds = 0, status, example }: Fault,
  signal = never,
): Promise<void> {
  if (uploadSeconds === 0 || !hasBody(request)) return;
  const { push } = request;
  const total = Number(request.headers['content-length'] ?? 0);
  const startedAt = performance.now();
  let received = request.readableLength;
  const untilDue = () => {
    const share = total > 0 ? received / total : 1;
    return pause(startedAt + uploadSeconds * 1000 * share - performance.now(), signal);
  };
  let passed = untilDue();
  // The parser of the connection, or the stream of a request in this process, stops reading until the chunk is passed on.
  request.push = (chunk) => {
    received += chunk?.length ?? 0;
    passed = passed.then(untilDue).then(() => void push.call(request, chunk));
    passed.catch((reason) => request.destroy(reason));
    return false;
  };
  await passed;
  if (status !== undefined || example !== undefined) await finished(request.resume(), { signal });
}

const parts = 10;

/**
 * A body in ten parts, of which the last comes after this time.
 *
 * @param request whose signal ends it, which follows another one only as long as the request is referenced
 * @throws the signal's reason
 */
export async function* partsOf(
  body: Uint8Array,
  seconds: number,
  request?: Request,
): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / parts));
  for (let start = 0; start < body.length; start += size) {
    await pause((seconds * 1000) / parts, request?.signal);
    yield body.subarray(start, start + size);
  }
}

/** Collects the body of a response, and passes it on at its end. */
function replaceBody(response: ServerResponse, send: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  response.write = ((chunk: unknown, ...rest: unknown[]) => {
    collect(chunk);
    const callback = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (callback) process.nextTick(callback);
    return true;
  }) as never;
  response.end = ((chunk: unknown) => {
    collect(chunk);
    send(Buffer.concat(chunks));
    return response;
  }) as never;
}
