import type { Json, JsonObject } from '../../json/index.ts';
import { callbackTokenPattern } from './callback-tokens.ts';
import { linkTokenPattern } from './link-tokens.ts';

/** Replaces a secret. */
export const redacted = '[redacted]';

/** Headers of a response that authenticate, in lower case. */
export const secretHeaders: ReadonlySet<string> = new Set([
  'set-cookie',
  'set-cookie2',
  'cookie',
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
]);

/** The words at the end of the name of a secret, in any case, with `-`, `_`, `.` or nothing between them. */
const secretNames = [
  ...secretHeaders,
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'api-key',
  'access-key',
  'secret-key',
  'private-key',
  'subscription-key',
  'client-assertion',
  'credential',
  'credentials',
];
const names = secretNames.map((name) => name.replaceAll('-', '[-_.]?')).join('|');
const secretName = new RegExp(`(?:${names})$`, 'i');

const withoutAnchors = ({ source }: RegExp) => source.replace(/^\^|\$$/g, '');

/** Secrets within a text: what matches after the first group. */
const secretTexts = [
  // Credentials of HTTP (RFC 9110, section 11.4).
  /\b((?:bearer|basic|digest)\s+)[\w.~+/=:-]{16,}/gi,
  // The user information of a URL.
  /(:\/\/)[^\s/@"'<>]+(?=@)/g,
  // The signature of a signed URL.
  /([?&][\w.-]{0,40}(?:signature|sig)=)[^&\s"'<>]+/gi,
  // `name=value` and `"name": "value"`, for instance in a form or in JSON that is text.
  new RegExp(`((?:${names})\\\\?["']?\\s{0,9}[=:]\\s{0,9}\\\\?["']?)[^\\s"'&,;}\\\\]+`, 'gi'),
  /()-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\w\s+/=\\-]*/g,
  // A JWT, an organization token, the secret of an API key, and the tokens of callbacks and links.
  /()\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /()\b(?:tot|wrps)_[\w-]{16,}/g,
  new RegExp(`()(?<![\\w-])(?:${withoutAnchors(callbackTokenPattern)})(?![\\w-])`, 'g'),
  new RegExp(`()(?<![\\w-])(?![0-9a-f]{64})(?:${withoutAnchors(linkTokenPattern)})(?![\\w-])`, 'g'),
];

/** Whether the JSON of a value may contain a secret. Most values do not, and testing them costs microseconds. */
const maybeSecret = new RegExp(
  `${names}|bearer|basic|digest|-----BEGIN|://[^/]*@|sig(?:nature)?=|\\beyJ|\\b(?:tot|wrps)_|(?<![\\w-])[\\w-]{64}`,
  'i',
);

/** Replaces the secrets in a text. */
export function redactText(text: string): string {
  if (!maybeSecret.test(text)) return text;
  return secretTexts.reduce((rest, pattern) => rest.replace(pattern, `$1${redacted}`), text);
}

/**
 * Replaces the secrets in a value: every text and number below a property whose name is that of a secret, and secrets
 * within other texts.
 *
 * @param text the value as JSON
 */
export function redactValue(value: Json, text: string): Json {
  return maybeSecret.test(text) ? redactedIn(value, false) : value;
}

function redactedIn(value: Json, isSecret: boolean): Json {
  if (typeof value === 'string') return isSecret && value !== '' ? redacted : redactText(value);
  if (typeof value === 'number') return isSecret ? redacted : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactedIn(item, isSecret));
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    redactedIn(item, isSecret || secretName.test(name)),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}
