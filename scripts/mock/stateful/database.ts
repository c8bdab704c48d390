import type { PostgresServer } from '../../../server/embedded-postgres/index.ts';
import { administer } from '../../../server/postgres-client/index.ts';
import { applyPlatform } from '../../../server/src/manifest/apply.ts';
import { demoPlatformFile } from '../../../server/src/manifest/demo.ts';
import { type DemoFixtures, demoFixtures } from '../../../server/src/manifest/demo-fixtures.ts';
import { type ParsedPlatformFile, readPlatformFile } from '../../../server/src/manifest/read.ts';
import { openDatabase } from '../../../server/src/store/database.ts';
import { migrate } from '../../../server/src/store/migrate.ts';
import type { Contract } from '../../contract/source.ts';
import { grantCredentials } from './mock-users.ts';
import { schema } from './postgres.ts';
import { seedDatabase } from './seed.ts';

const template = 'wrp';

/** A PostgreSQL server of this mock, with the demo organization in a database that each reset copies. */
export interface MockDatabase {
  fixtures: DemoFixtures;
  /** A fresh copy of the database. @returns its URL, as in DATABASE_URL */
  copy(): Promise<{ connection: string; drop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** @throws {PostgresStartError} after stopping the server */
export async function openMockDatabase({
  postgres,
  contract,
  seed,
  progress,
}: {
  /** May still be starting. */
  postgres: Promise<PostgresServer>;
  contract: Contract;
  /** How many users, records and executions it has besides the demo's. */
  seed: number;
  progress(line: string): void;
}): Promise<MockDatabase> {
  try {
    const file = await readPlatformFile(demoPlatformFile);
    const server = await postgres;
    const { connectionString: connection, administratorConnectionString: administrator } = server;
    progress('filling the database with the demo organization');
    await migrate({ connection, schema });
    const fixtures = await fill(connection, contract, file, seed);
    let copies = 0;
    return {
      fixtures,
      async copy() {
        copies += 1;
        const name = `copy_${copies}`;
        await administer(
          administrator,
          `create database ${name} template ${template} owner ${template} strategy file_copy`,
        );
        const url = new URL(connection);
        url.pathname = name;
        return {
          connection: url.href,
          drop: () => administer(administrator, `drop database if exists ${name} with (force)`),
        };
      },
      stop: () => server.stop(),
    };
  } catch (error) {
    await postgres.then(
      (server) => server.stop(),
      () => {},
    );
    throw error;
  }
}

async function fill(
  connection: string,
  contract: Contract,
  file: ParsedPlatformFile,
  count: number,
): Promise<DemoFixtures> {
  const database = openDatabase({ connection, schema, poolSize: 1 });
  try {
    const fixtures = demoFixtures(file, schema);
    const now = new Date();
    await applyPlatform({ database, environment: schema, file, now });
    await grantCredentials(database, { fixtures, contract, now });
    if (count > 0) await seedDatabase(database, { fixtures, count, now });
    return fixtures;
  } finally {
    // PostgreSQL copies no database that has connections.
    await database.destroy();
  }
}
