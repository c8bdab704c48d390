// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, eachUser, unwrap } from '@wrp/client';
import { afterEach, describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function users({ database, demo, owner, given, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion
  const { userId: id } = demo;
  const params = { path: { userId: id } };
  const { roleId } = await unwrap(owner.GET('/organizations/users/{userId}', { params }));
  given({ ROLE_ID: roleId });
  const status = async () =>
    (await unwrap(owner.GET('/organizations/users/{userId}', { params }))).profile.status;
  const terminate = () => unwrap(owner.POST('/organizations/users/{userId}/terminate', { params }));
  const reinstate = () =>
    unwrap(owner.POST('/organizations/users/{userId}/reinstate', { params, body: { roleId } }));

  describe('listUsers', () => {
    test('TypeScript', async () => {
      //#region listUsers
      const page = await unwrap(
        client.GET('/organizations/users', { params: { query: { page: 0, size: 20 } } }),
      );

      // Or all of them, one page after the other:
      const emails: string[] = [];
      for await (const user of eachUser(client)) emails.push(user.email);
      console.log(page.totalElements, emails);
      //#endregion
      expect(page.content).toHaveLength(20);
      expect(emails).toHaveLength(page.totalElements);
    });

    test(language, async () => {
      const { content } = (await run('listUsers')) as { content: unknown[] };
      expect(content).toHaveLength(20);
    });
  });

  describe('getUser', () => {
    test('TypeScript', async () => {
      //#region getUser
      const userId = process.env.USER_ID!;

      const user = await unwrap(
        client.GET('/organizations/users/{userId}', { params: { path: { userId } } }),
      );
      console.log(user);
      //#endregion
      expect(user).toMatchObject({ id, roleId });
    });

    test(language, async () => {
      expect(await run('getUser')).toMatchObject({ id, roleId });
    });
  });

  describe('updateUserProfile', () => {
    test('TypeScript', async () => {
      //#region updateUserProfile
      const userId = process.env.USER_ID!;

      const user = await unwrap(
        client.PUT('/organizations/users/{userId}/profile', {
          params: { path: { userId } },
          body: { title: 'Senior intake clerk' },
        }),
      );
      console.log(user);
      //#endregion
      expect(user.profile.title).toBe('Senior intake clerk');
    });

    test(language, async () => {
      expect(await run('updateUserProfile')).toMatchObject({ profile: { title: 'Team lead, intake' } });
    });
  });

  describe('changeUserRole', () => {
    test('TypeScript', async () => {
      //#region changeUserRole
      const userId = process.env.USER_ID!;
      const roles = await unwrap(client.GET('/organizations/roles'));
      const admin = roles.find(({ name }) => name === 'admin')!;

      const user = await unwrap(
        client.PUT('/organizations/users/{userId}/role', {
          params: { path: { userId } },
          body: { roleId: admin.id },
        }),
      );
      console.log(user);
      //#endregion
      expect(user.roleId).toBe(admin.id);
    });

    test(language, async () => {
      expect(await run('changeUserRole')).toMatchObject({ roleId });
    });
  });

  describe('terminateUser', () => {
    afterEach(reinstate);

    test('TypeScript', async () => {
      //#region terminateUser
      const userId = process.env.USER_ID!;

      const user = await unwrap(
        client.POST('/organizations/users/{userId}/terminate', { params: { path: { userId } } }),
      );
      console.log(user);
      //#endregion
      expect(user.profile.status).toBe('TERMINATED');
    });

    test(language, async () => {
      expect(await run('terminateUser')).toMatchObject({ profile: { status: 'TERMINATED' } });
    });
  });

  describe('reinstateUser', () => {
    test('TypeScript', async () => {
      await terminate();
      //#region reinstateUser
      const userId = process.env.USER_ID!;
      const roleId = process.env.ROLE_ID!;

      const user = await unwrap(
        client.POST('/organizations/users/{userId}/reinstate', {
          params: { path: { userId } },
          body: { roleId },
        }),
      );
      console.log(user);
      //#endregion
      expect(user).toMatchObject({ roleId, profile: { status: 'ACTIVE' } });
    });

    test(language, async () => {
      await terminate();
      expect(await run('reinstateUser')).toMatchObject({ roleId, profile: { status: 'ACTIVE' } });
      expect(await status()).toBe('ACTIVE');
    });
  });

  describe('resetUserMfa', () => {
    const factors = () =>
      database.selectFrom('mfa_factors').select('type').where('user_id', '=', id).execute();

    test('TypeScript', async () => {
      expect(await factors()).not.toEqual([]);
      //#region resetUserMfa
      const userId = process.env.USER_ID!;

      await unwrap(client.POST('/organizations/users/{userId}/reset-mfa', { params: { path: { userId } } }));
      //#endregion
      expect(await factors()).toEqual([]);
    });

    test(language, async () => {
      expect(await run('resetUserMfa')).toBe('');
    });
  });
}
