import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { BlobsUnavailable } from '../../server/blobs/index.ts';
import { administer } from '../../server/postgres-client/index.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { outageLog } from '../../server/src/observability/outage.ts';
import { api } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { scaledTimeout } from '../support/timeout.ts';

const cloned = await cloneDatabase();
const platform = await api({ databaseUrl: cloned.connectionString });
const { anonymous, owner, log } = platform;
const name = new URL(cloned.connectionString).pathname.slice(1);
const role = decodeURIComponent(new URL(cloned.connectionString).username);
const polling = { timeout: scaledTimeout(20_000), interval: 200 };

const inDatabase = (statement: string) => {
  const url = new URL(inject('postgres'));
  url.pathname = name;
  return administer(url.href, statement);
};
const endConnections = () =>
  administer(
    inject('postgres'),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
const readiness = async () => {
  const response = await anonymous.fetch('/readyz');
  return `${response.status} ${await response.text()}`;
};
const renamed = `${name}_renamed`;

/** How a database can refuse the platform: what an administrator does, and what undoes it. */
const refusals: [what: string, refuse: () => Promise<unknown>, permit: () => Promise<unknown>][] = [
  [
    'connections of its role',
    async () => {
      await administer(inject('postgres'), `revoke connect on database ${name} from public, ${role}`);
      await endConnections();
    },
    () => administer(inject('postgres'), `grant connect on database ${name} to public, ${role}`),
  ],
  [
    'every connection',
    async () => {
      await administer(inject('postgres'), `alter database ${name} with allow_connections false`);
      await endConnections();
    },
    () => administer(inject('postgres'), `alter database ${name} with allow_connections true`),
  ],
  [
    'by its absence',
    async () => {
      await administer(inject('postgres'), `alter database ${name} with allow_connections false`);
      await endConnections();
      await administer(inject('postgres'), `alter database ${name} rename to ${renamed}`);
      await administer(inject('postgres'), `alter database ${renamed} with allow_connections true`);
    },
    () => administer(inject('postgres'), `alter database ${renamed} rename to ${name}`),
  ],
  [
    'rights on tables',
    () => inDatabase(`revoke all on all tables in schema production from ${role}`),
    () => inDatabase(`grant all on all tables in schema production to ${role}`),
  ],
  [
    'rights on the schema',
    async () => {
      await inDatabase(`revoke all on schema production from ${role}`);
      await endConnections();
    },
    () => inDatabase(`grant all on schema production to ${role}`),
  ],
];

describe('a database that refuses', () => {
  test.each(refusals)(
    '%s: 503 with Retry-After, a reason in /readyz, and one line',
    async (_what, refuse, permit) => {
      const linesBefore = log.length;
      await refuse();
      try {
        await expect.poll(readiness, polling).toMatch(/^503 .*the production database/);
        for (let request = 0; request < 10; request++) {
          const { response } = await owner.GET('/organizations/roles');
          expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
        }
      } finally {
        await permit();
      }
      await expect.poll(readiness, polling).toBe('200 {"status":"ready"}');
      await expect
        .poll(() => owner.GET('/organizations/roles').then(({ response }) => response.status), polling)
        .toBe(200);
      const written = () =>
        log.slice(linesBefore).filter(({ level, requestId }) => Number(level) >= 40 && !requestId);
      await expect.poll(() => written().at(-1)?.['msg'], polling).toBe('the database is available again');
      expect(written().map(({ msg }) => msg)).toEqual([
        'the database is unavailable',
        'the database is available again',
      ]);
      const failed = log.slice(linesBefore).filter(({ msg }) => msg === 'failed');
      expect(failed.length).toBeGreaterThanOrEqual(10);
    },
  );
});

test('connections that are ended once are two lines', async () => {
  const linesBefore = log.length;
  await endConnections();
  const written = () =>
    log.slice(linesBefore).filter(({ level, requestId }) => Number(level) >= 40 && !requestId);
  await expect.poll(() => written().at(-1)?.['msg'], polling).toBe('the database is available again');
  expect(written()).toHaveLength(2);
  expect((await owner.GET('/organizations/roles')).response.status).toBe(200);
});

test('an outage that lasts is one line a minute, with what was left out', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: Record<string, unknown>[] = [];
  const outages = outageLog(openLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }));
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  let isBack = false;
  outages.watch({ database: async () => isBack, files: async () => true });
  const worker = outages.logger.child({ environment: 'production' });
  for (let second = 0; second < 150; second++) {
    worker.warn({ err: lost }, 'job failed');
    worker.error({ err: new Error('a failure of its own') }, 'failed');
    await vi.advanceTimersByTimeAsync(1_000);
  }
  isBack = true;
  await vi.advanceTimersByTimeAsync(3_000);
  worker.info({ err: lost }, 'is not filtered');
  const ofOutage = lines.filter(({ msg }) => String(msg).startsWith('the database'));
  expect(ofOutage).toMatchObject([
    { level: 50, msg: 'the database is unavailable', err: { code: 'ECONNREFUSED' } },
    { level: 50, msg: 'the database is still unavailable', seconds: 60, omittedLines: 59 },
    { level: 50, msg: 'the database is still unavailable', seconds: 120, omittedLines: 119 },
    { level: 40, msg: 'the database is available again', omittedLines: 149 },
  ]);
  const others = lines.filter((line) => !ofOutage.includes(line)).map(({ msg }) => msg);
  expect(others).toEqual([...Array(150).fill('failed'), 'is not filtered']);
});

test('an outage of the file store has its own name, also if its connections are refused as those of a database are', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: Record<string, unknown>[] = [];
  const outages = outageLog(openLogger('info', { write: (line) => void lines.push(JSON.parse(line)) }));
  let isBack = false;
  outages.watch({ database: async () => true, files: async () => isBack });
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9000'), { code: 'ECONNREFUSED' });
  const err = new BlobsUnavailable(cause);
  outages.logger.error({ err, requestId: 'one', operationId: 'createResource' }, 'failed');
  outages.logger.warn({ err }, 'job failed');
  isBack = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(lines).toMatchObject([
    { level: 50, msg: 'the file store is unavailable' },
    { level: 40, msg: 'failed', requestId: 'one', reason: expect.stringContaining('ECONNREFUSED') },
    { level: 40, msg: 'the file store is available again', omittedLines: 1 },
  ]);
  expect(lines[1]).not.toHaveProperty('err');
});
