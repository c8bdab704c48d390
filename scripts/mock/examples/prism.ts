import type { IHttpConfig } from '@stoplight/prism-http';
import { withClosedObjects } from '../../../server/contract/index.ts';
import { timestampOf } from '../../../server/json/index.ts';
import type { Contract } from '../../contract/source.ts';

/** Selects one of the documented responses. Default: the lowest successful status. */
export type Selection = {
  code?: string | undefined;
  example?: string | undefined;
  mediaType?: string | undefined;
  /** Generate the body from its schema. */
  dynamic?: boolean;
};

export type Prism = (
  request: { method: string; template: string; pathname: string },
  selection: Selection,
) => Promise<{ status: number; headers: Record<string, string>; body: unknown }>;

const methods = { info: silent, warn: silent, error: silent, debug: silent, trace: silent, success: silent };
const logger: Record<string, unknown> = { ...methods, child: () => logger };
function silent() {}

/**
 * Prism without its server and without its validation: how it selects the documented example. It reads an operation at
 * the first request for it, because reading the whole contract takes a second.
 */
export function createPrism(contract: Contract): Prism {
  const checks = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false };
  const base = { ...checks, isProxy: false, upstreamProxy: undefined, mock: { dynamic: false } };
  const loaded = new Map<string, ReturnType<typeof readPath>>();

  return async ({ method, template, pathname }, { code, example, mediaType, dynamic = false }) => {
    const operations = loaded.get(template) ?? readPath(contract, template);
    loaded.set(template, operations);
    const { createInstance } = await loadPrism();
    const instance = createInstance(base as IHttpConfig, { logger: logger as never });
    const mock = {
      dynamic,
      ...(code && { code: Number(code) }),
      ...(example && { exampleKey: example }),
      ...(mediaType && { mediaTypes: [mediaType] }),
    };
    // Without `Accept` Prism does not negotiate, which would end in 406 whatever the example's name is.
    const input = {
      method: method.toLowerCase() as 'get',
      url: { path: pathname, query: {} },
      headers: {},
    };
    const outcome = await instance.request(input, await operations, { ...base, mock } as IHttpConfig)();
    if (outcome._tag === 'Left') throw outcome.left;
    const { statusCode, headers = {}, body } = outcome.right.output;
    const present = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
    return {
      status: statusCode,
      headers: Object.fromEntries(present.map(([name, value]) => [name, String(value)])),
      body: dynamic ? withRecentTimes(body) : body,
    };
  };
}

const year = 365 * 86_400_000;

/** Moves generated times, of any century, into the last year, in the form of the platform's. */
function withRecentTimes(body: unknown): unknown {
  if (body === undefined) return undefined;
  return JSON.parse(JSON.stringify(body), (_, value) => {
    const time = typeof value === 'string' ? timestampOf(value) : undefined;
    return time ? new Date(Date.now() - (Math.abs(time.getTime()) % year)).toISOString() : value;
  });
}

/** The first response of the mock needs Prism, its start does not. */
const loadPrism = () => import('@stoplight/prism-http');

/**
 * A contract for generated bodies: without undeclared properties, and without lists of thousands, which would take
 * minutes.
 */
export function generatable(contract: Contract): Contract {
  const text = JSON.stringify(withClosedObjects(contract), (name, value) =>
    name === 'maxItems' && value > mostGenerated ? mostGenerated : value,
  );
  return JSON.parse(text);
}

const mostGenerated = 5;

async function readPath(contract: Contract, template: string) {
  const { getHttpOperationsFromSpec } = await loadPrism();
  const { openapi, info } = contract;
  const paths = { [template]: contract.paths[template] };
  const document = { openapi, info, paths, components: componentsOf(contract, paths) };
  return getHttpOperationsFromSpec(structuredClone(document));
}

/** The components that a part of the contract refers to, directly or through others. */
function componentsOf(contract: Contract, part: object): Contract['components'] {
  const components: Contract['components'] = {};
  const visit = (text: string) => {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)/g)) {
      if (components[kind]?.[name] !== undefined) continue;
      const component = contract.components[kind]?.[name];
      components[kind] = { ...components[kind], [name]: component };
      visit(JSON.stringify(component ?? null));
    }
  };
  visit(JSON.stringify([part, contract['security']]));
  return { ...components, securitySchemes: contract.components['securitySchemes'] ?? {} };
}
