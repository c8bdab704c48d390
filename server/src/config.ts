import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import type { S3Settings } from '../blobs/index.ts';
import { isMailAddress } from './domain/mail-addresses.ts';
import { problemOfWebhookUrl } from './domain/webhooks.ts';
import { leastConnections, type Role } from './store/connections.ts';

export type EnvironmentName = 'production' | 'sandbox';
export const environmentNames = ['production', 'sandbox'] as const satisfies EnvironmentName[];

/** All settings, validated. */
export type Config = ReturnType<typeof readConfig>;

/** Retention periods in days. */
export type Retention = Config['retention'];

/** An invalid setting. The message is one line for the operator. */
export class ConfigError extends Error {}

/** In the project directory, whatever the working directory, so that `npm start` and `wrp` use the same one. */
const defaultDataDirectory = resolve(import.meta.dirname, '../../.data');
const gibibyte = 2 ** 30;
/** Express's names for the ranges of RFC 1122, 3927, 4291, 1918 and 4193. */
const namedRanges = ['loopback', 'linklocal', 'uniquelocal'];
const proxyExamples = `addresses, ranges such as 10.0.0.0/8, or ${namedRanges.join(', ')}`;

/** The values of MCP_CALLS. */
const mcpCalls: Record<string, readonly EnvironmentName[]> = {
  sandbox: ['sandbox'],
  all: environmentNames,
  none: [],
};

/** Without effect unless S3_BUCKET is set. */
const s3Names = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PREFIX',
  'S3_FORCE_PATH_STYLE',
];

