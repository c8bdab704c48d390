import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectionShares } from '../../server/src/store/connections.ts';
import type { Database } from '../../server/src/store/database.ts';
import { api } from '../support/api.ts';
import { hangBound } from '../support/hang-bound.ts';
import { responseOf } from '../support/responses.ts';
import { blockedBy, until } from '../support/waiting.ts';

const databaseConnections = 30;
const { database, world, owner, given, log, ports } = await api({ databaseConnections });
/** The platform's connections for requests. */
const poolSize = connectionShares('all', databaseConnections).production.requests;
const organizationId = world.organization.id;

/** Does something while a transaction holds the lock that all changes of roles need. */
function whileLocked<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result> {
  return database.transaction().execute(async (transaction) => {
    await sql`select from organizations where id = ${organizationId} for update`.execute(transaction);
    return work(transaction);
  });
}

describe('when all connections to the database are in use', () => {
  test('150 requests wait for a second at most: 503 service_unavailable with Retry-After', async () => {
    const params = { path: { userId: world.member.id } };
    const body = { roleId: world.organization.roles.member };
    const change = async () => {
      const startedAt = performance.now();
      const { status, headers } = await responseOf(
        owner.PUT('/organizations/users/{userId}/role', { params, body }),
      );
      return { status, retryAfter: headers.get('Retry-After'), milliseconds: performance.now() - startedAt };
    };
    const { refused, others } = await whileLocked(async (transaction) => {
      const others = Array.from({ length: poolSize - 1 }, change);
      await until(async () => (await blockedBy(transaction)) === poolSize - 1, { interval: 10 });
      return { refused: await Promise.all(Array.from({ length: 150 }, change)), others };
    });
    for (const { status, retryAfter, milliseconds } of refused) {
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' });
      expect(milliseconds).toBeLessThan(hangBound(3_000));
    }
    // The changes that had a connection.
    for (const { status } of await Promise.all(others)) expect(status).toBe(200);
    // Overload is no error of the platform.
    expect(log.filter(({ msg }) => msg === 'failed')).toEqual([]);
  });
});

describe('a request whose client has gone', () => {
  test('is not carried out once it gets a connection', async () => {
    const connectionsHeld = Promise.withResolvers<void>();
    const user = await given.user({ organization: world.organization });
    const held = Array.from({ length: poolSize }, () =>
      database.transaction().execute(() => connectionsHeld.promise),
    );
    const sending = request({
      port: ports.production,
      method: 'POST',
      path: `/organizations/users/${user.id}/terminate`,
      headers: { Authorization: world.owner.token },
    });
    const gone = new Promise((resolve) => sending.once('error', resolve));
    sending.end();
    // Time for the request to arrive, less than it waits for a connection.
    await sleep(300);
    sending.destroy(new Error('The client gives up.'));
    await gone;
    // Time for the end of the connection to arrive.
    await sleep(100);
    connectionsHeld.resolve();
    await Promise.all(held);
    const entry = await until(() => log.find(({ operationId }) => operationId === 'terminateUser'));
    expect(entry).toMatchObject({ status: 499, aborted: true });
    const { status } = await database
      .selectFrom('users')
      .select('status')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('ACTIVE');
  });
});
