import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { podman, run, standIn } from './containers.ts';

const root = resolve(import.meta.dirname, '../..');
const containerfile = readFileSync(join(root, 'server/Containerfile'), 'utf8');
const [, base = ''] = /^FROM (\S+)$/m.exec(containerfile) ?? [];
const compose = readFileSync(join(root, 'server/operations/compose.yaml'), 'utf8');
const { server: service } = parse(compose, { merge: true }).services;
/** What compose confines its processes to. */
const confined = [
  ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
  ...service.tmpfs.flatMap((path: string) => ['--tmpfs', path]),
  ...service.cap_drop.flatMap((name: string) => ['--cap-drop', name]),
  ...service.security_opt.flatMap((option: string) => ['--security-opt', option.replace(':true', '')]),
];

/** The value that a script prints in a container of the image. */
const evaluated = async (script: string) =>
  JSON.parse(await run('--rm', ...confined, '--entrypoint', 'node', 'wrp', '--print', script));

/** An empty database at a port of this machine: the PostgreSQL of the tests listens on a socket that only it may use. */
async function databaseAtPort(): Promise<string> {
  const { connectionString } = await cloneDatabase('postgres:///template0');
  const url = new URL(connectionString);
  const path = `${url.searchParams.get('host')}/.s.PGSQL.5432`;
  const server = createServer((client) => {
    const upstream = connect(path);
    pipeline(client, upstream, client).catch(() => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(() => void server.close());
  return `postgres://wrp@127.0.0.1:${(server.address() as AddressInfo).port}${url.pathname}`;
}

describe('the container image', { timeout: scaledTimeout(120_000) }, () => {
  let missing: string | undefined;
  beforeAll(async () => {
    missing = await standIn(base);
    if (missing) return console.log(`The container image is not tested: ${missing}.`);
    const build = ['--file', 'server/Containerfile', '--build-arg', 'VERSION=3.3.0', '--tag', 'wrp', root];
    const here = ['--isolation', 'chroot', '--network', 'host', '--pull=never', '--layers=false'];
    await podman('build', '--format', 'docker', ...here, ...build);
  }, scaledTimeout(600_000));
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('adds little to its base, and lists the packages in it, none of which ran code', async () => {
    const [[image], [node]] = await Promise.all(
      ['wrp', base].map(async (name) => JSON.parse(await podman('image', 'inspect', name))),
    );
    const added = Math.round((image.Size - node.Size) / 1e6);
    console.log(`The container image has ${added} MB besides its base.`);
    expect(added).toBeLessThan(130);
    expect(image.Labels).toMatchObject({ 'org.opencontainers.image.version': '3.3.0' });

    const ignored = await run(
      '--rm',
      ...confined,
      '--entrypoint',
      'npm',
      'wrp',
      'config',
      'get',
      'ignore-scripts',
    );
    expect(ignored).toBe('true');
    const { components } = await evaluated("fs.readFileSync('sbom.json', 'utf8')");
    const installed = await evaluated(
      `JSON.stringify(fs.globSync('{node_modules,*/**/node_modules}/{*,@*/*}/package.json')
        .map((path) => JSON.parse(fs.readFileSync(path, 'utf8')))
        .flatMap(({ name, version }) => name.startsWith('@wrp/') ? [] : [name + '@' + version]))`,
    );
    const listed = components.map(
      (each: { name: string; version: string }) => `${each.name}@${each.version}`,
    );
    expect(installed.length).toBeGreaterThan(100);
    expect(listed.sort()).toEqual(installed.sort());
  });

  test('serves and works as compose runs it, and ends without dropping a request', async () => {
    const files = join(temporaryRoot(), 'container-files');
    await mkdir(files);
    await chown(files, 1000, 1000);
    const [port, sandboxPort, metricsPort, workerPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      DATABASE_URL: await databaseAtPort(),
      SERVER_KEY: 'test'.repeat(11),
      DATA_DIR: '/files',
      PORT: port,
      SANDBOX_PORT: sandboxPort,
      METRICS_PORT: metricsPort,
      PUBLIC_URL: url,
      SANDBOX_PUBLIC_URL: `http://127.0.0.1:${sandboxPort}`,
    };
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const wrp = (options: string[], ...args: string[]) =>
      run(...confined, '--volume', `${files}:/files`, ...variables, ...options, 'wrp', ...args);
    await wrp(['--detach', '--name', 'server']);
    await wrp(['--detach', '--name', 'worker', '--env', `METRICS_PORT=${workerPort}`], 'work');
    const healthy = async (name: string) => {
      const error = await podman('healthcheck', 'run', name).catch((failure) => failure);
      const running = await podman('inspect', '--format', '{{.State.Running}}', name);
      expect(running, `${error.stderr} ${await podman('logs', name)}`).toBe('true');
      return !(error instanceof Error);
    };
    await until(async () => (await healthy('server')) && (await healthy('worker')));
    await until(() =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );

    const status = await podman(
      'exec',
      'server',
      'node',
      '--print',
      "fs.readFileSync('/proc/1/status', 'utf8')",
    );
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    const write = podman('exec', 'server', 'node', '--eval', "fs.writeFileSync('/platform/new', '')");
    await expect(write).rejects.toThrow('EROFS');
    const portal = await fetch(`${url}/docs`);
    expect(portal.headers.get('content-type')).toMatch('text/html');
    expect(portal.status).toBe(200);

    const administer = (...args: string[]) => podman('exec', 'server', 'node', 'server/bin/wrp.js', ...args);
    await administer('apply', 'server/demo/platform.yaml');
    const who = [
      '--user',
      'astrid.alder@alderfinch.example',
      '--workspace',
      'Motor claims',
      '--name',
      'first',
    ];
    const { token } = JSON.parse(await administer('token', 'create', '--json', ...who));
    const headers = { Authorization: token, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ workflowDefinitionId: '4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a01' });
    const completed = (id: string) =>
      until(async () => {
        const execution = await fetch(`${url}/workflows/${id}`, { headers });
        return ((await execution.json()) as { status: string }).status === 'COMPLETED';
      });
    const started = await fetch(`${url}/workflows`, { method: 'POST', headers, body });
    await completed(((await started.json()) as { id: string }).id);

    // The rest of this request arrives when the server is about to end.
    const open = request(`${url}/workflows`, { method: 'POST', headers });
    open.write(body.slice(0, 10));
    const stop = ['stop', '--time', `${Number.parseInt(service.stop_grace_period, 10)}`];
    const stopped = podman(...stop, 'server');
    await until(async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status === 503);
    open.end(body.slice(10));
    const [response] = await once(open, 'response');
    expect(response.statusCode).toBe(200);
    expect(await json(response)).toMatchObject({ id: expect.any(String) });
    await stopped;
    await podman(...stop, 'worker');
    const codes = await podman('inspect', '--format', '{{.State.ExitCode}}', 'server', 'worker');
    expect(codes.split('\n')).toEqual(['0', '0']);
  });
});
