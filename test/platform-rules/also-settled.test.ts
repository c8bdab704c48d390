import { describe, expect, test } from 'vitest';
import { readConfig } from '../../server/src/config.ts';
import { api } from '../support/api.ts';
import { expectRefusal } from '../support/responses.ts';
import { operations, parametersIn } from '../sweeps/support/contract.ts';

/** What the guide "Limits and decisions" lists as "Also settled", unless it is a matter of one operation. */
const { owner, outsider, stranger, anonymous, actor, world, given, log } = await api();
const { organization, workspace } = world;

const user = (userId: string) => ({ params: { path: { userId } } });
const config = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: '/tmp', ...env });

describe('also settled:', () => {
  test('agents may perform operations in the sandbox only, unless an installation decides otherwise', () => {
    expect(config().mcpCalls).toEqual(['sandbox']);
    expect(config({ MCP_CALLS: 'all' }).mcpCalls).toEqual(['production', 'sandbox']);
    expect(config({ MCP_CALLS: 'none' }).mcpCalls).toEqual([]);
    expect(() => config({ MCP_CALLS: 'production' })).toThrow('MCP_CALLS must be one of sandbox, all, none');
  });

  const getUser = (client: typeof owner, userId: string) =>
    client.GET('/organizations/users/{userId}', user(userId));

  test('a service account is a user of one organization, listed like any other', async () => {
    const service = await given.caller({ organization, role: 'admin', homeWorkspace: workspace });
    const { data } = await actor(service.token).GET('/organizations/users', {
      params: { query: { size: 100 } },
    });
    expect(data?.content.map(({ id }) => id)).toContain(service.id);
  });

  test("profile.id belongs to the profile, profile.roleId is the user's", async () => {
    const { data } = await getUser(owner, world.member.id);
    const body = { roleId: data?.roleId ?? '' };
    expect(data?.profile.id).not.toBe(data?.id);
    const { data: changed } = await owner.PUT('/organizations/users/{userId}/role', {
      ...user(world.member.id),
      body,
    });
    expect(changed?.profile.roleId).toBe(changed?.roleId);
    expect(changed?.profile.id).toBe(data?.profile.id);
  });

  test('a malformed identifier in the path is 400, after identification', async () => {
    await expectRefusal(getUser(anonymous, 'me'), 401, 'credentials_missing');
    await expectRefusal(getUser(outsider, 'me'), 400, 'parameter_invalid', { parameter: 'userId' });
  });

  test('every POST except those under /auth/ accepts an Idempotency-Key', async () => {
    for (const operation of operations) {
      const takes = parametersIn(operation, 'header').some(({ name }) => name === 'Idempotency-Key');
      const should = operation.method.toUpperCase() === 'POST' && !operation.template.startsWith('/auth/');
      expect(takes, operation.id).toBe(should);
    }
  });

  test('a fingerprint identifies one error: it is the Request-Id of the response and of the log line', async () => {
    const refusals = [
      await expectRefusal(getUser(stranger, world.owner.id), 404, 'user_not_found'),
      await expectRefusal(getUser(stranger, world.owner.id), 404, 'user_not_found'),
    ];
    const fingerprints = refusals.map(({ body }) => (body as { fingerprint: string }).fingerprint);
    expect(new Set(fingerprints).size).toBe(2);
    for (const requestId of fingerprints) {
      expect(log.filter((line) => line['requestId'] === requestId)).toEqual([
        expect.objectContaining({ operationId: 'getUser', status: 404, userId: world.stranger.id }),
      ]);
    }
    const { response } = await owner.GET('/organizations/roles');
    const requestId = response.headers.get('Request-Id');
    expect(log.filter((line) => line['requestId'] === requestId)).toMatchObject([{ status: 200 }]);
  });
});
