import { type Kysely, sql } from 'kysely';

/**
 * The position of each user in the order of creation, so that any page of users is a range of an index and the last
 * position is their number. Indexes for other queries that scanned all users.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table user_positions (
    organization_id uuid not null,
    position bigint not null,
    user_id uuid not null unique,
    primary key (organization_id, position)
  )`,

  // Triggers alone maintain it, however users arrive: foreign keys would only slow them down. New users usually come
  // last; whoever follows a user with an earlier creation time moves. The lock of the organization makes concurrent transactions take their positions one after the other. Neither
  // the organization nor the creation time of a user ever changes.
  `create function position_users() returns trigger language plpgsql set search_path from current as $$
    declare
      first record;
      before bigint;
    begin
      for first in
        select distinct on (organization_id) organization_id, created_at, id from changed
        order by organization_id, created_at, id
      loop
        perform 1 from organizations where id = first.organization_id for no key update;
        select p.position into before from users u join user_positions p on p.user_id = u.id
          where u.organization_id = first.organization_id and (u.created_at, u.id) < (first.created_at, first.id)
          order by u.created_at desc, u.id desc limit 1;
        before := coalesce(before, 0);
        delete from user_positions where organization_id = first.organization_id and position > before;
        insert into user_positions (organization_id, position, user_id)
          select organization_id, before + row_number() over (order by created_at, id), id from users
          where organization_id = first.organization_id and (created_at, id) >= (first.created_at, first.id);
      end loop;
      return null;
    end $$`,
  `create trigger position_inserted after insert on users referencing new table as changed
    for each statement execute function position_users()`,
  `create trigger position_deleted after delete on users referencing old table as changed
    for each statement execute function position_users()`,
  // Creating the triggers has locked the table, so no user is missed.
  `insert into user_positions (organization_id, position, user_id)
    select organization_id, row_number() over (partition by organization_id order by created_at, id), id from users`,

  // The owners and admins of an organization, in order of creation.
  'create index users_role on users (role_id, created_at, id)',
  // An operator names a user by its address alone.
  'create index users_address on users (lower(email))',
];