/**
 * Reads the settings from environment variables. Nothing else reads them.
 *
 * @throws ConfigError that names the variable and its valid values
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const ports = { production: port(env, 'PORT', 8080), sandbox: port(env, 'SANDBOX_PORT', 8081) };
  const host = env['HOST'] || '127.0.0.1';
  const metricsHost = env['METRICS_HOST'] || '127.0.0.1';
  const metricsPort = env['METRICS_PORT'] ? port(env, 'METRICS_PORT', 0) : undefined;
  const isOneAddress = [host, '0.0.0.0', '::'].includes(metricsHost) || ['0.0.0.0', '::'].includes(host);
  refuseEqual({
    PORT: ports.production,
    SANDBOX_PORT: ports.sandbox,
    ...(isOneAddress && { METRICS_PORT: metricsPort }),
  });
  const limit = (name: string, fallback: number) => integer(env, name, fallback, 1, 1_000_000);
  const days = (name: string, fallback: number) => integer(env, name, fallback, 1, 36_500);
  return {
    host,
    ports,
    /** The public URL of each environment, without a trailing slash; undefined: the address that it listens on. */
    publicUrls: { production: url(env, 'PUBLIC_URL'), sandbox: url(env, 'SANDBOX_PUBLIC_URL') },
    /** The URL before the token of a single-use link, without a trailing slash; undefined: the server's own. */
    linkBaseUrls: {
      production: url(env, 'LINK_BASE_URL'),
      sandbox: url(env, 'SANDBOX_LINK_BASE_URL'),
    },
    ...checkedPlaces(env),
    /** The maximum number of database connections of this process, of both environments together. */
    databaseConnections: integer(env, 'DATABASE_CONNECTIONS', 20, leastConnections, 1000),
    /** The bucket for files; undefined: the data directory. */
    s3: s3Settings(env),
    /** Requests per minute. */
    budgets: {
      requests: limit('RATE_LIMIT_PER_MINUTE', 600),
      uploads: limit('UPLOAD_RATE_LIMIT_PER_MINUTE', 60),
      signIns: limit('AUTH_RATE_LIMIT_PER_MINUTE', 20),
    },
    /** Refused attempts per minute and address. */
    refusedAttempts: limit('REFUSED_ATTEMPTS_PER_MINUTE', 60),
    /** Bytes. */
    uploadLimit: integer(env, 'MAX_UPLOAD_BYTES', 100 * 2 ** 20, 1, 5 * gibibyte),
    /** Maximum bytes of resources and attachments per organization; undefined: no limit. */
    storageQuota: storageQuota(env),
    retention: {
      /** Ended executions, after their result is deleted. */
      executions: days('EXECUTION_RETENTION_DAYS', 400),
      /** Single-use links, after they expired or were used. */
      links: days('LINK_RETENTION_DAYS', 90),
      /** Parameter sets, after their last use. */
      parameterSets: days('PARAMETER_SET_RETENTION_DAYS', 400),
      /** Resources, after their upload; undefined: forever. */
      resources: env['RESOURCE_RETENTION_DAYS'] ? days('RESOURCE_RETENTION_DAYS', 0) : undefined,
      /** Entries of the audit log. */
      audit: integer(env, 'AUDIT_RETENTION_DAYS', 400, 30, 36_500),
    },
    /** How long a client may take for each KiB of a body. */
    bodyIdleSeconds: integer(env, 'BODY_IDLE_SECONDS', 30, 1, 3600),
    /** How long a client may pause while it reads a response. */
    responseIdleSeconds: integer(env, 'RESPONSE_IDLE_SECONDS', 60, 1, 3600),
    /** How long requests are still accepted after a signal to stop. */
    shutdownGraceSeconds: integer(env, 'SHUTDOWN_GRACE_SECONDS', 1, 0, 600),
    attachmentLinkMinutes: integer(env, 'ATTACHMENT_LINK_MINUTES', 15, 1, 24 * 60),
    /** How long a file unknown to the database stays in quarantine. */
    blobQuarantineDays: blobQuarantineDays(env),
    /** Allowed browser origins, in addition to any port of this machine if `anyLocalOrigin`. */
    corsOrigins: list(env, 'CORS_ORIGINS', isOrigin, 'origins such as https://app.example'),
    anyLocalOrigin: !env['CORS_ORIGINS'],
    /** Proxies whose X-Forwarded-For is trusted: addresses, CIDR ranges, or names of `namedRanges`. */
    trustedProxies: list(env, 'TRUSTED_PROXIES', isAddressRange, proxyExamples),
    /** The environments in which agents may perform operations over MCP. */
    mcpCalls: mcpCalls[oneOf(env, 'MCP_CALLS', 'sandbox', Object.keys(mcpCalls))] ?? [],
    identityProviderUrl: url(env, 'IDENTITY_PROVIDER_URL'),
    /** The URL of the mail server; undefined: messages are written to files in the data directory. */
    smtpUrl: smtpUrl(env),
    /** The sender of messages. */
    mailFrom: mailFrom(env),
    /** Whether webhooks and workflow calls may go to private addresses: all, none, or those of these origins. */
    allowPrivateTargets: privateTargets(env),
    /** The URL for all events of the production demo organization; undefined: none. */
    demoWebhookUrl: webhookUrl(env, 'DEMO_WEBHOOK_URL'),
    /** At least 32 bytes as base64url; undefined: `serverKeyFile`. */
    serverKey: serverKey(env, 'SERVER_KEY'),
    /** A file with such a key; undefined: one in the data directory, which is created. */
    serverKeyFile: env['SERVER_KEY_FILE'] || undefined,
    otlp: otlpSettings(env),
    /** The key that is being replaced, or a file with it. */
    previousServerKey: serverKey(env, 'SERVER_KEY_PREVIOUS'),
    previousServerKeyFile: env['SERVER_KEY_PREVIOUS_FILE'] || undefined,
    logLevel: oneOf(env, 'LOG_LEVEL', 'info', ['silent', 'fatal', 'error', 'warn', 'info', 'debug']),
    /** The address to serve metrics on. */
    metricsHost,
    /** The port for metrics; undefined: none. */
    metricsPort,
    /** The commit that the metrics name; undefined: that of the clone. */
    buildCommit: env['BUILD_COMMIT'] || undefined,
  };
}

