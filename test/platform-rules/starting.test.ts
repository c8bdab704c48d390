import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { readConfig } from '../../server/src/config.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { builtPortal } from '../../server/src/pages/portal-site.ts';
import { servePlatform } from '../../server/src/server.ts';
import { api, testServerKey } from '../support/api.ts';
import { theContract } from '../support/contract.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';

/** What a URL answers: its status and body, or `refused` if no connection is accepted. */
const answer = (url: string) =>
  fetch(url).then(
    async (response) => `${response.status} ${await response.text()}`,
    () => 'refused',
  );

test('a starting platform refuses connections until it can serve, while the metrics port answers', async () => {
  const [PORT, SANDBOX_PORT, METRICS_PORT] = [
    `${await freePort()}`,
    `${await freePort()}`,
    `${await freePort()}`,
  ];
  const { connectionString } = await cloneDatabase();
  const config = readConfig({
    DATA_DIR: await mkdtemp(join(temporaryRoot(), 'wrp-starting-')),
    DATABASE_URL: connectionString,
    SERVER_KEY: testServerKey,
    PORT,
    SANDBOX_PORT,
    METRICS_PORT,
  });
  const [held, preparing] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const starting = servePlatform({
    config,
    loadContract: theContract,
    logger: openLogger('silent'),
    progress: () => {},
    openPortal: builtPortal,
    prepare() {
      preparing.resolve(undefined);
      return held.promise;
    },
  });
  const metrics = `http://127.0.0.1:${METRICS_PORT}`;
  await expect.poll(() => answer(`${metrics}/healthz`)).toMatch(/^200 /);
  const starts = '503 {"status":"not ready","reasons":["the platform is starting"]}';
  expect(await answer(`${metrics}/readyz`)).toBe(starts);
  const served = [PORT, SANDBOX_PORT].map((port) => `http://127.0.0.1:${port}/readyz`);
  for (let round = 0; round < 20; round++)
    expect(await Promise.all(served.map(answer))).toEqual(['refused', 'refused']);
  // Everything is open by then, except the ports.
  await preparing.promise;
  expect(await answer(`${metrics}/readyz`)).toBe(starts);
  held.resolve(undefined);
  const { close } = await starting;
  atEnd(() => close());
  for (const url of [...served, `${metrics}/readyz`])
    expect(await answer(url)).toBe('200 {"status":"ready"}');
});

test('a port in use is reported before anything is opened', async () => {
  const { ports } = await api();
  await expect(
    api({ ports: { production: ports.production, sandbox: 0 }, databaseUrl: 'postgres://127.0.0.1:1/none' }),
  ).rejects.toThrow(`Port ${ports.production} is in use. Set PORT to a free one.`);
});
