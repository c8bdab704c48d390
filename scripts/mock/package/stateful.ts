/** The stateful mode of the mock, as a package of its own: only who asks for it installs a database. */
import './node20/globals.ts';
import { fileURLToPath } from 'node:url';
import { runStateful, type StatefulRun } from '../stateful/run.ts';

export { version } from '../../../generated/version.ts';

export type StatefulOptions = Omit<StatefulRun, 'kept' | 'portal' | 'page'>;

/** In this package, which never changes: it goes with it. */
const cache = fileURLToPath(new URL('../../cache', import.meta.url));

/**
 * Starts the platform with a temporary database, which is removed when it is closed or the process ends.
 *
 * @throws an error of one line if a setting is invalid, or the database does not start
 */
export const openStateful = (options: StatefulOptions) =>
  runStateful({ ...options, kept: { cache, key: 'database' } });
