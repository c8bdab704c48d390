import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { type Process, startProcess } from '../../scripts/laboratory/resilience/platform.ts';
import { administer } from '../../server/postgres-client/index.ts';
import { demoPlatformFile } from '../../server/src/manifest/demo.ts';
import { demoFixtures } from '../../server/src/manifest/demo-fixtures.ts';
import { readPlatformFile } from '../../server/src/manifest/read.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { openNameServer } from './proxies/name-server.ts';
import { examples, startProxy, type Upstream } from './proxies/proxy-examples.ts';
import { sendTraffic } from './proxies/traffic.ts';

const program = resolve(import.meta.dirname, '../../server/src/cli/main.ts');
/** Between two disturbances: several times as long as it takes the proxies to notice one. */
const settleMilliseconds = 2_500;
const gibibyte = 2 ** 30;

describe.each(Object.entries(examples))('%s with its example', (_name, example) => {
  test.skipIf(!example.program)(
    'fails no request while servers start, drain and are replaced, and at most an upload or a POST when one is killed',
    { timeout: scaledTimeout(240_000) },
    async () => {
      const installation = await openInstallation();
      const { addresses, names, start, token, workflowDefinitionId } = installation;
      const [first, second, third] = addresses as [string, string, string];
      const servers = new Map<string, Process>();
      const begin = async (address: string) => {
        // As with containers, the name has the address before the server is ready.
        names.add(address);
        servers.set(address, await start(address));
      };
      const drain = async (address: string) => {
        expect(await servers.get(address)?.stop()).toBe(0);
        names.delete(address);
      };
      await Promise.all([first, second].map(begin));
      const { production: url } = await startProxy(example, installation);
      await until(async () => (await fetch(`${url}/readyz`)).ok);

      const traffic = sendTraffic({ url, token, workflowDefinitionId });
      const during = async (what: string, action: () => Promise<unknown>) => {
        await action();
        await sleep(settleMilliseconds);
        const { failures, sent } = traffic.take();
        expect(sent, what).toBeGreaterThan(20);
        return failures;
      };
      const replaced = async (address: string) => {
        await drain(address);
        await begin(address);
      };
      await sleep(settleMilliseconds);
      expect(await during('start of a third server', () => begin(third))).toEqual([]);
      expect(await during('drain of a server', () => drain(second))).toEqual([]);
      expect(await during('start of a server', () => begin(second))).toEqual([]);
      for (const address of addresses)
        expect(await during(`replacement of ${address}`, () => replaced(address))).toEqual([]);

      const killed = await during('kill of a server', async () => servers.get(third)?.kill());
      // Not repeated by any proxy: it cannot know whether the server has carried it out. A retry with a key is safe.
      const unavoidable = ['upload', 'POST', ...(example.repeatsPosts ? [] : ['POST with a key'])];
      expect(killed.filter(({ kind }) => !unavoidable.includes(kind))).toEqual([]);
      expect(await during('restart of the killed server', () => begin(third))).toEqual([]);

      await traffic.stop();
      const rows = await installation.query('select id from production.executions');
      const stored = new Set(rows.map(({ id }) => id));
      expect(traffic.acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      expect(new Set(traffic.acknowledged).size).toBe(traffic.acknowledged.length);
      // Nothing was carried out twice.
      expect(stored.size).toBeLessThanOrEqual(traffic.starts());

      await installation.allowConnections(false);
      const refused = await until(async () => {
        const response = await fetch(`${url}/organizations/users`, { headers: { Authorization: token } });
        return response.status === 503 && response;
      });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ errors: [{ code: 'service_unavailable' }] });
      await installation.allowConnections(true);
      await until(async () => (await fetch(`${url}/readyz`)).ok);
    },
  );

  test.skipIf(!example.program)(
    'streams a body of 5 GiB, and replaces the X-Forwarded-For of the caller',
    async () => {
      const upstream = await openAddresses();
      const arrived = Promise.withResolvers<IncomingMessage>();
      const server = createServer((incoming, response) => {
        if (incoming.url === '/readyz') response.end();
        else incoming.once('data', () => arrived.resolve(incoming));
      });
      const [address = ''] = upstream.addresses;
      server.listen(upstream.ports.production, address);
      atEnd(() => {
        server.closeAllConnections();
        server.close();
      });
      upstream.names.add(address);
      const { production } = await startProxy(example, upstream);
      await until(async () => (await fetch(`${production}/readyz`)).ok);
      const upload = request(`${production}/resources`, {
        method: 'POST',
        // A file of 5 GiB and the rest of the form.
        headers: { 'Content-Length': 5 * gibibyte + 1_000, 'X-Forwarded-For': '203.0.113.7' },
      });
      const failed = new Promise<never>((_resolve, reject) => {
        upload.once('error', reject).once('response', ({ statusCode }) => reject(new Error(`${statusCode}`)));
      });
      upload.write('The beginning.');
      const { headers } = await Promise.race([arrived.promise, failed]);
      failed.catch(() => {});
      upload.destroy();
      expect(headers['x-forwarded-for']).toBe('127.0.0.1');
      expect(headers.host).toBe(new URL(production).host);
    },
  );
});

