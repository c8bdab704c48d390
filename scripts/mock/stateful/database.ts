import { applyPlatform } from '../../../server/src/manifest/apply.ts';
import { demoPlatformFile } from '../../../server/src/manifest/demo.ts';
import { type DemoFixtures, demoFixtures } from '../../../server/src/manifest/demo-fixtures.ts';
import { readPlatformFile } from '../../../server/src/manifest/read.ts';
import { administer } from '../../../server/src/postgres/administer.ts';
import { startPostgres } from '../../../server/src/postgres/server.ts';
import { openDatabase } from '../../../server/src/store/database.ts';
import { migrate } from '../../../server/src/store/migrate.ts';
import type { Contract } from '../../contract/source.ts';
import { grantCredentials } from './mock-users.ts';

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
  directory,
  contract,
  progress,
}: {
  directory: string;
  contract: Contract;
  progress(line: string): void;
}): Promise<MockDatabase> {
  // The data need not survive a power failure.
  const server = await startPostgres({ dataDirectory: directory, fsync: false, progress });
  try {
    const { connectionString: connection, administratorConnectionString: administrator } = server;
    progress('filling the database with the demo organization');
    for (const schema of ['production', 'sandbox']) await migrate({ connection, schema });
    const fixtures = await seed(connection, contract);
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
    await server.stop();
    throw error;
  }
}

async function seed(connection: string, contract: Contract): Promise<DemoFixtures> {
  const database = openDatabase({ connection, schema: 'production', poolSize: 1 });
  try {
    const file = await readPlatformFile(demoPlatformFile);
    const fixtures = demoFixtures(file, 'production');
    const now = new Date();
    await applyPlatform({ database, environment: 'production', file, now });
    await grantCredentials(database, { fixtures, contract, now });
    return fixtures;
  } finally {
    // PostgreSQL copies no database that has connections.
    await database.destroy();
  }
}
