/**
 * A stand-in for the platform: every operation answers with an example of generated/openapi.json, by Prism.
 *
 *   npm run mock [-- --port 4010 --host 127.0.0.1]
 */
import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import type { Contract } from './contract-source.ts';
import { createMock } from './mock/server.ts';

const bundle = new URL('../generated/openapi.json', import.meta.url);
const usage = `Usage: npm run mock [-- --port <port>] [-- --host <address>]

Answers every operation of the contract with its example, and checks requests as the contract says.

  --port  default $MOCK_PORT, else 4010; 0 takes any free port
  --host  default 127.0.0.1

Ask for another documented answer with a header: Prefer: code=404, or Prefer: example=userNotFound
`;

try {
  await main();
} catch (error) {
  console.error(`mock: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const port = portOf(values.port ?? process.env['MOCK_PORT'] ?? '4010');
  const mock = await createMock(await readContract(), ({ method, url, status }) =>
    console.log(`${method} ${url} ${status}`),
  );
  mock.server.listen(port, values.host);
  await once(mock.server, 'listening').catch((error) => {
    throw new Error(listenFault(error, port, values.host));
  });
  console.log(`Mock of the contract on ${addressOf(mock.server.address() as AddressInfo)}`);
  watch(mock.replace);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      unwatchFile(bundle);
      mock.server.close();
      mock.server.closeAllConnections();
    });
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new Error(`"${text}" is not a port; set --port or MOCK_PORT to a number from 0 to 65535.`);
}

function listenFault({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; choose another with --port or MOCK_PORT.`;
  if (code === 'EACCES') return `port ${port} may not be used by this user; choose one above 1023.`;
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine.`;
  return message;
}

function addressOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function readContract(): Promise<Contract> {
  const text = await readFile(bundle, 'utf8').catch(() => {
    throw new Error('generated/openapi.json is missing; run `npm run generate`.');
  });
  return JSON.parse(text);
}

/** Polls: the file is replaced by renaming, which a watcher of the file itself loses sight of. */
function watch(replace: (contract: Contract) => Promise<void>): void {
  watchFile(bundle, { interval: 500 }, async ({ mtimeMs }) => {
    if (mtimeMs === 0) return;
    try {
      await replace(await readContract());
      console.log('The contract has changed: answering from the new one.');
    } catch (error) {
      console.error(`mock: keeping the last contract: ${error instanceof Error ? error.message : error}`);
    }
  });
}
