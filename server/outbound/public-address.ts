import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];
const ranges = (...texts: string[]): Range[] => texts.map((text) => ipaddr.parseCIDR(text));

/** IANA allocates global unicast addresses only from this range. */
const globalUnicast = ranges('2000::/3');
/** In a public range, but internal to a hosting provider: Azure's platform and metadata address. */
const hostingInternal = ranges('168.63.129.16/32');

/**
 * Whether an address is on the public internet. Not public: private, loopback, link-local, multicast, unspecified,
 * shared (CGNAT), reserved, benchmarking and documentation addresses, and every IPv6 address that embeds an IPv4 address
 * (mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP).
 *
 * Sources: the IANA special-purpose registries (RFC 6890) as implemented by ipaddr.js, and RFC 5214 (ISATAP).
 *
 * @param address as written by a resolver or the URL parser. Text that is not an IP address is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return !isIn(parsed, hostingInternal);
  return isIn(parsed, globalUnicast) && !isIsatap(parsed);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, within: Range[]): boolean {
  return within.some(
    ([network, bits]) =>
      network.kind() === address.kind() && address.match(network as ipaddr.IPv4 & ipaddr.IPv6, bits),
  );
}

/** RFC 5214, section 6.1: an interface identifier of 0000:5efe or 0200:5efe and an IPv4 address. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return ((parts[4] as number) & ~0x0200) === 0 && parts[5] === 0x5efe;
}
