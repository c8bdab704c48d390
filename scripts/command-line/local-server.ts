import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError, listenError } from './command.ts';

export const host = '127.0.0.1';

/**
 * Listens on the loopback interface only. @returns the URL
 * @throws {CommandError} naming the option that chooses another port
 */
export async function listen(server: Server, port: number, option: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch((error) => {
    throw new CommandError(listenError(error, port, host, option));
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** @throws {CommandError} if the port is taken */
export async function expectFree(port: number, option: string): Promise<void> {
  const server = createServer();
  await listen(server, port, option);
  server.close();
  await once(server, 'close');
}

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listen(server, 0, ''));
  server.close();
  await once(server, 'close');
  return Number(port);
}

/** A server on a free port, until the end of the block. */
export async function serveLocally(
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<{ port: number; url: string } & Disposable> {
  const server = createServer(options, listener);
  const url = await listen(server, 0, '');
  return {
    ...{ url, port: Number(new URL(url).port) },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
