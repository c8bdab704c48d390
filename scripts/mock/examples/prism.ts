import { createInstance, getHttpOperationsFromSpec, type IHttpConfig } from '@stoplight/prism-http';
import type { Contract } from '../../contract/source.ts';

/** Selects one of the documented responses. Default: the lowest successful status. */
export type Selection = {
  code?: string | undefined;
  example?: string | undefined;
  mediaType?: string | undefined;
};

export type Prism = (
  request: { method: string; url: URL },
  selection: Selection,
) => Promise<{ status: number; headers: Record<string, string>; body: unknown }>;

const methods = { info: silent, warn: silent, error: silent, debug: silent, trace: silent, success: silent };
const logger: Record<string, unknown> = { ...methods, child: () => logger };
function silent() {}

/** Prism without its server and without its validation: how it selects the documented example. */
export async function createPrism(contract: Contract): Promise<Prism> {
  const operations = await getHttpOperationsFromSpec(structuredClone(contract));
  const checks = { checkSecurity: false, validateRequest: false, validateResponse: false, errors: false };
  const base = { ...checks, isProxy: false, upstreamProxy: undefined, mock: { dynamic: false } };
  const instance = createInstance(base as IHttpConfig, { logger: logger as never });
  return async ({ method, url }, { code, example, mediaType }) => {
    const mock = {
      dynamic: false,
      ...(code && { code: Number(code) }),
      ...(example && { exampleKey: example }),
      ...(mediaType && { mediaTypes: [mediaType] }),
    };
    // Without `Accept` Prism does not negotiate, which would end in 406 whatever the example's name is.
    const input = {
      method: method.toLowerCase() as 'get',
      url: { path: url.pathname, query: {} },
      headers: {},
    };
    const outcome = await instance.request(input, operations, { ...base, mock } as IHttpConfig)();
    if (outcome._tag === 'Left') throw outcome.left;
    const { statusCode, headers = {}, body } = outcome.right.output;
    const present = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
    return {
      status: statusCode,
      headers: Object.fromEntries(present.map(([name, value]) => [name, String(value)])),
      body,
    };
  };
}
