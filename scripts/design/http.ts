import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError, listenFault } from '../command-line/run-command.ts';

export const host = '127.0.0.1';

/**
 * Listens on this machine alone. @returns the address
 * @throws {CommandError} naming the option that chooses another port
 */
export async function listen(server: Server, port: number, option: string): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening').catch((error) => {
    throw new CommandError(listenFault(error, port, host, option));
  });
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** @throws {CommandError} where the port is taken now */
export async function expectFree(port: number, option: string): Promise<void> {
  const server = createServer();
  await listen(server, port, option);
  server.close();
  await once(server, 'close');
}
