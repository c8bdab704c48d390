import type { Database } from '../store/database.ts';
import { registerEndpoint } from '../store/webhook-endpoints.ts';
import { demoPlatformFile } from './demo.ts';
import { demoFixtures } from './demo-fixtures.ts';
import { derivedId } from './derived-id.ts';
import { readPlatformFile } from './read.ts';

/**
 * Sends every event of the production demo organization to an address, from now on. At each start it is the same
 * endpoint, with the address of that start, and enabled.
 *
 * @param database production's
 */
export async function registerDemoWebhook(
  database: Database,
  url: string,
  now = new Date(),
): Promise<'registered' | 'no_demo'> {
  const { organizationId } = demoFixtures(await readPlatformFile(demoPlatformFile), 'production');
  const demo = await database
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  if (!demo) return 'no_demo';
  const id = derivedId('production', 'demo webhook', organizationId);
  await registerEndpoint(database, { id, organizationId, url, now });
  return 'registered';
}