/** Spans and metrics for a collector of OpenTelemetry, whose packages read the other variables. */
function otlpSettings(env: NodeJS.ProcessEnv) {
  const enabled = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') && env['OTEL_SDK_DISABLED'] !== 'true';
  if (!enabled) return undefined;
  oneOf(env, 'OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', ['http/protobuf']);
  const samplers = ['always_on', 'always_off', 'traceidratio'];
  const known = [...samplers, ...samplers.map((name) => `parentbased_${name}`)];
  const samplerRatio = Number(env['OTEL_TRACES_SAMPLER_ARG'] || 1);
  if (!(samplerRatio >= 0 && samplerRatio <= 1))
    throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  return {
    sampler: oneOf(env, 'OTEL_TRACES_SAMPLER', 'parentbased_always_on', known),
    samplerRatio,
    spanDelayMilliseconds: integer(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000, 1, 600_000),
    metricIntervalMilliseconds: integer(env, 'OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100, 3_600_000),
  };
}

/** @throws ConfigError if two names have the same port */
function refuseEqual(ports: Record<string, number | undefined>): void {
  const named = Object.entries(ports).filter(([, port]) => port);
  for (const [name, port] of named) {
    const other = named.find(([, each]) => each === port)?.[0];
    if (other !== name) throw new ConfigError(`${other} and ${name} are both ${port}: they must differ.`);
  }
}

function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const text = env[name];
  if (!text) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, not "${text}".`);
}

/** @throws ConfigError */
export function storageQuota(env: NodeJS.ProcessEnv): number | undefined {
  const name = 'STORAGE_QUOTA_BYTES';
  return env[name] ? integer(env, name, 0, 1, 999_999_999_999_999) : undefined;
}

/** Also used by `wrp`. @throws ConfigError */
export function blobQuarantineDays(env: NodeJS.ProcessEnv): number {
  return integer(env, 'BLOB_QUARANTINE_DAYS', 14, 1, 3650);
}

/** Also used by `wrp`. @throws ConfigError */
export function s3Settings(env: NodeJS.ProcessEnv): S3Settings | undefined {
  const redirectsDownloads = oneOf(env, 'BLOB_DOWNLOADS', 'proxy', ['redirect', 'proxy']) === 'redirect';
  const bucket = env['S3_BUCKET'];
  if (!bucket) {
    const other = s3Names.find((name) => env[name]);
    const needing = redirectsDownloads ? 'BLOB_DOWNLOADS is redirect' : other && `${other} is`;
    if (needing) throw new ConfigError(`S3_BUCKET must be set, because ${needing}.`);
    return undefined;
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError(`S3_BUCKET must be the name of a bucket, not "${bucket}".`);
  }
  const endpoint = url(env, 'S3_ENDPOINT');
  const region = env['S3_REGION'] || env['AWS_REGION'] || (endpoint && 'us-east-1');
  if (!region) throw new ConfigError('S3_REGION must be set, because S3_ENDPOINT is not.');
  const [accessKeyId, secretAccessKey] = [env['S3_ACCESS_KEY_ID'], env['S3_SECRET_ACCESS_KEY']];
  if (Boolean(accessKeyId) !== Boolean(secretAccessKey)) {
    throw new ConfigError(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, or neither of them.',
    );
  }
  const given = env['S3_PREFIX'] ?? '';
  const prefix = given === '' || given.endsWith('/') ? given : `${given}/`;
  if (!/^([\w!.*'()-]+\/)*$/.test(prefix)) {
    throw new ConfigError(`S3_PREFIX must be like "platform" or "team/platform", not "${env['S3_PREFIX']}".`);
  }
  const pathStyle = oneOf(env, 'S3_FORCE_PATH_STYLE', String(Boolean(endpoint)), ['true', 'false']);
  return {
    bucket,
    endpoint,
    region,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    prefix,
    forcePathStyle: pathStyle === 'true',
    redirectsDownloads,
  };
}

function port(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  return integer(env, name, fallback, 0, 65535);
}

/** A URL to which a path can be appended. */
function url(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new ConfigError(`${name} must be an http or https address, not "${text}".`);
  }
  if (/[?#]/.test(text))
    throw new ConfigError(`${name} must be a URL without a query or a fragment, not "${text}".`);
  return text.replace(/\/+$/, '');
}

/** Unchanged: a trailing slash is part of the receiver's path. */
function webhookUrl(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  const problem = problemOfWebhookUrl(text);
  if (problem) throw new ConfigError(`${name} ${problem}.`);
  return text;
}

/** The location and account of the data, unchecked. `wrp` uses the same platform unless its options name another. */
export function dataPlaces(env: NodeJS.ProcessEnv) {
  const directory = env['DATA_DIR'];
  return {
    dataDirectory: directory ? resolve(env['INIT_CWD'] ?? '.', directory) : defaultDataDirectory,
    /** The connection string of an external PostgreSQL; undefined: the embedded one. */
    databaseUrl: env['DATABASE_URL'] || undefined,
    /** The account for the embedded PostgreSQL if the platform runs as root. */
    runAs: env['RUN_AS'] || undefined,
  };
}

/** The directory of an environment's files. */
export function blobDirectory(dataDirectory: string, environment: EnvironmentName): string {
  return join(dataDirectory, 'blobs', environment);
}

export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text);
}

/** The URL may contain a password, so messages never repeat it. */
function checkedPlaces(env: NodeJS.ProcessEnv) {
  const places = dataPlaces(env);
  const { databaseUrl } = places;
  if (databaseUrl !== undefined && !isDatabaseUrl(databaseUrl))
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://.');
  // The driver connects to one.
  if (/^[^/]+:\/\/(?:[^/?]*@)?([^/?@]*)/.exec(databaseUrl ?? '')?.[1]?.includes(','))
    throw new ConfigError('DATABASE_URL must name one host: an address that follows the primary.');
  return places;
}

/** The value may contain a password, so messages never repeat it. */
function smtpUrl(env: NodeJS.ProcessEnv): string | undefined {
  const text = env['SMTP_URL'];
  if (!text) return undefined;
  const parsed = URL.parse(text);
  if (/^smtps?:$/.test(parsed?.protocol ?? '') && parsed?.hostname) return text;
  throw new ConfigError('SMTP_URL must be like smtp://user:password@host:587 or smtps://host:465.');
}

function mailFrom(env: NodeJS.ProcessEnv): { name: string; address: string } {
  const text = env['MAIL_FROM']?.trim();
  const name = 'Workflow and Records Platform';
  if (!text && env['SMTP_URL']) {
    throw new ConfigError('MAIL_FROM must be set where SMTP_URL is, such as "Claims <claims@example.com>".');
  }
  if (!text) return { name, address: 'no-reply@localhost.invalid' };
  const [, named = '', bracketed] = /^"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  if (isMailAddress(address)) return { name: named.trim(), address };
  const example = '"Claims <claims@example.com>"';
  throw new ConfigError(`MAIL_FROM must be an address such as ${example}, not ${JSON.stringify(text)}.`);
}

function serverKey(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (env[`${name}_FILE`]) throw new ConfigError(`Set either ${name} or ${name}_FILE: both are set.`);
  if (/^[A-Za-z0-9_-]{43,}$/.test(text)) return text;
  throw new ConfigError(`${name} must be at least 32 random bytes as base64url (43 characters or more).`);
}

/**
 * Checks that a process shares what it must with the other processes of its database.
 *
 * @throws ConfigError that names the variable
 */
export function requireShared(config: Config, role: Exclude<Role, 'all'>): void {
  const { databaseUrl, serverKey, serverKeyFile, publicUrls } = config;
  const needs = (variables: string, reason: string) => {
    throw new ConfigError(`wrp ${role} needs ${variables}: ${reason}.`);
  };
  if (!databaseUrl) needs('DATABASE_URL', 'its processes share one database, which none of them runs');
  if (!serverKey && !serverKeyFile) needs('SERVER_KEY or SERVER_KEY_FILE', 'all processes share one key');
  if (role === 'work' && !(publicUrls.production && publicUrls.sandbox)) {
    needs('PUBLIC_URL and SANDBOX_PUBLIC_URL', 'messages and calls of workflows contain them');
  }
}

function list(
  env: NodeJS.ProcessEnv,
  name: string,
  isOne: (text: string) => boolean,
  what: string,
): string[] {
  const entries = (env[name] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  const wrong = entries.find((entry) => !isOne(entry));
  if (wrong !== undefined) throw new ConfigError(`${name} must list ${what}, not ${JSON.stringify(wrong)}.`);
  return entries;
}

function isOrigin(text: string): boolean {
  return URL.parse(text)?.origin === text;
}

function privateTargets(env: NodeJS.ProcessEnv): boolean | string[] {
  const name = 'WEBHOOK_ALLOW_PRIVATE';
  const text = env[name] || 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  const isHttpOrigin = (one: string) => /^https?:/.test(one) && isOrigin(one);
  return list(env, name, isHttpOrigin, 'origins such as http://localhost:3000, or be true or false');
}

/** The values of Express's `trust proxy`, without netmasks. */
function isAddressRange(text: string): boolean {
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (longest === 0) return namedRanges.includes(text);
  return bits === undefined || (Number(bits) > 0 && Number(bits) <= longest);
}

function oneOf(env: NodeJS.ProcessEnv, name: string, fallback: string, values: string[]): string {
  const text = env[name] || fallback;
  if (values.includes(text)) return text;
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}".`);
}
