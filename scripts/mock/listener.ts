import type { RequestListener } from 'node:http';
import express from 'express';
import {
  guarded,
  type LocalAccess,
  listen,
  listeningUrl,
  securityHeaders,
  starting,
} from '../../server/http-server/index.ts';
import type { Contract } from '../contract/source.ts';
import type { readyText } from './messages.ts';

/** How long pending responses may take after a signal to stop. */
const drainMilliseconds = 1_000;

/** The options of the command line, defaults included. */
export interface MockOptions {
  port: number;
  host: string;
  stateful: boolean;
  webhookUrl: string | undefined;
  /** How many users, records and executions the stateful mock has besides the demo's. */
  seed: number;
  /** Further names in `Host`, and origins of pages that may call (`local-access.ts`). */
  allowHost: string[];
  allowOrigin: string[];
  /** Origins of private addresses that webhooks and workflows may call. */
  allowTarget: string[];
  json: boolean;
  quiet: boolean;
}

/** A mock with or without state. */
export interface RunningMock {
  listener: RequestListener;
  /** The output of the command when the mock is ready. */
  description(): Parameters<typeof readyText>[0];
  /** Serves another contract from now on. @throws if it cannot be served; the current one stays */
  replace(contract: Contract): Promise<void>;
  close(): Promise<void>;
}

/** Listens before anything slow begins. */
export interface Listener {
  baseUrl: string;
  /** Responds with this from now on. Before that: 503. */
  serve(listener: RequestListener): void;
  close(): Promise<void>;
}

/**
 * Listens as the platform does.
 *
 * @param isLogged whether to print a line for each request
 * @throws ListenError if the address cannot be used
 */
export async function openListener(
  { host, port }: { host: string; port: number },
  access: LocalAccess,
  isLogged = false,
): Promise<Listener> {
  const headers = securityHeaders();
  const settings = { host: '--host', port: '--port or MOCK_PORT' };
  const listener = await listen({ host, port, settings, headers }, guarded(access, starting(headers)));
  return {
    baseUrl: listeningUrl(host, listener.port),
    serve(respond) {
      const checked = guarded(access, respond);
      listener.serve(
        express()
          .disable('x-powered-by')
          .use(isLogged ? logged(checked) : checked),
      );
    },
    close: () => listener.drain(drainMilliseconds),
  };
}

function logged(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url } = request;
    response.on('finish', () => console.log(`${method} ${url} ${response.statusCode}`));
    listener(request, response);
  };
}
