import { type Kysely, sql } from 'kysely';

/** Data for retention and quotas: the last use of parameter sets, and the storage of each organization. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The last use of existing sets is unknown, so their retention starts with this migration.
  'alter table parameter_sets add column last_used_at timestamptz(3) not null default now()',
  'create index parameter_sets_last_used on parameter_sets (last_used_at)',
  'create index links_parameters on links (parameters_id) where parameters_id is not null',
  'create index links_ended on links (least(used_at, expires_at))',
  'create index executions_to_delete on executions (ended_at) where not kept',
  'create index resources_in_order on resources (created_at, id)',
  'create index memberships_in_order on memberships (workspace_id, created_at, user_id)',

  'alter table records add column attachment_count integer not null default 0',
  'alter table workspaces add column member_count integer not null default 0',
  `create table organization_storage (
    organization_id uuid primary key references organizations,
    resources bigint not null default 0,
    resource_bytes bigint not null default 0,
    attachments bigint not null default 0,
    attachment_bytes bigint not null default 0
  )`,

  // Statement triggers update the counters in the transaction of the change. To rule out deadlocks, every statement
  // locks records before organizations, each ordered by id.
  `create function open_organization_storage() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into organization_storage (organization_id) values (new.id);
      return null;
    end $$`,
  `create trigger open_storage after insert on organizations
    for each row execute function open_organization_storage()`,

  `create function count_resources() returns trigger language plpgsql set search_path from current as $$
    declare
      sign integer := case tg_op when 'INSERT' then 1 else -1 end;
      change record;
    begin
      for change in
        select w.organization_id as id, sign * count(*) as files, sign * sum(c.size) as bytes
        from changed c join workspaces w on w.id = c.workspace_id group by 1 order by 1
      loop
        update organization_storage set resources = resources + change.files,
          resource_bytes = resource_bytes + change.bytes where organization_id = change.id;
      end loop;
      return null;
    end $$`,
  ...countedBy('resources', 'count_resources'),

  `create function count_attachments() returns trigger language plpgsql set search_path from current as $$
    declare
      sign integer := case tg_op when 'INSERT' then 1 else -1 end;
      change record;
    begin
      for change in select record_id as id, sign * count(*) as files from changed group by 1 order by 1 loop
        update records set attachment_count = attachment_count + change.files where id = change.id;
      end loop;
      for change in
        select w.organization_id as id, sign * count(*) as files, sign * sum(c.size) as bytes
        from changed c join records r on r.id = c.record_id join tables t on t.id = r.table_id
          join workspaces w on w.id = t.workspace_id group by 1 order by 1
      loop
        update organization_storage set attachments = attachments + change.files,
          attachment_bytes = attachment_bytes + change.bytes where organization_id = change.id;
      end loop;
      return null;
    end $$`,
  ...countedBy('attachments', 'count_attachments'),

  `create function count_members() returns trigger language plpgsql set search_path from current as $$
    declare
      sign integer := case tg_op when 'INSERT' then 1 else -1 end;
      change record;
    begin
      for change in select workspace_id as id, sign * count(*) as members from changed group by 1 order by 1 loop
        update workspaces set member_count = member_count + change.members where id = change.id;
      end loop;
      return null;
    end $$`,
  ...countedBy('memberships', 'count_members'),

  // Creating the triggers has locked these tables, so the counts are exact.
  `insert into organization_storage (organization_id, resources, resource_bytes, attachments, attachment_bytes)
    select o.id, coalesce(r.files, 0), coalesce(r.bytes, 0), coalesce(a.files, 0), coalesce(a.bytes, 0)
    from organizations o
      left join (select w.organization_id as id, count(*) as files, sum(r.size) as bytes
        from resources r join workspaces w on w.id = r.workspace_id group by 1) r on r.id = o.id
      left join (select w.organization_id as id, count(*) as files, sum(a.size) as bytes
        from attachments a join records r on r.id = a.record_id join tables t on t.id = r.table_id
          join workspaces w on w.id = t.workspace_id group by 1) a on a.id = o.id`,
  `update records r set attachment_count = a.files
    from (select record_id, count(*) as files from attachments group by 1) a where r.id = a.record_id`,
  `update workspaces w set member_count = m.members
    from (select workspace_id, count(*) as members from memberships group by 1) m where w.id = m.workspace_id`,
];

function countedBy(table: string, counter: string): string[] {
  return [
    `create trigger count_inserted after insert on ${table} referencing new table as changed
      for each statement execute function ${counter}()`,
    `create trigger count_deleted after delete on ${table} referencing old table as changed
      for each statement execute function ${counter}()`,
  ];
}