/** Addresses for three servers, and a name server that gives those in `names`. */
async function openAddresses(): Promise<Upstream & { names: Set<string> }> {
  const names = new Set<string>();
  const { port: nameServerPort } = await openNameServer(names);
  // All of 127.0.0.0/8 is this machine. A network of its own for each test, so that ports are free on all of them.
  const network = `127.${100 + Math.floor(Math.random() * 100)}.${Math.floor(Math.random() * 256)}`;
  const addresses = [1, 2, 3].map((host) => `${network}.${host}`);
  const ports = { production: await freePort(), sandbox: await freePort() };
  return { addresses, names, nameServerPort, ports };
}

/** An empty database, set up by this version of the platform, and what starts servers on it. */
async function openInstallation() {
  const administrator = inject('postgres');
  const upstream = await openAddresses();
  const name = `proxies_${crypto.randomUUID().replaceAll('-', '')}`;
  await administer(administrator, `create database ${name} owner wrp`);
  atEnd(() => administer(administrator, `drop database ${name} with (force)`));
  const url = new URL(administrator);
  url.username = 'wrp';
  url.pathname = name;
  const settings = {
    DATABASE_URL: url.href,
    DATA_DIR: mkdtempSync(join(temporaryRoot(), 'proxies-')),
    SERVER_KEY: 'test'.repeat(11),
    TRUSTED_PROXIES: 'loopback',
    PORT: String(upstream.ports.production),
    SANDBOX_PORT: String(upstream.ports.sandbox),
    RATE_LIMIT_PER_MINUTE: '1000000',
    UPLOAD_RATE_LIMIT_PER_MINUTE: '1000000',
  };
  const wrp = async (...args: string[]) => {
    const env = { PATH: process.env['PATH'], ...settings };
    const command = [program, ...args, '--json'];
    return JSON.parse((await promisify(execFile)(process.execPath, command, { env })).stdout);
  };
  await wrp('apply', demoPlatformFile);
  const { ownerId, ids } = demoFixtures(await readPlatformFile(demoPlatformFile), 'production');
  const credential = ['--user', ownerId, '--workspace', ids.workspaceId, '--name', 'proxies'];
  const { token } = (await wrp('token', 'create', ...credential)) as { token: string };
  const servers: Process[] = [];
  atEnd(() => Promise.all(servers.map((server) => server.kill())).then(() => {}));
  return {
    ...upstream,
    token,
    workflowDefinitionId: ids.definitions.echo,
    async start(address: string): Promise<Process> {
      const command = [process.execPath, program, 'serve'];
      const server = await startProcess(command, { ...settings, HOST: address });
      servers.push(server);
      return server;
    },
    async query(text: string): Promise<{ id: string }[]> {
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      const { rows } = await client.query(text).finally(() => client.end());
      return rows;
    },
    async allowConnections(allowed: boolean): Promise<void> {
      await administer(administrator, `alter database ${name} allow_connections ${allowed}`);
      if (!allowed)
        await administer(
          administrator,
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
    },
  };
}
