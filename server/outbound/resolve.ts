import { lookup, Resolver } from 'node:dns/promises';

/** Resolves a name to all its addresses, at least one. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** The system resolver resolves these without a network request. */
const isLocalName = (hostname: string) => /^(.*\.)?localhost\.?$/i.test(hostname);
const notInDns = ['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ECONNREFUSED', 'EBADNAME'];

/**
 * Resolves names that callers choose. Queries DNS directly, because `getaddrinfo` would block a thread of the pool that
 * file operations share, for seconds if the name servers do not respond. Names that are not in DNS may be in the
 * system's hosts file.
 *
 * @throws an error with the resolver's code if the name does not resolve
 */
export function systemResolve(): Resolve {
  const bySystem = async (hostname: string) =>
    (await lookup(hostname, { all: true })).map(({ address }) => address);

  return async (hostname) => {
    if (isLocalName(hostname)) return bySystem(hostname);
    // A new resolver each time, because it reads the system's settings only when it is created.
    const resolver = new Resolver({ timeout: 2_500, tries: 2 });
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (found.length > 0) return found;
    const { reason } = ipv4 as PromiseRejectedResult;
    if (notInDns.includes(reason?.code)) return bySystem(hostname);
    throw reason;
  };
}
