import { type Contract, isRefusal } from '../../contract/index.ts';
import type { Exchange } from './exchange.ts';
import type { HandlerResult } from './idempotency.ts';

/**
 * Headers that tell a client that its request used something deprecated (RFC 9745, RFC 8594, RFC 8288): its security
 * scheme, the operation, a parameter, or a field of either body. If there are several, the earliest dates count.
 *
 * @returns undefined if it used nothing deprecated
 */
export function deprecationHeaders(
  contract: Pick<Contract, 'deprecatedSchemes'>,
  { operation, request, caller, search, body }: Exchange,
  result: HandlerResult,
): Record<string, string> | undefined {
  const used = operation.contract.findDeprecated?.({
    search,
    headers: request.headers,
    requestBody: body,
    status: result.status,
    responseBody: isRefusal(result) ? undefined : result.body,
  });
  const scheme = caller && contract.deprecatedSchemes[caller.scheme];
  const all = [...(used ?? []), ...(scheme ? [scheme] : [])];
  if (all.length === 0) return undefined;
  const since = Math.min(...all.map((dates) => dates.since));
  const sunset = Math.min(...all.map((dates) => dates.sunset));
  return {
    Deprecation: `@${since / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: '</docs/versioning>; rel="deprecation"; type="text/html"',
  };
}
