import type { Command } from 'commander';
import { ConfigError, readConfig } from '../config.ts';
import type { CheckResult } from '../config-checks.ts';
import { unknownSettings } from '../unknown-settings.ts';
import { CommandError, describeError } from './command-error.ts';
import { action, type GlobalOptions } from './options.ts';
import { printJson, printTable } from './print.ts';

const notes = `
It tries what a start needs: directory, ports, public URLs, keys, mail server, database (rights, version, encoding,
migrations, connections, clock) and file store. It changes nothing: only a file or object "probe" is written and removed.
The embedded PostgreSQL is checked only while it runs. Exit status 1 if a check has failed; warnings do not count.

Examples:
  $ wrp config check
  $ wrp config check --json`;

/** `wrp config`: checks the settings. */
export function addConfigCommands(program: Command): void {
  const group = program.command('config').description('The settings, which are environment variables.');
  group
    .command('check')
    .description('Tries the settings without starting the platform.')
    .addHelpText('after', notes)
    .action(action(check));
}

async function check({ dataDir, databaseUrl, json }: GlobalOptions): Promise<void> {
  const results = [...unknown(), ...(await checked(dataDir, databaseUrl))];
  const failures = results.filter(({ outcome }) => outcome === 'failed').length;
  if (json) printJson({ ok: failures === 0, checks: results });
  else
    printTable(
      ['CHECK', 'OUTCOME', 'MESSAGE'],
      results.map(({ check, outcome, message }) => [check, outcome, message]),
    );
  if (failures > 0)
    throw new CommandError(failures === 1 ? 'One check failed.' : `${failures} checks failed.`);
}

const unknown = (): CheckResult[] =>
  unknownSettings(process.env).map((message) => ({ check: 'settings', outcome: 'warning', message }));

async function checked(dataDir: string, databaseUrl: string | undefined): Promise<CheckResult[]> {
  try {
    const config = readConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
    // Loaded now: other commands do not need it.
    const { checkConfig } = await import('../config-checks.ts');
    const valid: CheckResult = { check: 'settings', outcome: 'ok', message: 'all values are valid' };
    return [valid, ...(await checkConfig(config, describeError))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: 'settings', outcome: 'failed', message: error.message }];
  }
}
