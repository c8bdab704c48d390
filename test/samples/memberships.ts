// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function memberships({ demo, owner, given, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion
  const { workspaceId: id, userId: member } = demo;
  const ofWorkspace = { params: { path: { workspaceId: id } } };
  const ofMember = { params: { path: { workspaceId: id, userId: member } } };
  const roles = await unwrap(owner.GET('/organizations/workspaces/{workspaceId}/roles', ofWorkspace));
  const viewer = roles.find(({ name }) => name === 'Viewer')?.id ?? '';
  given({ WORKSPACE_ROLE_ID: viewer });
  const members = async () => {
    const direct = await unwrap(owner.GET('/workspaces/{workspaceId}/memberships', ofWorkspace));
    return direct.map(({ userId }) => userId);
  };

  describe('listMemberships', () => {
    const both = { directMemberships: expect.any(Array), inheritedMemberships: expect.any(Array) };

    test('TypeScript', async () => {
      //#region listMemberships
      const workspaceId = process.env.WORKSPACE_ID!;

      const { directMemberships, inheritedMemberships } = await unwrap(
        client.GET('/organizations/workspaces/{workspaceId}/memberships', {
          params: { path: { workspaceId } },
        }),
      );
      console.log(directMemberships, inheritedMemberships);
      //#endregion
      expect({ directMemberships, inheritedMemberships }).toEqual(both);
      expect(directMemberships).toContainEqual(expect.objectContaining({ userId: member }));
    });

    test(language, async () => {
      expect(await run('listMemberships')).toEqual(both);
    });
  });

  describe('listDirectMemberships', () => {
    const membership = expect.objectContaining({ userId: member });

    test('TypeScript', async () => {
      //#region listDirectMemberships
      const workspaceId = process.env.WORKSPACE_ID!;

      const memberships = await unwrap(
        client.GET('/workspaces/{workspaceId}/memberships', { params: { path: { workspaceId } } }),
      );
      console.log(memberships);
      //#endregion
      expect(memberships).toContainEqual(membership);
    });

    test(language, async () => {
      expect(await run('listDirectMemberships')).toContainEqual(membership);
    });
  });

  describe('setMembership', () => {
    test('TypeScript', async () => {
      //#region setMembership
      const workspaceId = process.env.WORKSPACE_ID!;
      const userId = process.env.USER_ID!;
      const roleId = process.env.WORKSPACE_ROLE_ID!;

      const membership = await unwrap(
        client.PUT('/workspaces/{workspaceId}/memberships/{userId}', {
          params: { path: { workspaceId, userId } },
          body: { userId, roleId },
        }),
      );
      console.log(membership);
      //#endregion
      expect(membership).toMatchObject({ userId });
    });

    test(language, async () => {
      expect(await run('setMembership')).toMatchObject({ userId: member });
    });
  });

  describe('removeMembership', () => {
    beforeEach(async () => {
      const body = { userId: member, roleId: viewer };
      await unwrap(owner.PUT('/workspaces/{workspaceId}/memberships/{userId}', { ...ofMember, body }));
    });

    test('TypeScript', async () => {
      //#region removeMembership
      const workspaceId = process.env.WORKSPACE_ID!;
      const userId = process.env.USER_ID!;

      await unwrap(
        client.DELETE('/workspaces/{workspaceId}/memberships/{userId}', {
          params: { path: { workspaceId, userId } },
        }),
      );
      //#endregion
      expect(await members()).not.toContain(member);
    });

    test(language, async () => {
      expect(await run('removeMembership')).toBe('');
      expect(await members()).not.toContain(member);
    });
  });
}
