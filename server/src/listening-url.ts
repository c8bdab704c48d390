/** How a server on this machine is reached: any address is the loopback one, and IPv6 stands in brackets (RFC 3986). */
export function listeningUrl(host: string, port: number): string {
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`;
}
