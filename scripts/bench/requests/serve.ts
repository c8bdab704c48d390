import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { listen } from '../../../server/src/listen.ts';
import { handleRequests } from '../child.ts';

/** The child process of one contender, which reports its port and its processor time. */
const [, , name] = process.argv;
const { start } = (await import(`./contenders/${name}.ts`)) as {
  start(): RequestListener | Promise<RequestListener>;
};
const port = name === 'ours' ? await listenAsPlatform() : await listenPlainly();

async function listenPlainly(): Promise<number> {
  const server = createServer(await start());
  // Connections stay open while other contenders are measured.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** With all settings of the platform's listener. */
async function listenAsPlatform(): Promise<number> {
  const app = (await start()) as Express;
  const listener = await listen({ host: '127.0.0.1', port: 0, variable: 'PORT', headers: {} }, app);
  listener.serve(app);
  return listener.port;
}

handleRequests((request: 'port' | 'processor time') => {
  if (request === 'port') return port;
  const { user, system } = process.cpuUsage();
  return user + system;
});
