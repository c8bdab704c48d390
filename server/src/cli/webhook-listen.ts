import { CommandError } from './command-error.ts';
import type { GlobalOptions } from './options.ts';

export interface ListenOptions extends Pick<GlobalOptions, 'json'> {
  to: string;
  url: string;
  since?: string;
  resend?: string;
}

/**
 * Forwards the events of the sandbox to a receiver on this machine, over HTTP like `npx wrp-listen`, whose program this
 * is. The client is loaded only here: the platform itself does not need it.
 */
export async function runListen({ url: baseUrl, ...options }: ListenOptions): Promise<void> {
  const { ListenError, listen } = await import('../../../client/src/node/listen/listen.ts');
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const { stdin, stdout, stderr } = process;
  const running = listen({ ...options, baseUrl }, { stdin, stdout, stderr, signal: stop.signal });
  await running.catch((error: Error) => {
    throw error instanceof ListenError ? new CommandError(error.message) : error;
  });
}
