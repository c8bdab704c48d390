import { rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { cloneDatabase } from '../../support/postgres.ts';
import { atEnd } from '../../support/temporary.ts';

/** A failure of a dependency that a sweep causes and undoes. */
export interface Fault {
  begin(): Promise<void>;
  end(): Promise<void>;
}

/** A database of this test alone, which the platform reaches through a connection that the test can cut. */
export interface FragileDatabase {
  /** For the platform. */
  url: string;
  /** Bypasses that connection. */
  query(statement: string): Promise<void>;
  line: Fault;
  /** A connection breaks once the server has committed a transaction, before the platform knows. */
  confirmation: Fault;
}

export async function fragileDatabase(): Promise<FragileDatabase> {
  const cloned = await cloneDatabase();
  const server = new URL(cloned.connectionString);
  const directory = server.searchParams.get('host');
  const port = server.searchParams.get('port') ?? (server.port || '5432');
  const sockets = new Set<Socket>();
  let isConfirmationLost = false;
  const loseConfirmation = async (lost: boolean) => {
    isConfirmationLost = lost;
  };
  const proxy = createServer((incoming) => {
    const outgoing = directory
      ? connect(join(directory, `.s.PGSQL.${port}`))
      : connect(Number(port), server.hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    incoming.pipe(outgoing);
    outgoing.on('close', () => incoming.destroy());
    incoming.on('close', () => outgoing.destroy());
    outgoing.on('data', (data) => {
      // The tag of CommandComplete.
      if (isConfirmationLost && data.includes('COMMIT\0')) outgoing.destroy();
      else incoming.write(data);
    });
  });
  const listen = (at: number) => new Promise<void>((resolve) => proxy.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const { port: localPort } = proxy.address() as { port: number };
  const direct = new pg.Client({ connectionString: cloned.connectionString });
  await direct.connect();
  const cut = async () => {
    const closed = new Promise((resolve) => proxy.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  atEnd(async () => {
    await direct.end();
    if (proxy.listening) await cut();
  });
  const url = new URL(cloned.connectionString);
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String(localPort);
  return {
    url: url.href,
    query: async (statement) => void (await direct.query(statement)),
    line: { begin: cut, end: () => listen(localPort) },
    confirmation: { begin: () => loseConfirmation(true), end: () => loseConfirmation(false) },
  };
}

/** Tables without their columns, as after a failed migration. A table that is not seen at all may lack rights. */
export function columnsLost({ query }: FragileDatabase, ...tables: string[]): Fault {
  const each = (statement: (table: string) => string) => query(tables.map(statement).join(';'));
  return {
    begin: () =>
      each(
        (table) =>
          `alter table production.${table} rename to ${table}_kept; create table production.${table} ()`,
      ),
    end: () =>
      each(
        (table) => `drop table production.${table}; alter table production.${table}_kept rename to ${table}`,
      ),
  };
}

/** A directory that can be neither read nor written. */
export function directoryLost(directory: string): Fault {
  const aside = `${directory}.lost`;
  return {
    async begin() {
      await rename(directory, aside);
      await writeFile(directory, '');
    },
    async end() {
      await rm(directory);
      await rename(aside, directory);
    },
  };
}
