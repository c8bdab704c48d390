import type { RequestListener } from 'node:http';
import express from 'express';
import { starting } from '../../server/src/http/fallback-responses.ts';
import { securityHeaders } from '../../server/src/http/security-headers.ts';
import { listen, listeningUrl } from '../../server/src/listen.ts';
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

/** Listens as the platform does. @throws ListenError if the address cannot be used */
export async function openListener({ host, port }: { host: string; port: number }): Promise<Listener> {
  const headers = securityHeaders();
  const settings = { host: '--host', port: '--port or MOCK_PORT' };
  const listener = await listen({ host, port, settings, headers }, starting(headers));
  return {
    baseUrl: listeningUrl(host, listener.port),
    serve: (respond) => listener.serve(express().disable('x-powered-by').use(respond)),
    close: () => listener.drain(drainMilliseconds),
  };
}
