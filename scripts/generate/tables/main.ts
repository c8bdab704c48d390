/**
 * Writes generated/tables.ts, the types of the database's tables, from a database that the migrations create. Does
 * nothing unless a migration has changed.
 *
 *   node scripts/generate/tables/main.ts           writes it if it is stale
 *   node scripts/generate/tables/main.ts --check   changes nothing; exit code 1 if it is stale
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { startPostgres } from '../../../server/embedded-postgres/index.ts';
import { openDatabase } from '../../../server/src/store/database.ts';
import { migrate } from '../../../server/src/store/migrate.ts';
import { command, run } from '../../command-line/command.ts';
import { temporaryDirectory } from '../../command-line/temporary-directory.ts';
import { digestOf } from '../../prepare/digest.mjs';
import { tablesModule } from './module.ts';

const root = new URL('../../../', import.meta.url);
const file = 'generated/tables.ts';
const schema = 'production';
/** The migrations, and the code that derives the types. */
const sources = ['scripts/generate/tables/module.ts', 'server/src/store/migrations'];

const cli = command('tables', 'node scripts/generate/tables/main.ts')
  .description(`Writes ${file}: the types of the tables, as the migrations create them.`)
  .option('--check', 'write nothing; exit with 1 if the file does not match the migrations')
  .action(async ({ check }) => {
    const digest = digestOf(sources, (path) => path.endsWith('.ts'));
    const current = await readFile(new URL(file, root), 'utf8').catch(() => '');
    if (current.includes(`\n// ${digest}\n`)) return console.log(`${file} is up to date.`);
    if (check) {
      console.error(`Stale: ${file}. Run \`npm run generate\` and commit what it writes.`);
      process.exitCode = 1;
      return;
    }
    const draft = new URL(`${file}.${process.pid}`, root);
    await writeFile(draft, await generate(digest));
    await rename(draft, new URL(file, root));
    console.log(`Wrote ${file}.`);
  });

async function generate(digest: string): Promise<string> {
  await using temporary = await temporaryDirectory('tables');
  const { path: dataDirectory } = temporary;
  const server = await startPostgres({ dataDirectory, fsync: false });
  try {
    const connection = server.connectionString;
    await migrate({ connection, schema });
    const database = openDatabase({ connection, schema, poolSize: 1 });
    const text = await tablesModule(database as never, { schema, digest });
    await database.destroy();
    return text;
  } finally {
    await server.stop();
  }
}

await run(cli);
