import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Attachment, Membership, WorkspaceMemberships } from '../../generated/types.ts';
import { api } from '../support/api.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';
import { heldUp } from '../support/waiting.ts';

const { owner, database, world, given } = await api();
const most = 10_000;
const collection = '/tables/{tableId}/records/{recordId}/attachments';

/** A record with so many attachments, two with the same time each. */
async function recordWith(count: number): Promise<{ tableId: string; recordId: string }> {
  const { id: recordId } = await given.record({ table: world.table });
  await sql`
    insert into attachments (id, record_id, name, content_type, size, sha256, tags, blob_key, created_by, created_at)
    select gen_random_uuid(), ${recordId}, 'photo-' || i || '.jpg', 'image/jpeg', i, '\\x00', '{bumper,left}',
      gen_random_uuid(), ${world.owner.id}, timestamptz '2026-01-01' + ((i + 1) / 2) * interval '1 second'
    from generate_series(1, ${count}::integer) i`.execute(database);
  return { tableId: world.table.id, recordId };
}

async function workspaceWith(count: number) {
  const { organization } = world;
  const workspace = await given.workspace({ organization });
  await given.members({ organization, workspace, count });
  return workspace;
}

const list = (path: { tableId: string; recordId: string }) => owner.GET(collection, { params: { path } });
const attach = (path: { tableId: string; recordId: string }, name = 'one-more.txt') =>
  owner.POST(collection, { params: { path }, body: { file: new File(['x'], name) } });
const join = (workspace: { id: string; roles: { viewer: string } }, userId: string) =>
  owner.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
    params: { path: { workspaceId: workspace.id, userId } },
    body: { userId, roleId: workspace.roles.viewer },
  });
const inOrder = (rows: { createdDateTime: string; id: string }[]) =>
  rows.toSorted(
    (one, other) =>
      one.createdDateTime.localeCompare(other.createdDateTime) || one.id.localeCompare(other.id),
  );

describe('a record with 10,000 attachments', () => {
  test('is listed whole and in order', async () => {
    const path = await recordWith(most);
    const listed = (await bodyOf(200, list(path))) as Attachment[];
    expect(listed).toHaveLength(most);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(most);
    expect(listed).toEqual(inOrder(listed));
  });

  test('refuses more until one is deleted: 409 too_many_attachments', async () => {
    const path = await recordWith(most);
    await expectRefusal(attach(path), 409, 'too_many_attachments');
    const [first] = (await bodyOf(200, list(path))) as Attachment[];
    const attachmentId = first?.id as string;
    await bodyOf(
      204,
      owner.DELETE(`${collection}/{attachmentId}`, { params: { path: { ...path, attachmentId } } }),
    );
    await bodyOf(201, attach(path));
    await expectRefusal(attach(path), 409, 'too_many_attachments');
  });

  test('accepts exactly one of several concurrent uploads as its last', async () => {
    const path = await recordWith(most - 1);
    const uploads = await heldUp(database, { table: 'records', id: path.recordId }, () =>
      ['a', 'b', 'c'].map((name) => attach(path, name)),
    );
    expect(uploads.map(({ response }) => response.status).sort()).toEqual([201, 409, 409]);
  });

  test('with more from an older release is listed with the first 10,000', async () => {
    const listed = (await bodyOf(200, list(await recordWith(most + 1)))) as Attachment[];
    expect(listed).toHaveLength(most);
    expect(listed.map(({ name }) => name)).not.toContain(`photo-${most + 1}.jpg`);
  });
});

describe('a workspace with 10,000 members', () => {
  const direct = (workspaceId: string) =>
    owner.GET('/workspaces/{workspaceId}/memberships', {
      params: { path: { workspaceId } },
    });
  const all = (workspaceId: string) =>
    owner.GET('/organizations/workspaces/{workspaceId}/memberships', { params: { path: { workspaceId } } });

  test('is listed whole and in order, with the inherited memberships of owners and admins', async () => {
    const { id } = await workspaceWith(most);
    const { rows } = await sql<{ user_id: string }>`
      select user_id from memberships where workspace_id = ${id} order by created_at, user_id`.execute(
      database,
    );
    const expected = rows.map(({ user_id }) => user_id);
    const listed = (await bodyOf(200, direct(id))) as Membership[];
    expect(listed.map(({ userId }) => userId)).toEqual(expected);
    const { directMemberships, inheritedMemberships } = (await bodyOf(200, all(id))) as WorkspaceMemberships;
    expect(directMemberships).toEqual(listed);
    expect(inheritedMemberships.map(({ userId }) => userId).sort()).toEqual(
      [world.owner.id, world.admin.id].sort(),
    );
  });

  test('refuses more but still changes roles: 409 too_many_members', async () => {
    const workspace = await workspaceWith(most);
    await expectRefusal(join(workspace, world.outsider.id), 409, 'too_many_members');
    const [member] = (await bodyOf(200, direct(workspace.id))) as Membership[];
    await bodyOf(200, join(workspace, member?.userId as string));
    const path = { workspaceId: workspace.id, userId: member?.userId as string };
    await bodyOf(200, owner.DELETE('/workspaces/{workspaceId}/memberships/{userId}', { params: { path } }));
    await bodyOf(200, join(workspace, world.outsider.id));
  });

  test('accepts exactly one of several concurrent requests as its last', async () => {
    const workspace = await workspaceWith(most - 1);
    const joining = await heldUp(database, { table: 'workspaces', id: workspace.id }, () =>
      [world.outsider, world.member, world.admin].map(({ id }) => join(workspace, id)),
    );
    expect(joining.map(({ response }) => response.status).sort()).toEqual([200, 409, 409]);
  });

  test('with more from an older release is listed with the first 10,000', async () => {
    const { id } = await workspaceWith(most + 1);
    expect((await bodyOf(200, direct(id))) as Membership[]).toHaveLength(most);
    const { directMemberships } = (await bodyOf(200, all(id))) as WorkspaceMemberships;
    expect(directMemberships).toHaveLength(most);
  });
});
