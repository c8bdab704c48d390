// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function organization({ demo, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion

  describe('listOrganizationRoles', () => {
    const names = ['owner', 'admin', 'member'].map((name) => expect.objectContaining({ name }));

    test('TypeScript', async () => {
      //#region listOrganizationRoles
      const roles = await unwrap(client.GET('/organizations/roles'));
      console.log(roles);
      //#endregion
      expect(roles).toEqual(names);
    });

    test(language, async () => {
      expect(await run('listOrganizationRoles')).toEqual(names);
    });
  });

  describe('listWorkspaces', () => {
    const workspace = expect.objectContaining({ id: demo.workspaceId });

    test('TypeScript', async () => {
      //#region listWorkspaces
      const workspaces = await unwrap(client.GET('/organizations/workspaces'));
      console.log(workspaces);
      //#endregion
      expect(workspaces).toContainEqual(workspace);
    });

    test(language, async () => {
      expect(await run('listWorkspaces')).toContainEqual(workspace);
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
      console.log(roles);
      //#endregion
      expect(roles).toContainEqual(role);
    });

    test(language, async () => {
      expect(await run('listWorkspaceRoles')).toContainEqual(role);
    });
  });
}
