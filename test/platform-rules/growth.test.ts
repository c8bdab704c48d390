import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { readConfig } from '../../server/src/config.ts';
import { maxAttachments } from '../../server/src/store/attachments.ts';
import { maxMembers } from '../../server/src/store/memberships.ts';
import { operations } from '../sweeps/support/contract.ts';

/** The operations that declare an error code. */
const declaring = (status: number, code: string) =>
  operations.filter(({ responses }) => responses.get(status)?.codes.includes(code)).map(({ id }) => id);

/**
 * What the contract and the settings say. What the platform does: test/storage/retention.test.ts,
 * test/files/storage-quota.test.ts and test/endpoints/long-lists.test.ts.
 */
describe('decision', () => {
  test('33: nothing grows without limit, and each limit is declared exactly where it can be reached', () => {
    expect(readConfig({})).toMatchObject({
      retention: { executions: 400, links: 90, parameterSets: 400, resources: undefined },
      storageQuota: undefined,
    });
    expect(declaring(413, 'storage_quota_exceeded').sort()).toEqual(['createAttachment', 'uploadResource']);
    expect(declaring(409, 'too_many_attachments')).toEqual(['createAttachment']);
    expect(declaring(409, 'too_many_members')).toEqual(['setMembership']);
    expect([maxAttachments, maxMembers]).toEqual([10_000, 10_000]);
    const { get } = contract.paths['/tables/{tableId}/records/{recordId}/attachments'];
    expect(get.responses['200'].content['application/json'].schema.maxItems).toBe(maxAttachments);
    const { directMemberships } = contract.components.schemas.WorkspaceMemberships.properties;
    expect(directMemberships.maxItems).toBe(maxMembers);
  });
});
