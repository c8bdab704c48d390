import type { Logger } from 'pino';
import type { Config, EnvironmentName } from './config.ts';
import { type Dependencies, openDependencies } from './dependencies.ts';
import { environmentApp } from './environment-app.ts';
import { openContract } from './http/contract/index.ts';
import { type Listener, listen } from './listen.ts';
import { contractDocuments } from './pages/contract-documents.ts';
import { health } from './pages/health.ts';

const portVariables: Record<EnvironmentName, string> = { production: 'PORT', sandbox: 'SANDBOX_PORT' };
/** How long answers that have begun may take once the server is told to stop. */
const drainMilliseconds = 10_000;

export interface PlatformServer {
  dependencies: Dependencies;
  ports: Record<EnvironmentName, number>;
  close(): Promise<void>;
}

/**
 * Opens the dependencies, serves both environments, and says when they are ready.
 *
 * @throws an error with one line for the operator where a port, the data directory or the database is not
 *   to be had; nothing is left open
 */
export async function servePlatform({
  config,
  logger,
  contract: document,
  contractFile,
  progress,
  now = () => new Date(),
}: {
  config: Config;
  logger: Logger;
  contract: object;
  contractFile: URL;
  progress(line: string): void;
  /** The clock that expiries and windows go by. */
  now?: () => Date;
}): Promise<PlatformServer> {
  const [dependencies, contract] = await Promise.all([
    openDependencies(config, logger, progress, now),
    openContract(document),
  ]);
  const listeners: Listener[] = [];
  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.drain(drainMilliseconds)));
    await dependencies.close();
  };
  try {
    const documents = await contractDocuments(contractFile);
    let ready = false;
    const obstacle = async () => {
      if (!ready) return 'starting';
      for (const { name, database } of dependencies.environments) {
        const reachable = await database
          .selectNoFrom((is) => is.lit(1).as('one'))
          .execute()
          .catch(() => undefined);
        if (!reachable) return `the ${name} database cannot be reached`;
      }
      return undefined;
    };
    for (const environment of dependencies.environments) {
      const { serverKey } = dependencies;
      const pages = [health(obstacle), documents];
      const app = environmentApp({ environment, contract, config, serverKey, logger, pages, now });
      const { name } = environment;
      listeners.push(
        await listen(app, { host: config.host, port: config.ports[name], variable: portVariables[name] }),
      );
    }
    ready = true;
    const [production, sandbox] = listeners as [Listener, Listener];
    return { dependencies, ports: { production: production.port, sandbox: sandbox.port }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
