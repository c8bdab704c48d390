// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function organization({ demo, shell }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.BASE_URL!, token: process.env.TOKEN! });
  //#endregion
  const curl = await shell('organization');

  describe('listOrganizationRoles', () => {
    const names = ['owner', 'admin', 'member'].map((name) => expect.objectContaining({ name }));

    test('TypeScript', async () => {
      //#region listOrganizationRoles
      const roles = await unwrap(client.GET('/organizations/roles'));
      //#endregion
      expect(roles).toEqual(names);
    });

    test('cURL', async () => {
      expect(await curl('listOrganizationRoles')).toEqual(names);
    });
  });

  describe('listWorkspaces', () => {
    const workspace = expect.objectContaining({ id: demo.workspaceId });

    test('TypeScript', async () => {
      //#region listWorkspaces
      const workspaces = await unwrap(client.GET('/organizations/workspaces'));
      //#endregion
      expect(workspaces).toContainEqual(workspace);
    });

    test('cURL', async () => {
      expect(await curl('listWorkspaces')).toContainEqual(workspace);
    });
  });

  describe('listWorkspaceRoles', () => {
    const role = expect.objectContaining({ name: 'Viewer', workspaceId: demo.workspaceId });

    test('TypeScript', async () => {
      //#region listWorkspaceRoles
      const workspaceId = process.env.WORKSPACE_ID!;

      const roles = await unwrap(
        client.GET('/organizations/workspaces/{workspaceId}/roles', { params: { path: { workspaceId } } }),
      );
      //#endregion
      expect(roles).toContainEqual(role);
    });

    test('cURL', async () => {
      expect(await curl('listWorkspaceRoles')).toContainEqual(role);
    });
  });
}
