/**
 * A platform that does nothing but write: the tests run it as a process of its own, to kill it.
 * It prints `ready <connection string>` and then, after each commit, `written <number>`; or `refused <reason>`.
 */
import pg from 'pg';
import { startPostgres } from '../../server/embedded-postgres/index.ts';

const [dataDirectory = '', runAs] = process.argv.slice(2);
try {
  const server = await startPostgres({ dataDirectory, runAs });
  console.log('ready', server.connectionString);
  const client = new pg.Client({ connectionString: server.connectionString });
  client.on('error', () => {});
  await client.connect();
  await client.query('create table if not exists written (number integer)');
  const { rows } = await client.query('select coalesce(max(number), 0) as last from written');
  for (let number = rows[0].last + 1; ; number += 1) {
    await client.query('insert into written values ($1)', [number]);
    console.log('written', number);
  }
} catch (error) {
  console.log('refused', (error as Error).message);
}
