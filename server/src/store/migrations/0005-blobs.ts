import { type Kysely, sql } from 'kysely';

/** Binds the database to its blob store, and records which blobs it deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table blob_store (
    single boolean primary key default true check (single),
    -- The marker of the blob store carries the same id.
    id uuid not null,
    -- Null until the marker is known to be written: a crash in between is no mismatch.
    bound_at timestamptz(3)
  )`,
  // Blobs whose rows were deleted. The sweeper removes the blob, then the entry.
  'create table deleted_blobs (blob_key text primary key)',
  recording('deleted_files', 'select blob_key from deleted'),
  ...['resources', 'attachments'].map(
    (table) => `create trigger record_deleted_files after delete on ${table}
      referencing old table as deleted for each statement execute function record_deleted_files()`,
  ),
  // Row triggers, whose condition costs nothing in the usual case: every ending execution sets the column, few have a
  // blob.
  recording('replaced_file', 'select old.blob_key'),
  ...['resources', 'attachments'].map(
    (table) => `create trigger record_replaced_file after update of blob_key on ${table}
      for each row when (old.blob_key <> new.blob_key) execute function record_replaced_file()`,
  ),
  recording('deleted_result', 'select old.result_blob_key'),
  `create trigger record_deleted_result after delete on executions
    for each row when (old.result_blob_key is not null) execute function record_deleted_result()`,
  `create trigger record_replaced_result after update of result_blob_key on executions
    for each row when (old.result_blob_key is not null and old.result_blob_key is distinct from new.result_blob_key)
    execute function record_deleted_result()`,
];

/** Fixes the search path, because rows may be deleted in a session with another one, such as psql. */
function recording(name: string, blobKeys: string): string {
  return `create function record_${name}() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into deleted_blobs (blob_key) ${blobKeys} on conflict do nothing;
      return null;
    end $$`;
}
