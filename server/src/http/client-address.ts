import { isIP } from 'node:net';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * The address that a budget is counted for: the client's, behind the proxies of `TRUSTED_PROXIES`. If a trusted
 * proxy sends no valid address, its own address counts. An IPv6 address counts by its /64 network, the least that
 * a provider assigns to a customer (RFC 6177): within it, a client can choose a new address for each request.
 */
export function budgetAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  if (isIP(address) !== 6) return address;
  const parsed = ipaddr.process(address.replace(/%.*$/s, ''));
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
