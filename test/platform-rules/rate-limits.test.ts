import { request } from 'node:http';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { bodyOf, expectRefusal, type ReadResponse, responseOf } from '../support/responses.ts';

const budgets = { requests: 20, uploads: 3, signIns: 4 };
/** Processes lease blocks of a tenth of the budget. */
const block = 2;

const shared = await cloneDatabase();
const platform = await api({ budgets, databaseUrl: shared.connectionString });
const { actor, anonymous, world, given, database, clock, baseUrl } = platform;
const { workspace } = world;

type Actor = typeof anonymous;
const list = (client: Actor) => client.GET('/organizations/workspaces');
const upload = (client: Actor) => client.POST('/resources', { body: { file: new File(['x'], 'x') } });

/** An unused token, with its whole budget. */
async function newToken(user: { id: string } = world.owner): Promise<string> {
  return given.token({ user, homeWorkspace: workspace });
}
const newCaller = async () => actor(await newToken());

/** Makes a number of calls, one after the other. */
async function calls(count: number, call: () => Promise<{ response: Response }>): Promise<ReadResponse[]> {
  const responses = [];
  for (let made = 0; made < count; made++) responses.push(await responseOf(call()));
  return responses;
}
const statuses = (responses: ReadResponse[]) => responses.map(({ status }) => status);
const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

describe('the budget of a token', () => {
  test('allows exactly as many requests a minute as configured', async () => {
    const caller = await newCaller();
    expect(statuses(await calls(20, () => list(caller)))).toEqual(times(20, 200));
    await expectRefusal(list(caller), 429, 'rate_limit_exceeded');
    await expectRefusal(list(caller), 429, 'rate_limit_exceeded');
  });

  test('allows exactly as many concurrent requests', async () => {
    const caller = await newCaller();
    const responses = await Promise.all(Array.from({ length: 35 }, () => responseOf(list(caller))));
    expect(statuses(responses).sort()).toEqual([...times(20, 200), ...times(15, 429)]);
  });

  test('is sent with every response, and Retry-After with a refusal', async () => {
    const caller = await newCaller();
    clock.forward(60_000 - (clock.now().getTime() % 60_000) + 15_000);
    const responses = await calls(20, () => list(caller));
    const seen = responses.map(({ headers }) => [headers.get('RateLimit-Policy'), headers.get('RateLimit')]);
    expect(seen).toEqual(
      responses.map((_, used) => ['"requests";q=20;w=60', `"requests";r=${19 - used};t=45`]),
    );
    clock.forward(500);
    const { headers } = await expectRefusal(list(caller), 429, 'rate_limit_exceeded');
    expect(headers.get('Retry-After')).toBe('45');
    expect(headers.get('RateLimit')).toBe('"requests";r=0;t=45');
    expect(headers.get('RateLimit-Policy')).toBe('"requests";q=20;w=60');
  });

  test('is whole again after Retry-After', async () => {
    const caller = await newCaller();
    await calls(20, () => list(caller));
    const { headers } = await expectRefusal(list(caller), 429, 'rate_limit_exceeded');
    clock.forward(Number(headers.get('Retry-After')) * 1000);
    expect(statuses(await calls(20, () => list(caller)))).toEqual(times(20, 200));
    await expectRefusal(list(caller), 429, 'rate_limit_exceeded');
  });

  test('is separate from other tokens of the user and the organization', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    await calls(21, () => list(one));
    await bodyOf(200, list(other));
  });

  test('is also used by a request whose content is refused', async () => {
    const caller = await newCaller();
    const refused = await calls(20, () =>
      caller.GET('/organizations/users', { params: { query: { size: 0 } } }),
    );
    expect(statuses(refused)).toEqual(times(20, 400));
    expect(refused[19]?.headers.get('RateLimit')).toMatch(/^"requests";r=0;/);
    await expectRefusal(list(caller), 429, 'rate_limit_exceeded');
  });

  test('does not apply without a caller: documents, links, health', async () => {
    for (let made = 0; made < 30; made++) {
      const response = await fetch(`${baseUrl}/openapi.json`);
      await response.body?.cancel();
      expect(response.status).toBe(200);
    }
  });
});

