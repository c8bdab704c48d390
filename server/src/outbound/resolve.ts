import { lookup, Resolver } from 'node:dns/promises';

/** Every address of a name, at least one. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** Only these wait for nobody when the system's own resolver is asked. */
const isLocalName = (hostname: string) => /^(.*\.)?localhost\.?$/i.test(hostname);
const notInDns = ['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ECONNREFUSED', 'EBADNAME'];

/**
 * Resolves names that others chose. DNS is asked directly: `getaddrinfo` occupies one of the few threads that files
 * need as well, and a name whose servers are silent would occupy it for seconds. What DNS does not know may stand in
 * the system's list of hosts.
 *
 * @throws an error with the resolver's code where nothing is found
 */
export function systemResolve(): Resolve {
  const bySystem = async (hostname: string) =>
    (await lookup(hostname, { all: true })).map(({ address }) => address);

  return async (hostname) => {
    if (isLocalName(hostname)) return bySystem(hostname);
    // It reads the system's settings when it is made, and they may change while the platform runs.
    const resolver = new Resolver({ timeout: 2_500, tries: 2 });
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const { reason } = four as PromiseRejectedResult;
    if (notInDns.includes(reason?.code)) return bySystem(hostname);
    throw reason;
  };
}
