import type { Database } from './database.ts';

/** The fingerprint of the server key to which the database is bound. */
export async function findKeyFingerprint(database: Database): Promise<Buffer | undefined> {
  const row = await database.selectFrom('server_key').select('fingerprint').executeTakeFirst();
  return row?.fingerprint;
}

/** Sets the fingerprint if there is none; of concurrent callers one wins. @returns the resulting fingerprint */
export async function proposeKeyFingerprint(database: Database, fingerprint: Buffer): Promise<Buffer> {
  await database
    .insertInto('server_key')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { fingerprint: winner } = await database
    .selectFrom('server_key')
    .select('fingerprint')
    .executeTakeFirstOrThrow();
  return winner;
}

export async function replaceKeyFingerprint(database: Database, fingerprint: Buffer): Promise<void> {
  await database
    .insertInto('server_key')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.column('single').doUpdateSet({ fingerprint }))
    .execute();
}
