import { AsyncLocalStorage } from 'node:async_hooks';
import { type Outbound, OutboundFailed, OutboundRefused } from '../../outbound/index.ts';
import { internalTraceparent, sentTraceparent, traceIdOf } from './trace-context.ts';

/** What is known of a request or job: the fields of its log lines and the attributes of its span. */
export type Fields = Record<string, string | number | boolean | string[] | null | undefined>;

/** A span of OpenTelemetry. One that is never ended is not exported. */
export interface Span {
  /** Of the span, as the parent of what it causes. */
  traceparent: string;
  /** @param error why it failed, for people */
  end(fields: Fields, outcome?: { name?: string | undefined; error?: string | undefined }): void;
}

/** Starts a span. Undefined wherever OpenTelemetry is off. */
export type StartSpan = (start: {
  kind: 'server' | 'consumer' | 'client';
  name: string;
  /** A `traceparent`; undefined: the span begins a trace. */
  parent: string | undefined;
  /** Default: now. */
  startedAt?: number;
  attributes: Fields;
}) => Span;

/** A request or job that is followed from its beginning to its end. */
interface Work {
  kind: 'server' | 'consumer';
  name: string;
  /** Of its span. */
  attributes: Fields;
  startSpan: StartSpan | undefined;
  startedAt: number;
  fields: Fields;
  traceparent: string | undefined;
  /** Of a request without a `traceparent`: its trace has this identifier. */
  requestId: string | undefined;
  span: Span | undefined;
  /** Timers and connections that it opened may outlive it. */
  hasEnded: boolean;
}

const running = new AsyncLocalStorage<Work>();

function current(): Work | undefined {
  const work = running.getStore();
  return work?.hasEnded ? undefined : work;
}

/** Runs a request or job, which the functions below then describe. It has no trace yet: `joinTrace`. */
export function follow<Result>(
  begun: Pick<Work, 'kind' | 'name' | 'attributes' | 'startSpan'> & { fields?: Fields },
  run: () => Result,
): Result {
  return running.run(workOf(begun), run);
}

/**
 * Runs a request as part of the trace of its `traceparent`, or of a new one. For each request this takes a microsecond,
 * and no more strings than its log needs.
 */
export function followRequest(
  begun: Parameters<typeof follow>[0] & Pick<Work, 'traceparent'> & { requestId: string },
  serve: () => void,
): void {
  const work = workOf(begun);
  work.requestId = begun.requestId;
  begin(work, begun.traceparent);
  running.run(work, serve);
}

function workOf({ kind, name, attributes, startSpan, fields = {} }: Parameters<typeof follow>[0]): Work {
  return {
    kind,
    name,
    attributes,
    startSpan,
    startedAt: Date.now(),
    fields,
    traceparent: undefined,
    requestId: undefined,
    span: undefined,
    hasEnded: false,
  };
}

function begin(work: Work, parent: string | undefined): void {
  const { kind, name, attributes, startedAt } = work;
  work.span = work.startSpan?.({ kind, name, parent, startedAt, attributes });
  work.traceparent = work.span?.traceparent ?? parent;
}

/**
 * Makes the current work part of a trace: of the request that caused it, or of a new one.
 *
 * @param traceparent of what caused it
 */
export function joinTrace(traceparent: string | null | undefined, fields: Fields = {}): void {
  const work = current();
  if (!work) return;
  Object.assign(work.fields, fields);
  begin(work, traceparent ?? undefined);
}

function traceparentOf(work: Work): string | undefined {
  if (work.requestId !== undefined) work.traceparent ??= internalTraceparent(work.requestId);
  return work.traceparent;
}

/** Adds fields to the lines and the span of the current work. */
export function note(fields: Fields): void {
  const work = current();
  if (work) Object.assign(work.fields, fields);
}

/** The most values of a list. */
const longestList = 20;

/** Adds a value to a list among the fields of the current work, unless it is the last one. */
export function noteAmong(name: string, value: string): void {
  const work = current();
  if (!work) return;
  const list = (work.fields[name] ?? []) as string[];
  if (list.length < longestList && list.at(-1) !== value) work.fields[name] = [...list, value];
}

/** The parent of what the current work causes: of its events, jobs and calls. */
export function currentTraceparent(): string | undefined {
  const work = current();
  return work && traceparentOf(work);
}

/** The fields of a log line of the current work. */
export function lineFields(): Fields {
  const work = current();
  return work ? { traceId: traceIdOf(traceparentOf(work)), ...work.fields } : {};
}

/** Ends the current work. @param outcome undefined: it is not worth a span */
export function end(
  outcome?: { name?: string | undefined; error?: string | undefined },
  fields?: Fields,
): void {
  const work = current();
  if (!work) return;
  if (outcome) work.span?.end({ ...work.fields, ...fields }, outcome);
  work.hasEnded = true;
}

/** The object of an identifier in a path of the contract or in an event, under its name in the code and in the log. */
const loggedNames: Record<string, string> = { workflowId: 'executionId', userId: 'targetUserId' };
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The identifiers among properties, for the log. Secrets are no UUIDs. */
export function identifiersOf(properties: object): Fields {
  const found: Fields = {};
  for (const name in properties) {
    const value = (properties as Record<string, unknown>)[name];
    if (name.endsWith('Id') && typeof value === 'string' && uuid.test(value))
      found[loggedNames[name] ?? name] = value;
  }
  return found;
}

/** Continues the trace of the current work in the requests that it sends. */
export function tracedOutbound(outbound: Outbound, startSpan: StartSpan | undefined): Outbound {
  return {
    close: outbound.close,
    async request(request) {
      const parent = currentTraceparent();
      const span = parent === undefined ? undefined : startSpan?.(clientSpan(request, parent));
      const traceparent = sentTraceparent(span?.traceparent ?? parent);
      const traced = traceparent ? { ...request, headers: { ...request.headers, traceparent } } : request;
      try {
        const response = await outbound.request(traced);
        const { status } = response;
        const failed = status >= 400 && { error: `status ${status}` };
        span?.end(
          { 'http.response.status_code': status, ...(failed && { 'error.type': String(status) }) },
          failed || {},
        );
        return response;
      } catch (error) {
        const isKnown = error instanceof OutboundFailed || error instanceof OutboundRefused;
        const type = isKnown ? error.reason : 'aborted';
        span?.end({ 'error.type': type }, { error: type });
        throw error;
      }
    },
  };
}

/** Without the path, which may contain a secret. */
function clientSpan({ method, url }: { method: string; url: string }, parent: string) {
  const { hostname = '', port, protocol = '' } = URL.parse(url) ?? {};
  const attributes = {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  };
  return { kind: 'client' as const, name: method, parent, attributes };
}
