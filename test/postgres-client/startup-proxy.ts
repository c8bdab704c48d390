import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../support/temporary.ts';

/**
 * Hands on connections to PostgreSQL at a Unix socket, which only this user may use.
 *
 * @param startup changes the first message
 * @returns the connection string through it, over TCP
 */
export async function overTcp(url: string, startup = (message: Buffer) => message): Promise<string> {
  const { searchParams, username, pathname } = new URL(url);
  const socket = `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? 5432}`;
  const sockets = new Set<Socket>();
  const server = createServer(async (client) => {
    const upstream = connect(socket);
    for (const end of [client, upstream]) {
      sockets.add(end);
      end.on('error', () => {});
    }
    const [first] = (await once(client, 'data')) as [Buffer];
    upstream.write(startup(first));
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  return `postgres://${username}@127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}

/**
 * Drops the startup parameter `options`, as a pooler with `ignore_startup_parameters` does.
 *
 * https://www.postgresql.org/docs/18/protocol-message-formats.html: length, version, pairs of strings, a zero byte.
 */
export function withoutOptions(startup: Buffer): Buffer {
  const texts = startup.subarray(8).toString().split('\0');
  const at = texts.indexOf('options');
  if (at >= 0) texts.splice(at, 2);
  const rest = Buffer.from(texts.join('\0'));
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(8 + rest.length);
  return Buffer.concat([head, rest]);
}
