import type { RequestListener } from 'node:http';
import type { Express } from 'express';
import { listen } from '../../../../server/http-server/index.ts';
import { serveLocally } from '../../../command-line/local-server.ts';
import { serveFunctions } from '../child.ts';

const [, , name] = process.argv;
const { start } = (await import(`./baselines/${name}.ts`)) as {
  start(): RequestListener | Promise<RequestListener>;
};
// Connections stay open while other baselines are measured.
const listenPlainly = async () => serveLocally(await start(), { keepAliveTimeout: 0 });
const { port } = name === 'ours' ? await listenAsPlatform() : await listenPlainly();

/** With all settings of the platform's listener. */
async function listenAsPlatform(): Promise<{ port: number }> {
  const app = (await start()) as Express;
  const listener = await listen(
    { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' }, headers: {} },
    app,
  );
  listener.serve(app);
  return listener;
}

/** The child process of one baseline. */
export type ServerFunctions = typeof functions;
const functions = {
  port: () => port,
  /** Microseconds so far. */
  processorTime() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};
serveFunctions(functions);
