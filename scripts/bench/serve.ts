import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * One contender in a process of its own: tells its port to the parent, and, when asked, how much
 * processor time it has used.
 */
const [, , name] = process.argv;
const { start } = (await import(`./contenders/${name}.ts`)) as {
  start(): RequestListener | Promise<RequestListener>;
};
const server = createServer(await start()).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ microseconds: user + system });
});
process.on('disconnect', () => process.exit());