describe('uploads', () => {
  test('have a budget of their own in addition to that of all requests', async () => {
    const caller = await newCaller();
    const [first] = await calls(1, () => upload(caller));
    expect(first?.headers.get('RateLimit-Policy')).toBe('"requests";q=20;w=60, "uploads";q=3;w=60');
    expect(first?.headers.get('RateLimit')).toMatch(/^"requests";r=19;t=\d+, "uploads";r=2;t=\d+$/);
    expect(statuses(await calls(2, () => upload(caller)))).toEqual([201, 201]);
    const { headers } = await expectRefusal(upload(caller), 429, 'rate_limit_exceeded');
    expect(headers.get('RateLimit-Policy')).toBe('"uploads";q=3;w=60');
    await bodyOf(200, list(caller));
  });

  test('share one budget across operations', async () => {
    const caller = await newCaller();
    const path = { tableId: world.table.id, recordId: world.record.id };
    const attach = () =>
      caller.POST('/tables/{tableId}/records/{recordId}/attachments', {
        params: { path },
        body: { file: new File(['x'], 'x') },
      });
    expect(statuses([...(await calls(2, attach)), ...(await calls(1, () => upload(caller)))])).toEqual(
      times(3, 201),
    );
    await expectRefusal(attach(), 429, 'rate_limit_exceeded');
  });
});

describe('sign-ins', () => {
  /** Requests tokens from another address of this machine. */
  const signInFrom = (localAddress: string, path = '/auth/authorize') =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const sent = request(
        `${baseUrl}${path}`,
        { method: 'POST', localAddress, headers, agent: false },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject).end('{"key":"wrpk_x","secret":"guess"}');
    });

  test('have a budget per address, which failed attempts use, too', async () => {
    const apiKey = await given.apiKey({ user: world.member, homeWorkspace: workspace });
    const guess = () => anonymous.POST('/auth/authorize', { body: { ...apiKey, secret: 'guess' } });
    const [first] = await calls(1, guess);
    expect(first?.headers.get('RateLimit-Policy')).toBe('"sign-ins";q=4;w=60');
    expect(first?.headers.get('RateLimit')).toMatch(/^"sign-ins";r=3;t=\d+$/);
    expect(statuses(await calls(2, guess))).toEqual([401, 401]);
    await expectRefusal(
      anonymous.POST('/auth/refresh', { body: { refreshToken: 'x' } }),
      401,
      'credentials_invalid',
    );
    const { headers } = await expectRefusal(
      anonymous.POST('/auth/authorize', { body: apiKey }),
      429,
      'rate_limit_exceeded',
    );
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    await bodyOf(200, list(await newCaller()));
    clock.forward(60_000);
    await bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey }));
  });

  test('of one address do not use the budget of another', async () => {
    const seen = [];
    for (let made = 0; made < 5; made++) seen.push(await signInFrom('127.0.0.2'));
    expect(seen).toEqual([401, 401, 401, 401, 429]);
    expect(await signInFrom('127.0.0.3')).toBe(401);
  });
});

describe('two platforms on one database', () => {
  test('share a budget, up to a block for each of them', async () => {
    const { dataDirectory } = platform;
    const second = await api({ budgets, databaseUrl: shared.connectionString, dataDirectory });
    second.clock.forward(clock.now().getTime() - second.clock.now().getTime());
    const token = await newToken();
    const [here, there] = [actor(token), second.actor(token)];
    const seen: number[] = [];
    for (let round = 0; round < 20; round++) {
      for (const caller of [here, there]) seen.push(...statuses(await calls(1, () => list(caller))));
    }
    expect(seen.slice(-2)).toEqual([429, 429]);
    const taken = seen.filter((status) => status === 200).length;
    expect(taken).toBeGreaterThanOrEqual(20);
    expect(taken).toBeLessThanOrEqual(20 + 2 * block);
  });
});

describe('without leases', () => {
  test('each process counts by itself, and no caller waits', async () => {
    const caller = await newCaller();
    await sql`alter table rate_leases rename to rate_leases_away`.execute(database);
    try {
      expect(statuses(await calls(20, () => list(caller)))).toEqual(times(20, 200));
      await expectRefusal(list(caller), 429, 'rate_limit_exceeded');
    } finally {
      await sql`alter table rate_leases_away rename to rate_leases`.execute(database);
    }
  });
});
