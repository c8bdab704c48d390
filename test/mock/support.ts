import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import { webhookVerifier } from '@wrp/client';
import type { Contract } from '../../scripts/contract/source.ts';
import { exampleFrontend } from '../../scripts/mock/example-frontend.ts';
import { openListener } from '../../scripts/mock/listener.ts';
import { makeDirectory } from '../../scripts/mock/stateful/directory.ts';
import { openStatefulMock, type StatefulMock } from '../../scripts/mock/stateful/mock.ts';
import { startMockPostgres } from '../../scripts/mock/stateful/postgres.ts';
import { mockConfig } from '../../scripts/mock/stateful/run.ts';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import type { Route } from '../../server/contract/index.ts';
import { localAccess } from '../../server/http-server/index.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { atEnd } from '../support/temporary.ts';

export async function theBundle(): Promise<Contract> {
  return JSON.parse(await readFile('generated/openapi.json', 'utf8'));
}

/** The path of an operation with the identifiers that the contract shows. */
export function examplePathOf({ path, operation }: Route): string {
  return path.replaceAll(/\{([^}]+)\}/g, (_, name) =>
    String(operation.parameters.find((parameter) => parameter.name === name)?.example),
  );
}

/** Serves on a free port until the test file ends. @returns its URL */
export async function served(listener: RequestListener): Promise<string> {
  const { baseUrl, serve, close } = await openListener(
    { host: '127.0.0.1', port: 0 },
    localAccess({ allowHost: [], allowOrigin: ['https://app.example'] }),
  );
  serve(listener);
  atEnd(close);
  return baseUrl;
}

/** A receiver of webhooks, and the messages that it received. */
export interface Inbox {
  url: string;
  messages: { headers: IncomingHttpHeaders; body: Buffer }[];
  /** Sets the status of its responses. Default: 204. */
  respondWith(status: number): void;
}

export async function inbox(): Promise<Inbox> {
  const messages: Inbox['messages'] = [];
  let status = 204;
  const url = await served(async (request, response) => {
    messages.push({ headers: request.headers, body: await bytesOf(request) });
    response.writeHead(status).end();
  });
  return {
    url,
    messages,
    respondWith(next) {
      status = next;
    },
  };
}

/** A receiver that accepts what it can verify with the keys of a mock, and rejects the rest with 400. @returns its URL */
export function verifyingReceiver(baseUrl: string): Promise<string> {
  const verify = webhookVerifier({ baseUrl });
  return served(async (request, response) => {
    const accepted = await verify(await bytesOf(request), request.headers).then(
      () => true,
      () => false,
    );
    response.writeHead(accepted ? 204 : 400).end();
  });
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Calls the controls of a mock with state. */
export function controlOf(baseUrl: string) {
  return async (path: string, body?: object): Promise<{ status: number; body: Record<string, never> }> => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {};
    const response = await fetch(`${baseUrl}/__mock${path}`, sent);
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
}

/** A mock with state on a free port, until the test file ends. @param targets URLs of this machine that it may call */
export const statefulMock = (...targets: string[]) => seededMock(0, targets);

/** The same with generated users, records and executions. @param seed the number of each */
export async function seededMock(
  seed: number,
  targets: string[] = [],
): Promise<{
  mock: StatefulMock;
  baseUrl: string;
  warnings: string[];
}> {
  const warnings: string[] = [];
  const directory = makeDirectory();
  let mock: StatefulMock | undefined;
  const baseUrl = await served((request, response) => mock?.listener(request, response));
  const opened = await openStatefulMock({
    contract: await theBundle(),
    baseUrl,
    directory: directory.path,
    ...{ seed, portal: freshPortal, page: exampleFrontend },
    postgres: startMockPostgres({ dataDirectory: directory.path }),
    progress: () => {},
    warn: (line) => void warnings.push(line),
    config: mockConfig({ LOG_LEVEL: 'silent' }, directory.path, targets),
    logger: openLogger('silent'),
  });
  mock = opened;
  atEnd(async () => {
    await opened.close();
    directory.remove();
  });
  return { mock: opened, baseUrl, warnings };
}
