import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../scripts/contract/source.ts';
import { exposedHeaders } from '../../scripts/mock/cross-origin.ts';
import { ListenError } from '../../server/http-server/index.ts';
import { ConfigError, readConfig } from '../../server/src/config.ts';
import { openMetrics } from '../../server/src/observability/metrics.ts';
import { unknownSettings } from '../../server/src/unknown-settings.ts';
import { api } from '../support/api.ts';
import { theContract } from '../support/contract.ts';

const proxy = '127.0.0.2';
const { baseUrl, clock } = await api({
  budgets: { requests: 1000, uploads: 1000, signIns: 2 },
  trustedProxies: [proxy, '10.0.0.0/8'],
});

/** Tries to sign in so many times from an address of this machine. */
async function signIns(localAddress: string, ...forwarded: (string | undefined)[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const addresses of forwarded) {
    const headers = {
      'Content-Type': 'application/json',
      ...(addresses !== undefined && { 'X-Forwarded-For': addresses }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    request(`${baseUrl}/auth/authorize`, { method: 'POST', localAddress, headers, agent: false })
      .on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
      .on('error', reject)
      .end('{"key":"wrpk_x","secret":"guess"}');
    statuses.push(await promise);
  }
  clock.forward(60_000);
  return statuses;
}

describe('TRUSTED_PROXIES', () => {
  const ada = '203.0.113.1';
  const bo = '203.0.113.2';

  test('gives each address behind a trusted proxy a budget of its own', async () => {
    expect(await signIns(proxy, ada, ada, ada, bo)).toEqual([401, 401, 429, 401]);
  });

  test('uses the right-most address that is not trusted, and ignores addresses left of it', async () => {
    const forged = [`1.1.1.1, ${ada}`, `2.2.2.2, ${ada}, 10.1.2.3`, `3.3.3.3, ${ada}`];
    expect(await signIns(proxy, ...forged)).toEqual([401, 401, 429]);
  });

  test('counts for the proxy if it names no valid address', async () => {
    expect(await signIns(proxy, undefined, 'unknown', 'somebody else')).toEqual([401, 401, 429]);
  });

  test('ignores the header from anybody else', async () => {
    expect(await signIns('127.0.0.3', ada, bo, '203.0.113.3')).toEqual([401, 401, 429]);
  });

  const read = (text: string) => readConfig({ DATA_DIR: '/tmp', TRUSTED_PROXIES: text });

  test('accepts addresses, ranges and names, and is empty by default', () => {
    expect(read('').trustedProxies).toEqual([]);
    const entries = ['loopback', '192.0.2.7', '10.0.0.0/8', '2001:db8::/32', '::1'];
    expect(read(entries.join(', ')).trustedProxies).toEqual(entries);
  });

  test.each([
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0/8',
    'true',
    '1',
    'loopback/8',
    '::1/x',
    '/8',
  ])('reports an invalid value in one line: %s', (text) => {
    expect(() => read(`loopback,${text}`)).toThrow(ConfigError);
    expect(() => read(`loopback,${text}`)).toThrow(
      `TRUSTED_PROXIES must list addresses, ranges such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, not "${text}".`,
    );
  });
});

describe('WEBHOOK_ALLOW_PRIVATE', () => {
  const read = (text: string) =>
    readConfig({ DATA_DIR: '/tmp', WEBHOOK_ALLOW_PRIVATE: text }).allowPrivateTargets;

  test.each([
    ['', false],
    ['false', false],
    ['true', true],
    ['http://localhost:3000', ['http://localhost:3000']],
    ['http://127.0.0.1:3000, https://[::1]', ['http://127.0.0.1:3000', 'https://[::1]']],
  ])('%j is valid', (text, allowed) => {
    expect(read(text)).toEqual(allowed);
  });

  test.each([
    'yes',
    'TRUE',
    'localhost:3000',
    'http://localhost:3000/',
    'ws://localhost',
    'http://LOCALHOST',
  ])('%j is refused: neither a truth value nor an origin as browsers write it', (text) => {
    expect(() => read(text)).toThrow(
      `WEBHOOK_ALLOW_PRIVATE must list origins such as http://localhost:3000, or be true or false, not "${text}".`,
    );
  });
});

describe('CORS_ORIGINS', () => {
  const origin = { headers: { Origin: 'http://localhost:3000' } };

  test('lets scripts read every header that the contract declares, as the mock does', async () => {
    const { headers } = await fetch(`${baseUrl}/organizations/users`, origin);
    const exposed = headers.get('Access-Control-Expose-Headers')?.split(', ') ?? [];
    expect(exposed).toEqual(expect.arrayContaining(['Request-Id', 'RateLimit', 'Retry-After', 'ETag']));
    const { document } = await theContract();
    const byMock = exposedHeaders(document as Contract).split(', ');
    expect(byMock).toEqual([...exposed, 'Content-Length', 'Preference-Applied'].sort());
  });

  test.each(['/auth/webhooks/key/x', '/openapi.json', '/organizations/users'])(
    'sends Vary: Origin with and without an Origin: %s',
    async (path) => {
      for (const given of [{}, origin, { headers: { Origin: 'https://evil.example' } }]) {
        const { headers } = await fetch(`${baseUrl}${path}`, given);
        expect(headers.get('Vary')).toMatch(/^Origin\b/);
      }
    },
  );
});

describe('REFUSED_ATTEMPTS_PER_MINUTE', () => {
  const read = (text: string) => readConfig({ DATA_DIR: '/tmp', REFUSED_ATTEMPTS_PER_MINUTE: text });

  test.each(['0', '-1', '1.5', 'none', '1000001'])('reports a wrong value in one line: %s', (text) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(() => read(text)).toThrow(
      `REFUSED_ATTEMPTS_PER_MINUTE must be a whole number from 1 to 1000000, not "${text}".`,
    );
  });
});

test('BLOB_QUARANTINE_DAYS is 14 by default, and 1 to 3650', () => {
  const read = (days?: string) => readConfig({ DATA_DIR: '/tmp', BLOB_QUARANTINE_DAYS: days });
  expect(read().blobQuarantineDays).toBe(14);
  expect([read('1').blobQuarantineDays, read('3650').blobQuarantineDays]).toEqual([1, 3650]);
  for (const wrong of ['0', '3651', '1.5', '-1']) expect(() => read(wrong)).toThrow(ConfigError);
});

describe('S3_BUCKET', () => {
  const read = (settings: Record<string, string>) => readConfig({ DATA_DIR: '/tmp', ...settings }).s3;
  const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };

  test('is not set by default', () => {
    expect(read({})).toBeUndefined();
    expect(read({ AWS_REGION: 'eu-west-1', BLOB_DOWNLOADS: 'proxy', S3_PREFIX: '' })).toBeUndefined();
  });

  test('needs a region on AWS, and an address elsewhere', () => {
    const expected = { bucket: 'files', prefix: '', redirectsDownloads: false, credentials: undefined };
    const onAws = { ...expected, region: 'eu-west-1', endpoint: undefined, forcePathStyle: false };
    expect(read({ S3_BUCKET: 'files', S3_REGION: 'eu-west-1' })).toEqual(onAws);
    expect(read({ S3_BUCKET: 'files', AWS_REGION: 'eu-west-1' })).toEqual(onAws);
    expect(read({ S3_BUCKET: 'files', S3_ENDPOINT: 'https://s3.example/' })).toEqual({
      ...expected,
      region: 'us-east-1',
      endpoint: 'https://s3.example',
      forcePathStyle: true,
    });
  });

  test('takes keys, a prefix and more', () => {
    const others = { S3_PREFIX: '/team/platform', S3_FORCE_PATH_STYLE: 'true', BLOB_DOWNLOADS: 'redirect' };
    expect(() => read({ S3_BUCKET: 'files', S3_REGION: 'x', ...keys, ...others })).toThrow(ConfigError);
    others.S3_PREFIX = 'team/platform';
    expect(read({ S3_BUCKET: 'files', S3_REGION: 'x', ...keys, ...others })).toMatchObject({
      prefix: 'team/platform/',
      forcePathStyle: true,
      redirectsDownloads: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
  });

  test.each<[Record<string, string>, string]>([
    [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_BUCKET must be set, because S3_ENDPOINT is.'],
    [{ BLOB_DOWNLOADS: 'redirect' }, 'S3_BUCKET must be set, because BLOB_DOWNLOADS is redirect.'],
    [{ BLOB_DOWNLOADS: 's3' }, 'BLOB_DOWNLOADS must be one of redirect, proxy, not "s3".'],
    [{ S3_BUCKET: 'files' }, 'S3_REGION must be set, because S3_ENDPOINT is not.'],
    [{ S3_BUCKET: 'a/b' }, 'S3_BUCKET must be the name of a bucket, not "a/b".'],
    [
      { S3_BUCKET: 'files', S3_ENDPOINT: 's3.example' },
      'S3_ENDPOINT must be an http or https address, not "s3.example".',
    ],
    [
      { S3_BUCKET: 'files', S3_REGION: 'x', S3_ACCESS_KEY_ID: 'key' },
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, or neither of them.',
    ],
    [
      { S3_BUCKET: 'files', S3_REGION: 'x', S3_PREFIX: 'a//b' },
      'S3_PREFIX must be like "platform" or "team/platform", not "a//b".',
    ],
    [
      { S3_BUCKET: 'files', S3_REGION: 'x', S3_FORCE_PATH_STYLE: 'yes' },
      'S3_FORCE_PATH_STYLE must be one of true, false, not "yes".',
    ],
  ])('reports %j in one line', (settings, message) => {
    expect(() => read(settings)).toThrow(ConfigError);
    expect(() => read(settings)).toThrow(message);
  });
});

test.each(['PUBLIC_URL', 'SANDBOX_PUBLIC_URL', 'LINK_BASE_URL'])(
  '%s is refused with a query or a fragment',
  (name) => {
    expect(() => readConfig({ [name]: 'https://api.example/v1/' })).not.toThrow();
    for (const url of ['https://api.example/?tenant=1', 'https://api.example/#v1'])
      expect(() => readConfig({ [name]: url })).toThrow(
        `${name} must be a URL without a query or a fragment, not "${url}".`,
      );
  },
);

describe('a host that this machine does not have', () => {
  // RFC 5737, and a link-local address without its interface (RFC 4007, section 6).
  test.each(['192.0.2.1', 'fe80::1'])('%s is reported with the setting', async (host) => {
    const listening = openMetrics().listen(host, 0);
    await expect(listening).rejects.toThrow(ListenError);
    await expect(listening).rejects.toThrow(`This machine has no address ${host}. Check METRICS_HOST.`);
  });
});

test('DATABASE_URL is refused if it names several hosts', () => {
  const read = (url: string) => readConfig({ DATABASE_URL: url }).databaseUrl;
  for (const url of ['postgres://ada:a,b@db.example/wrp', 'postgres://db.example/wrp?options=-c%20a=1,2'])
    expect(read(url)).toBe(url);
  for (const hosts of ['one:5432,two:5432', 'one,two'])
    expect(() => read(`postgres://ada:secret@${hosts}/wrp`)).toThrow(
      'DATABASE_URL must name one host: an address that follows the primary.',
    );
});

const guide = readFileSync('spec/guides/operations.md', 'utf8');
const [, table = ''] = /^## Settings\n(.*)/ms.exec(guide) ?? [];
const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(
  ([, names = '']) => names.match(/[A-Z0-9_]+/g) ?? [],
);

/** Their values are any text; what they refer to is checked at the start. */
const anyText = new Set([
  'BUILD_COMMIT',
  'DATA_DIR',
  'HOST',
  'METRICS_HOST',
  'RUN_AS',
  'S3_ACCESS_KEY_ID',
  'S3_REGION',
  'S3_SECRET_ACCESS_KEY',
  'SERVER_KEY_FILE',
  'SERVER_KEY_PREVIOUS_FILE',
]);

test.each(listed.filter((name) => !anyText.has(name)))(
  '%s is refused in one line if its value is wrong',
  (name) => {
    const valid = {
      S3_BUCKET: 'files',
      S3_REGION: 'x',
      SMTP_URL: 'smtp://localhost',
      MAIL_FROM: 'a@b.example',
    };
    for (const text of ['-1 ', 'no such value', '<>'.repeat(50)]) {
      const read = () => readConfig({ ...valid, [name]: text });
      expect(read).toThrow(ConfigError);
      expect(read).toThrow(new RegExp(`^.*${name}.+$`));
    }
  },
);

test.each<[Record<string, string>, string]>([
  [{ PORT: '9000', SANDBOX_PORT: '9000' }, 'PORT and SANDBOX_PORT are both 9000: they must differ.'],
  [{ PORT: '9000', METRICS_PORT: '9000' }, 'PORT and METRICS_PORT are both 9000: they must differ.'],
  [{ METRICS_PORT: '8081' }, 'SANDBOX_PORT and METRICS_PORT are both 8081: they must differ.'],
  [{ METRICS_PORT: '8080', HOST: '0.0.0.0' }, 'PORT and METRICS_PORT are both 8080: they must differ.'],
  [
    { SERVER_KEY: 'k'.repeat(43), SERVER_KEY_FILE: '/run/key' },
    'Set either SERVER_KEY or SERVER_KEY_FILE: both are set.',
  ],
  [
    { SERVER_KEY_PREVIOUS: 'k'.repeat(43), SERVER_KEY_PREVIOUS_FILE: '/run/key' },
    'Set either SERVER_KEY_PREVIOUS or SERVER_KEY_PREVIOUS_FILE: both are set.',
  ],
])('%j is refused in one line', (settings, line) => {
  expect(() => readConfig(settings)).toThrow(new ConfigError(line));
});

test('ports of different addresses, and free ports, may be equal', () => {
  for (const settings of [
    { METRICS_PORT: '8080', METRICS_HOST: '127.0.0.2' },
    { PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: '0' },
  ])
    expect(() => readConfig(settings)).not.toThrow();
});

describe('a misspelt setting', () => {
  test.each([
    ['PROT', 'PORT'],
    ['SERVER_KYE', 'SERVER_KEY'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['WRP_DATABASE_URL', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['SMTP_URI', 'SMTP_URL'],
    ['S3_BUCKETS', 'S3_BUCKET'],
  ])('%s gets a warning that names %s', (name, near) => {
    expect(unknownSettings({ [name]: '1' })).toEqual([
      `${name} is no setting, and has no effect: ${near} is one.`,
    ]);
  });

  test('gets none if it is a setting, or has nothing to do with the platform', () => {
    const ours = Object.fromEntries(listed.map((name) => [name, '1']));
    const others = [
      'PATH HOME USER SHELL TERM LANG LC_ALL PWD OLDPWD TZ MAIL EDITOR HOSTNAME LOGNAME NODE_ENV NODE_OPTIONS',
      'AWS_REGION AWS_ACCESS_KEY_ID WRP_TOKEN WRP_SERVICE_HOST WRP_PORT_8080_TCP CI DEBUG PGHOST PGPORT SSH_TTY',
    ].flatMap((names) => names.split(' '));
    const values = Object.fromEntries(others.map((name) => [name, '1']));
    expect(unknownSettings({ ...ours, ...values, WRP_PORT: 'tcp://10.0.0.1:8080' })).toEqual([]);
    expect(unknownSettings({ WRP_THEME: 'dark' })).toEqual(['WRP_THEME is no setting, and has no effect.']);
  });
});

test('the guide to operations lists every setting, and no other', () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  expect(listed.sort()).toEqual([...read].sort());
});
