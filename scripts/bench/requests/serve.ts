import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { listen } from '../../../server/src/listen.ts';
import { answerQuestions } from '../child.ts';

/** One contender in a process of its own: tells its port, and how much processor time it has used. */
const [, , name] = process.argv;
const { start } = (await import(`./contenders/${name}.ts`)) as {
  start(): RequestListener | Promise<RequestListener>;
};
const port = name === 'ours' ? await listenAsPlatform() : await listenPlainly();

async function listenPlainly(): Promise<number> {
  const server = createServer(await start());
  // The load keeps its connections while the others have their turns.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** As the platform itself does, with all that it sets. */
async function listenAsPlatform(): Promise<number> {
  const app = (await start()) as Express;
  const listener = await listen({ host: '127.0.0.1', port: 0, variable: 'PORT', headers: {} }, app);
  listener.serve(app);
  return listener.port;
}

answerQuestions((question: 'port' | 'processor time') => {
  if (question === 'port') return port;
  const { user, system } = process.cpuUsage();
  return user + system;
});
