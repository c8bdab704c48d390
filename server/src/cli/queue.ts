import type { Command } from 'commander';
import { workloadFacts } from '../console/workload-facts.ts';
import { databaseTime } from '../store/clock.ts';
import { readWorkload } from '../store/monitoring.ts';
import { inEnvironment } from './connect.ts';
import { action, type EnvironmentOptions, environmentOption } from './options.ts';
import { printJson, printTable } from './print.ts';

const notes = `
Examples:
  $ wrp queue
  $ wrp queue --environment sandbox --json`;

/** `wrp queue`. */
export function addQueueCommand(program: Command): void {
  program
    .command('queue')
    .description(
      'Shows the workload: running executions, events and deliveries to send, and definitions that fail.',
    )
    .addOption(environmentOption('the environment').default('production'))
    .addHelpText('after', notes)
    .action(action(showQueue));
}

async function showQueue(options: EnvironmentOptions): Promise<void> {
  const workload = await inEnvironment(options, async (database) =>
    readWorkload(database, await databaseTime(database)),
  );
  if (options.json) return printJson(workload);
  const facts = workloadFacts(workload);
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, text] of facts) console.log(`${name.padEnd(width)}  ${text}`);
  if (workload.failingDefinitions.length === 0) return;
  console.log('\nDefinitions with failures among the executions that ended within the last hour:');
  const rows = workload.failingDefinitions.map(({ name, failed, ended }) => [name, failed, ended]);
  printTable(['DEFINITION', 'FAILED', 'ENDED'], rows);
}
