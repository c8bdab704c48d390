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

/** What stands between the name of a secret and its value in `name=value` and `"name": "value"`, also within a text. */
const assigned = `(?:${names})\\\\?["']?\\s{0,9}[=:]\\s{0,9}`;

const withoutAnchors = ({ source }: RegExp) => source.replace(/^\^|\$$/g, '');

/** Secrets within a text: what matches after the first group. */
const secretTexts = [
  // Credentials of HTTP (RFC 9110, section 11.4).
  /\b((?:bearer|basic|digest)\s+)[\w.~+/=:-]{16,}/gi,
  // The user information of a URL.
  /(:\/\/)[^\s/@"'<>]+(?=@)/g,
  // The signature of a signed URL.
  /([?&][\w.-]{0,40}(?:signature|sig)=)[^&\s"'<>]+/gi,
  // An object or a list, up to the end: the text may be cut.
  new RegExp(`(${assigned})(?!\\[redacted\\])[[{][^]*`, 'gi'),
  // A text in quotes, or in the escaped ones of a text in a text, up to its end or that of a text that was cut.
  new RegExp(`(${assigned}")(?:[^"\\\\]|\\\\[^])*`, 'gi'),
  new RegExp(`(${assigned}\\\\")(?:\\\\\\\\\\\\"|(?!\\\\")[^])*`, 'gi'),
  new RegExp(`(${assigned}')[^']*`, 'gi'),
  // Any other value, for instance in a form.
  new RegExp(`(${assigned})[^\\s"'&,;}\\\\]+`, 'gi'),
  /()-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\w\s+/=\\-]*/g,
  // A JWT, an organization token, the secret of an API key, and the tokens of callbacks and links.
  /()\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /()\b(?:tot|wrps)_[\w-]{16,}/g,
  new RegExp(`()(?<![\\w-])(?:${withoutAnchors(callbackTokenPattern)})(?![\\w-])`, 'g'),
  new RegExp(`()(?<![\\w-])(?![0-9a-f]{64})(?:${withoutAnchors(linkTokenPattern)})(?![\\w-])`, 'g'),
];

/** In the JSON of a value that may contain a secret, other than a token of callbacks or links. */
const sign = new RegExp(
  `${names}|bearer|basic|digest|-----BEGIN|://[^/]*@|sig(?:nature)?=|\\beyJ|\\b(?:tot|wrps)_`,
  'i',
);
/** The tokens of callbacks and links are longer. */
const shortestToken = 64;

/** Whether the JSON of a value may contain a secret. Most values do not, and testing them costs few microseconds. */
const maybeSecret = (text: string) => sign.test(text) || hasLongWord(text, shortestToken);

/** Whether a text has so many letters, digits, `-` and `_` in a row. Reads few of its characters, unlike an expression. */
function hasLongWord(text: string, length: number): boolean {
  for (let end = length - 1; end < text.length; ) {
    let at = end;
    while (at > end - length && isWordCharacter(text.charCodeAt(at))) at -= 1;
    if (at === end - length) return true;
    end = at + length;
  }
  return false;
}

const isWordCharacter = (code: number) =>
  (code >= 48 && code <= 57) ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === 95 ||
  code === 45;

/** Replaces the secrets in a text. */
export function redactText(text: string): string {
  if (!maybeSecret(text)) return text;
  return secretTexts.reduce((rest, pattern) => rest.replace(pattern, `$1${redacted}`), text);
}

/**
 * Replaces the secrets in a value: every text and number below a property whose name is that of a secret, and secrets
 * within other texts.
 *
 * @param text the value as JSON
 */
export function redactValue(value: Json, text: string): Json {
  return maybeSecret(text) ? redactedIn(value, false) : value;
}

function redactedIn(value: Json, isSecret: boolean): Json {
  if (typeof value === 'string') return isSecret && value !== '' ? redacted : redactText(value);
  if (typeof value === 'number') return isSecret ? redacted : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactedIn(item, isSecret));
  const taken = new Set<string>();
  const entries = Object.entries(value).map(([name, item]) => {
    let shown = redactText(name);
    // Two names can be the same without their secrets.
    if (shown !== name && taken.has(shown)) shown = `${shown} ${taken.size + 1}`;
    taken.add(shown);
    return [shown, redactedIn(item, isSecret || secretName.test(name))];
  });
  return Object.fromEntries(entries) as JsonObject;
}
