import { routesOf } from '../../../server/contract/index.ts';
import { secretDigest } from '../../../server/src/domain/organization-token.ts';
import type { DemoFixtures } from '../../../server/src/manifest/demo-fixtures.ts';
import type { Database } from '../../../server/src/store/database.ts';
import type { Contract } from '../../contract/source.ts';

/** A caller of the demo organization. */
export interface MockUser {
  name: string;
  role: 'owner' | 'admin' | 'member';
  token: string;
}

/**
 * Users of the demo with tokens. The tokens are the same at each start, so that a frontend can have them in its
 * settings, and valid in the mock only.
 */
export const mockUsers = {
  owner: { name: 'Astrid Alder', role: 'owner', token: 'tot_MockOwnerAstridAlder00000000000121Lxxa' },
  admin: { name: 'Tomasz Finch', role: 'admin', token: 'tot_MockAdminTomaszFinch0000000000010Ihjfh' },
  editor: { name: 'Ines Moreau', role: 'member', token: 'tot_MockMemberInesMoreau0000000000011xt42w' },
  viewer: { name: 'Maya Okafor', role: 'member', token: 'tot_MockMemberMayaOkafor0000000000010tykRo' },
} as const satisfies Record<string, MockUser>;

/** The API key in the contract's example. In the mock it belongs to the owner. */
export function apiKeyOf(contract: Contract): { key: string; secret: string } {
  const route = routesOf(contract).find(({ operation }) => operation.operationId === 'exchangeApiKey');
  const [media] = Object.values(route?.operation.requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const { key, secret } = (example?.value ?? {}) as { key?: string; secret?: string };
  if (!key || !secret) throw new Error('The contract has no example of an API key.');
  return { key, secret };
}

/** Creates the tokens of the users, and the owner's API key. */
export async function grantCredentials(
  database: Database,
  { fixtures, contract, now }: { fixtures: DemoFixtures; contract: Contract; now: Date },
): Promise<void> {
  const { organizationId, ownerId, ids } = fixtures;
  for (const [id, { name, token }] of Object.entries(mockUsers)) {
    const [firstName = '', lastName = ''] = name.split(' ');
    const user = await database
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('first_name', '=', firstName)
      .where('last_name', '=', lastName)
      .executeTakeFirstOrThrow(() => new Error(`The demo's platform file lacks ${name}.`));
    await database
      .insertInto('organization_tokens')
      .values({
        id: crypto.randomUUID(),
        user_id: user.id,
        home_workspace_id: ids.workspaceId,
        name: `Mock ${id}`,
        sha256: secretDigest(token),
        created_at: now,
      })
      .execute();
  }
  const { key, secret } = apiKeyOf(contract);
  await database
    .insertInto('api_keys')
    .values({
      id: crypto.randomUUID(),
      user_id: ownerId,
      home_workspace_id: ids.workspaceId,
      name: 'Mock',
      key,
      secret_sha256: secretDigest(secret),
      created_at: now,
    })
    .execute();
}
