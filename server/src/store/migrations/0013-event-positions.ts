import { type Kysely, sql } from 'kysely';

/** The order of the events that can be polled for. Only the sandbox numbers its events; see store/webhook-relay.ts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'create sequence event_positions',
  'alter table events add column position bigint',
  'create index events_by_position on events (organization_id, position) where position is not null',
  'create index events_last_position on events (position) where position is not null',
];
