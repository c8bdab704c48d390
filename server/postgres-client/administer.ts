import pg from 'pg';

/** Runs one statement, such as `create database`, on a connection of its own. */
export async function administer(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
