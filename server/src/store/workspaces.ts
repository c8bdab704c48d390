import type { Database } from './database.ts';

/** Whether it is a SANDBOX one: what leaves it is marked. */
export async function isSandboxWorkspace(database: Database, id: string): Promise<boolean> {
  const workspace = await database
    .selectFrom('workspaces')
    .select('type')
    .where('id', '=', id)
    .executeTakeFirst();
  return workspace?.type === 'SANDBOX';
}
