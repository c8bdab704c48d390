import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { administer } from '../../server/postgres-client/index.ts';
import { connectionShares } from '../../server/src/store/connections.ts';
import { api } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';

const cloned = await cloneDatabase();
const databaseConnections = 30;
const platform = await api({ databaseUrl: cloned.connectionString, databaseConnections });
const { anonymous, owner, dataDirectory, database } = platform;

const readiness = async () => {
  const response = await anonymous.fetch('/readyz');
  return { status: response.status, headers: response.headers, body: await response.json() };
};
const ready = { status: 200, body: { status: 'ready' } };
const notReady = (...reasons: string[]) => ({ status: 503, body: { status: 'not ready', reasons } });
/** Results are kept for some seconds. */
const polling = { timeout: scaledTimeout(20_000), interval: 200 };

test('/readyz reports that the platform is ready', async () => {
  expect(await readiness()).toMatchObject(ready);
});

test('/readyz names a blob store that cannot be written', async () => {
  const incoming = join(dataDirectory, 'blobs', 'sandbox', 'incoming');
  await rename(incoming, `${incoming}-away`);
  await expect.poll(readiness, polling).toMatchObject(notReady('the sandbox blob store cannot be written'));
  await rename(`${incoming}-away`, incoming);
  await expect.poll(readiness, polling).toMatchObject(ready);
});

const name = new URL(cloned.connectionString).pathname.slice(1);
/** Applies to connections opened afterwards, so it ends all others. */
const alterDatabase = async (change: string) => {
  await administer(inject('postgres'), `alter database ${name} ${change}`);
  await administer(
    inject('postgres'),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
};

test('/readyz names the databases that refuse the platform, and job queues that cannot be reached', async () => {
  await alterDatabase('with allow_connections false');
  await expect
    .poll(readiness, polling)
    .toMatchObject(
      notReady(
        'the production database refuses the platform',
        'the production job queue cannot be reached',
        'the sandbox database refuses the platform',
        'the sandbox job queue cannot be reached',
      ),
    );
  await alterDatabase('with allow_connections true');
  await expect.poll(readiness, polling).toMatchObject(ready);
});

test('/readyz names a database that is read-only, such as a standby, and the platform refuses changes: 503 with Retry-After', async () => {
  await alterDatabase('set default_transaction_read_only = on');
  await expect
    .poll(readiness, polling)
    .toMatchObject(notReady('the production database is read-only', 'the sandbox database is read-only'));
  const upload = owner.POST('/resources', { body: { file: new File(['x'], 'x') } });
  const { response } = await upload;
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  await alterDatabase('reset default_transaction_read_only');
  await expect.poll(readiness, polling).toMatchObject(ready);
});

test('the platform stays ready while requests use all of their connections', async () => {
  const connectionsHeld = Promise.withResolvers<void>();
  const { requests } = connectionShares('all', databaseConnections).production;
  const held = Array.from({ length: requests }, () =>
    database.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction);
      await connectionsHeld.promise;
    }),
  );
  await expect
    .poll(() => owner.GET('/organizations/roles').then(({ response }) => response.status))
    .toBe(503);
  // Until a kept result is renewed.
  for (let probe = 0; probe < 5; probe++) {
    expect(await readiness()).toMatchObject(ready);
    await new Promise((resolve) => setTimeout(resolve, 800));
  }
  connectionsHeld.resolve();
  await Promise.all(held);
});

test('a platform that stops is not ready at once, and serves requests for the grace period', async () => {
  const startedAt = performance.now();
  const closed = platform.close(2_000);
  const { headers, ...response } = await readiness();
  expect(response).toEqual(notReady('the platform is stopping'));
  expect(headers.get('Connection')).toBe('close');
  const roles = await owner.GET('/organizations/roles');
  expect(roles.response.status).toBe(200);
  expect(roles.response.headers.get('Connection')).toBe('close');
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(scaledTimeout(8_000));
  await expect(readiness()).rejects.toThrow();
});
