import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listeningUrl } from '../../server/http-server/index.ts';
import { readConfig } from '../../server/src/config.ts';
import { endAll, openDependencies } from '../../server/src/dependencies.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { givenDirectory } from '../files/support.ts';
import { openClone } from '../support/postgres.ts';

describe('openDependencies', () => {
  test.each(['production', 'sandbox'])('leaves nothing open when %s cannot be opened', async (schema) => {
    const { database, connectionString } = await openClone({ schema });
    const dataDirectory = await givenDirectory();
    await sql`insert into migrations values ('9999-later', now())`.execute(database);
    const opening = openDependencies({
      config: {
        ...readConfig({ DATA_DIR: dataDirectory, SERVER_KEY: 'test'.repeat(11) }),
        databaseUrl: connectionString,
      },
      logger: openLogger('silent'),
      progress: () => {},
      now: () => new Date(),
      baseUrls: { production: 'http://127.0.0.1:1', sandbox: 'http://127.0.0.1:2' },
    });
    await expect(opening).rejects.toThrow('9999-later');
    // The server needs a moment to notice a closed connection.
    await expect
      .poll(async () => {
        const { rows } = await sql`
            select query from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid()`.execute(database);
        return rows;
      })
      .toEqual([]);
  });
});

describe('endAll', () => {
  test('ends everything in reverse order, and reports all failures', async () => {
    const ended: string[] = [];
    const opened = [
      async () => ended.push('first'),
      () => Promise.reject(new Error('a')),
      async () => ended.push('third'),
      () => {
        throw new Error('b');
      },
      async () => ended.push('last'),
    ];
    const failure = await endAll(opened).catch((error: unknown) => error);
    expect(ended).toEqual(['last', 'third', 'first']);
    expect((failure as AggregateError).errors).toMatchObject([{ message: 'b' }, { message: 'a' }]);
    await expect(endAll(opened), 'nothing is ended twice').resolves.toBeUndefined();
  });
});

describe('listeningUrl', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['localhost', 'http://localhost:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['fd00::7', 'http://[fd00::7]:8080'],
  ])('returns for %s the URL %s', (host, url) => {
    expect(listeningUrl(host, 8080)).toBe(url);
    expect(URL.canParse(url)).toBe(true);
  });
});
