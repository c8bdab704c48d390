import { setTimeout as sleep } from 'node:timers/promises';
import { scheduleRunner } from '../../server/src/schedules/runner.ts';
import { openProduction, openStarter } from './support.ts';

/**
 * Starts what is due, on a clock that shows `base` at `startedAt` and goes `speed` times as fast as the real one, until
 * it is killed.
 */
const [connection = '', base = '', startedAt = '', speed = ''] = process.argv.slice(2);
const now = () => new Date(Date.parse(base) + (Date.now() - Number(startedAt)) * Number(speed));
const { startExecution, logger } = await openStarter(connection, now);
const database = openProduction(connection);
const runner = scheduleRunner({ database, startExecution, logger, now, onResult: () => {} });
console.log('running');
for (;;) {
  await runner.startDue();
  await sleep(5);
}
