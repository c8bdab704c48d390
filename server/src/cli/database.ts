import type { Command } from 'commander';
import { findPostgres } from '../../embedded-postgres/index.ts';
import { environmentNames, readConfig } from '../config.ts';
import { adoptServerKey, openServerKey } from '../security/server-key.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { isInUse, withPlatform } from './connect.ts';
import { action, type GlobalOptions } from './options.ts';
import { printJson } from './print.ts';

const urlNotes = `
The embedded database can be reached while the platform runs, by this user and root only. The tables of the environments
are in the schemas production and sandbox.

Examples:
  $ psql "$(wrp database url)" -c 'select count(*) from production.users'
  $ pg_dump "$(wrp database url)" --format custom --file wrp.dump`;

const adoptNotes = `
The platform refuses to start with another server key than the one its database was used with. If that key is lost or
was disclosed, stop all processes and adopt the key of SERVER_KEY, SERVER_KEY_FILE or DATA_DIR/server.key. Access tokens,
signed URLs, single-use links and webhook keys of the former key end; organization tokens and API keys remain valid.
Create new webhook keys with "wrp webhook rotate-keys", in each environment.`;

/** `wrp database`: the connection string, and the key that belongs to the database. */
export function addDatabaseCommands(program: Command): void {
  const group = program
    .command('database')
    .description('The database: its connection string, and the server key that belongs to it.');
  group
    .command('url')
    .description('Prints the connection string, which may contain a password.')
    .addHelpText('after', urlNotes)
    .action(action(printUrl));
  group
    .command('adopt-key')
    .description('Binds the database to the current server key.')
    .addHelpText('after', adoptNotes)
    .action(action(adoptKey));
}

async function printUrl({ dataDir, databaseUrl, json }: GlobalOptions): Promise<void> {
  const url = databaseUrl ?? (await findPostgres({ dataDirectory: dataDir }))?.connectionString;
  if (!url) throw new CommandError(`No platform runs on ${dataDir}: start it first.`);
  if (json) printJson({ url });
  else console.log(url);
}

async function adoptKey(options: GlobalOptions): Promise<void> {
  const { dataDir, databaseUrl, json } = options;
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  const serverKey = await openServerKey(config);
  const outcomes = await withPlatform(options, {}, async (open) => {
    const databases: [string, Database][] = [];
    for (const name of environmentNames) databases.push([name, await open(name)]);
    if (await isInUse(databases.map(([, database]) => database))) {
      throw new CommandError('The platform or another client uses the database: stop all processes first.');
    }
    const all: [string, string][] = [];
    for (const [name, database] of databases) all.push([name, await adoptServerKey(database, serverKey)]);
    return all;
  });
  if (json) return printJson({ environments: Object.fromEntries(outcomes) });
  for (const [environment, outcome] of outcomes) {
    const state = outcome === 'adopted' ? 'is now' : 'was already';
    console.error(`The database of ${environment} ${state} bound to this server key.`);
  }
}
