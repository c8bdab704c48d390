import { openJobs, type Workers } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';

/** A worker whose jobs never end. It prints the name of each that begins. */
const [connection = '', ...names] = process.argv.slice(2);
const jobs = await openJobs({ connection, schema: 'production_jobs', logger: openLogger('silent') });
const work = (name: string) => () => {
  console.log(name);
  return new Promise<void>(() => {});
};
await jobs.work(Object.fromEntries(names.map((name) => [name, work(name)])) as Workers);
