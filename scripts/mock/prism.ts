import type { IncomingHttpHeaders } from 'node:http';
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig } from '@stoplight/prism-http';
import type { Contract } from '../contract/source.ts';
import type { ErrorItem } from './failure.ts';
import { errorItems } from './violations.ts';

/** A request as Prism takes it. `body` is the parsed value. */
export type PrismRequest = {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body?: unknown;
  /** Whether to validate it. */
  isChecked: boolean;
};

/** Which of the documented answers to give; the lowest success where `code` is missing. */
export type Wish = {
  code?: string | undefined;
  example?: string | undefined;
  mediaType?: string | undefined;
};

/** What Prism answered, and what it found wrong with the request. */
export type PrismAnswer = {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  violations: ErrorItem[];
};

export type Prism = (request: PrismRequest, wish: Wish) => Promise<PrismAnswer>;

const methods = { info: silent, warn: silent, error: silent, debug: silent, trace: silent, success: silent };
const logger: Record<string, unknown> = { ...methods, child: () => logger };
function silent() {}

/** Prism without its HTTP server: its validation of the request, and its choice of the documented example. */
export async function createPrism(contract: Contract): Promise<Prism> {
  const operations = await getHttpOperationsFromSpec(structuredClone(contract));
  const base = { isProxy: false, checkSecurity: false, validateResponse: false, errors: false } as const;
  const defaults = { ...base, validateRequest: true, upstreamProxy: undefined, mock: { dynamic: false } };
  const instance = createInstance(defaults, { logger: logger as never });
  return async ({ method, url, headers, body, isChecked }, { code, example, mediaType }) => {
    const mock = {
      dynamic: false,
      ...(code && { code: Number(code) }),
      ...(example && { exampleKey: example }),
      ...(mediaType && { mediaTypes: [mediaType] }),
    };
    const input = {
      method: method.toLowerCase() as 'get',
      url: { path: url.pathname, query: queryOf(url.searchParams) },
      headers: withoutContent(headers),
      body,
    };
    const config = { ...defaults, validateRequest: isChecked, mock } as IHttpConfig;
    const outcome = await instance.request(input, operations, config)();
    if (outcome._tag === 'Left') throw outcome.left;
    const { output, validations } = outcome.right;
    return {
      status: output.statusCode,
      headers: textOnly(output.headers ?? {}),
      body: output.body,
      violations: errorItems(validations.input.filter(({ severity }) => severity === 0)),
    };
  };
}

function queryOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/**
 * The body is parsed and its type checked before: without these headers Prism validates the value as it is.
 * Without `Accept` it does not negotiate, which it would do with 406 and without regard to the example's name.
 */
function withoutContent(headers: IncomingHttpHeaders): Record<string, string> {
  const dropped = new Set(['accept', 'content-type', 'content-length', 'transfer-encoding', 'prefer']);
  const kept = Object.entries(headers).filter(([name]) => !dropped.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

function textOnly(headers: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
