import { createHash, randomUUID } from 'node:crypto';
import express, { type RequestHandler } from 'express';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { serveLocally } from '../../../command-line/local-server.ts';
import { serveFunctions } from '../child.ts';

const [, , connection = ''] = process.argv;
const queue = 'bench-starts';
let roundTrips = 0;

class CountingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own overloads
  override query(...args: any[]): any {
    roundTrips += 1;
    return super.query(...(args as [string]));
  }
}

const pool = new pg.Pool({
  connectionString: connection,
  max: 10,
  Client: CountingClient,
  options: '-c search_path=production',
});
const boss = new PgBoss({ connectionString: connection, schema: 'bench_starts', max: 2, supervise: false });
boss.on('error', (error) => console.error(error.message));
await boss.start();
await boss.createQueue(queue);
await pool.query(
  'create table if not exists bench_starts.executions (id uuid primary key, organization_id uuid, parameters json, created_at timestamptz default now())',
);
roundTrips = 0;

const caller = {
  name: 'caller',
  text: `select u.id, u.organization_id, r.name in ('owner', 'admin') or exists (
      select from memberships m join role_permissions p on p.role_id = m.role_id
      where m.user_id = u.id and p.relation = $2 and p.resource_type = 'organization'
        and p.resource_id = u.organization_id) as permitted
    from organization_tokens t join users u on u.id = t.user_id join organization_roles r on r.id = u.role_id
    where t.sha256 = $1 and t.revoked_at is null and u.status = 'ACTIVE'`,
};
const user = { name: 'user', text: 'select * from users where organization_id = $1 and id = $2' };
const userAlone = { name: 'user-alone', text: 'select * from users where id = $1' };
const page = {
  name: 'page',
  text: `select (select count(*) from users where organization_id = $1) as total, u.* from users u
    where organization_id = $1 order by created_at, id limit $2 offset $3`,
};
const update = {
  name: 'update',
  text: `update users set first_name = $3, last_name = $4, title = $5 where organization_id = $1 and id = $2
    returning *`,
};
const start = {
  name: 'start',
  text: 'insert into bench_starts.executions (id, organization_id, parameters) values ($1, $2, $3)',
};

const identify: RequestHandler = async (request, response, next) => {
  const sha256 = createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest();
  const { rows } = await pool.query({ ...caller, values: [sha256, 'can_manage_users'] });
  if (rows.length === 0) return void response.status(401).json({ error: 'unknown' });
  if (!rows[0].permitted) return void response.status(403).json({ error: 'denied' });
  response.locals['organizationId'] = rows[0].organization_id;
  next();
};

async function inTransaction<Result>(change: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await change(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const app = express().use(express.json());
app.get('/users/:userId', async (request, response) => {
  const { rows } = await pool.query({ ...userAlone, values: [request.params.userId] });
  response.json(shown(rows[0]));
});
app.get('/permitted-users/:userId', identify, async (request, response) => {
  const { organizationId } = response.locals;
  const { rows } = await pool.query({ ...user, values: [organizationId, request.params['userId']] });
  response.json(shown(rows[0]));
});
app.get('/users', identify, async (request, response) => {
  const [number, size] = [Number(request.query['page']), Number(request.query['size'])];
  const { rows } = await pool.query({
    ...page,
    values: [response.locals['organizationId'], size, number * size],
  });
  const total = Number(rows[0]?.total ?? 0);
  response.json({
    content: rows.map(shown),
    totalElements: total,
    totalPages: Math.ceil(total / size),
    size,
    number,
  });
});
app.put('/users/:userId/profile', identify, async (request, response) => {
  const { firstName, lastName, title } = request.body;
  const values = [response.locals['organizationId'], request.params['userId'], firstName, lastName, title];
  const { rows } = await inTransaction((client) => client.query({ ...update, values }));
  response.json(shown(rows[0]));
});
app.post('/executions', identify, async (request, response) => {
  const id = randomUUID();
  const { organizationId } = response.locals;
  await inTransaction(async (client) => {
    const parameters = JSON.stringify(request.body.parameters);
    await client.query({ ...start, values: [id, organizationId, parameters] });
    const executeSql = (text: string, values?: unknown[]) => client.query(text, values);
    await boss.send(queue, { id }, { db: { executeSql } });
  });
  response.json({ id, organizationId, parameters: request.body.parameters, status: 'RUNNING' });
});

function shown(row: pg.QueryResultRow | undefined) {
  if (!row) return undefined;
  const createdDateTime = row['created_at'];
  return {
    id: row['id'],
    email: row['email'],
    idpId: row['idp_id'],
    roleId: row['role_id'],
    profile: {
      id: row['profile_id'],
      firstName: row['first_name'],
      lastName: row['last_name'],
      title: row['title'],
      organizationId: row['organization_id'],
      roleId: row['role_id'],
      status: row['status'],
      createdDateTime,
      lastSignedInAt: row['last_signed_in_at'],
    },
    createdDateTime,
  };
}

// Connections stay open while the platform is measured.
const server = await serveLocally(app, { keepAliveTimeout: 0 });

/**
 * What someone would write by hand with Express and the driver, on the platform's database: prepared statements, the same
 * checks of the caller, nothing validated, no events.
 */
export type ExpressFunctions = typeof functions;
const functions = {
  port: () => server.port,
  roundTrips: () => roundTrips,
  /** Microseconds so far. */
  processorTime() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
};
serveFunctions(functions, async () => {
  server[Symbol.dispose]();
  await boss.stop({ graceful: false });
  await pool.end();
});
