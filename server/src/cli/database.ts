import type { Command } from 'commander';
import { findPostgres } from '../../embedded-postgres/index.ts';
import { environmentNames, readConfig } from '../config.ts';
import { type KeyRotation, processesWithoutKey, rotateServerKey } from '../security/key-rotation.ts';
import { adoptServerKey, openServerKey } from '../security/server-key.ts';
import { changeAsOperator } from '../store/audit.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { isInUse, operatorOrigin, withPlatform } from './connect.ts';
import { action, type GlobalOptions } from './options.ts';
import { formatMinute, printJson, printTable } from './print.ts';

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

const rotateNotes = `
1. Restart the processes one after another with the new key in SERVER_KEY and the present one in SERVER_KEY_PREVIOUS (or
   both in files: SERVER_KEY_FILE, SERVER_KEY_PREVIOUS_FILE). They accept both, and still sign with the present one.
2. Run this command with the same two settings. It refuses while a process does not accept the new key. From then on all
   processes sign with it, and webhook keys are encrypted with it.
3. When everything that the previous key signed has ended, restart the processes without SERVER_KEY_PREVIOUS. The command
   prints that time. Whatever is left then ends.`;

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
  group
    .command('rotate-key')
    .description('Replaces the server key while the platform runs.')
    .addHelpText('after', rotateNotes)
    .action(action(rotateKey));
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
    for (const [name, database] of databases) {
      const origin = operatorOrigin(options, await databaseTime(database));
      const adopt = (transaction: Database) => adoptServerKey(transaction, serverKey);
      all.push([name, await changeAsOperator(database, origin, adopt)]);
    }
    return all;
  });
  if (json) return printJson({ environments: Object.fromEntries(outcomes) });
  for (const [environment, outcome] of outcomes) {
    const state = outcome === 'adopted' ? 'is now' : 'was already';
    console.error(`The database of ${environment} ${state} bound to this server key.`);
  }
}

const kindsOfEnds = {
  accessTokens: 'access tokens',
  signedUrls: 'signed URLs',
  refreshTokens: 'refresh tokens',
  links: 'single-use links',
  callbacks: 'callback URLs of waiting steps',
  progressPages: 'progress pages of single-use links',
};

async function rotateKey(options: GlobalOptions): Promise<void> {
  const { dataDir, databaseUrl, json } = options;
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  const serverKey = await openServerKey(config);
  const [key, previous] = serverKey.accepted as [Buffer, Buffer?];
  if (!previous) throw new CommandError('Set SERVER_KEY_PREVIOUS to the key that SERVER_KEY replaces.');
  const outcomes = await withPlatform(options, {}, async (open) => {
    const all: [string, KeyRotation][] = [];
    for (const name of environmentNames) {
      const database = await open(name);
      const [process] = await processesWithoutKey(database, key);
      if (process)
        throw new CommandError(
          `A process does not accept the new key yet: ${process}. Restart all with SERVER_KEY and SERVER_KEY_PREVIOUS first.`,
        );
      const origin = operatorOrigin(options, await databaseTime(database));
      const rotate = (transaction: Database) => rotateServerKey(transaction, name, serverKey, config);
      all.push([name, await changeAsOperator(database, origin, rotate)]);
    }
    return all;
  });
  if (json) return printJson({ environments: Object.fromEntries(outcomes) });
  for (const [environment, outcome] of outcomes) printRotation(environment, outcome);
}

function printRotation(environment: string, outcome: KeyRotation): void {
  const anew = `${outcome.webhookKeys} webhook keys were encrypted anew`;
  if (outcome.kind === 'was_rotated')
    return void console.error(`${environment} already used this server key; ${anew}.`);
  console.error(`${environment} uses this server key; ${anew}. What the previous key signed ends:`);
  const ends = Object.entries(outcome.ends).flatMap(([kind, at]) => (at ? [{ kind, at }] : []));
  printTable(
    ['KIND', 'LAST ONE ENDS'],
    ends.map(({ kind, at }) => [
      kindsOfEnds[kind as keyof typeof kindsOfEnds],
      formatMinute(at.toISOString()),
    ]),
  );
  const last = new Date(Math.max(...ends.map(({ at }) => at.getTime())));
  console.error(`Keep SERVER_KEY_PREVIOUS until ${formatMinute(last.toISOString())} UTC.`);
}
