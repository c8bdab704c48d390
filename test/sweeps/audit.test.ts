import { describe, expect, test } from 'vitest';
import { isUuid } from '../../server/src/domain/identifiers.ts';
import { notAudited } from '../../server/src/http/audit.ts';
import { listAuditEntries } from '../../server/src/store/audit-list.ts';
import { api as startApi } from '../support/api.ts';
import { operations } from './support/contract.ts';
import { assertAccepted, requestsOf, toSend } from './support/requests.ts';

/** Every operation that changes something has an entry in the audit log, unless `notAudited` says why not. */
const api = await startApi();
const requests = requestsOf(api);
const changing = operations.filter(({ method }) => method !== 'GET');

async function entriesOf(change: () => Promise<unknown>) {
  const all = () => listAuditEntries(api.database, {}, { oldestFirst: true, size: 1_000 });
  const before = new Set((await all()).map(({ cursor }) => cursor));
  await change();
  return (await all()).filter(({ cursor }) => !before.has(cursor));
}

test.each(changing)('$id is audited, or notAudited says why not', async (operation) => {
  const valid = await requests.valid(operation);
  const entries = await entriesOf(async () => {
    assertAccepted(operation, await requests.send(toSend(valid)));
  });
  if (operation.id in notAudited) return expect(entries).toEqual([]);
  const how = `name what ${operation.id} changes, with an event or with auditChange in server/src/store/, or add it to notAudited in server/src/http/audit.ts`;
  expect(entries.length, how).toBeGreaterThan(0);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      action: operation.id,
      actor: {
        kind: 'caller',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: expect.stringContaining('@'),
      },
      organizationId: expect.any(String),
      requestId: expect.any(String),
    });
    expect(entry.actor.credentialId).not.toBeNull();
    expect(entry.source).toMatch(/^(?:::ffff:)?127\.0\.0\.1$/);
    // No value of the request but identifiers: it may be a secret, or the name of a person.
    for (const value of Object.values(valid.fields ?? {}))
      if (typeof value === 'string' && value !== '' && !isUuid(value))
        expect(Object.values(entry.details)).not.toContain(value);
  }
});

test('notAudited names only operations that change something', () => {
  const ids = changing.map(({ id }) => id as string);
  for (const id of Object.keys(notAudited)) expect(ids).toContain(id);
});

describe('no entry', () => {
  test.each(operations.filter(({ method }) => method === 'GET'))('$id reads', async (operation) => {
    const valid = await requests.valid(operation);
    expect(await entriesOf(async () => void (await requests.send(toSend(valid))))).toEqual([]);
  });
});
