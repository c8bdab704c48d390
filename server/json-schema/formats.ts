import type { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { isDate, isDateTime, isTime } from '../../generated/date-times.ts';
import { linearPattern } from './patterns.ts';

type Test = (text: string) => boolean;

/**
 * Adds the formats of ajv-formats to an ajv instance, with dates and times as in the contract (decision 43). Its regular expressions backtrack, one of them for minutes; they
 * are replaced by equivalent ones that run in linear time. The other formats are linear already.
 */
export function addLinearFormats(ajv: Ajv): void {
  addFormats.default(ajv);
  linear ??= linearFormats(ajv);
  for (const [name, format] of linear) ajv.addFormat(name, format);
}

/** Formats with a lookahead. `duration` reads its digits once for each unit, which is linear. */
const withLookahead = new Set(['duration', 'hostname', 'url']);

let linear: ReadonlyMap<string, Test> | undefined;

function linearFormats({ formats }: Ajv): Map<string, Test> {
  const found = new Map<string, Test>([
    ['date', isDate],
    ['time', isTime],
    ['date-time', isDateTime],
  ]);
  for (const [name, format] of Object.entries(formats)) {
    if (format instanceof RegExp && !withLookahead.has(name)) found.set(name, lazily(format));
  }
  const hostname = formats['hostname'] as RegExp;
  // Its lookahead limits the length; checking the length first limits the time.
  found.set('hostname', (text) => text.length <= 254 && hostname.test(text));
  found.set('url', lazily(urlPattern()));
  found.set('uri', lazily(withScheme(formats['uri-reference'] as RegExp)));
  return found;
}

/** Compiles a format when it is first used, because most schemas use few of them. */
function lazily({ source, ignoreCase }: RegExp): Test {
  let test: Test | undefined;
  return (text) => {
    if (!test) {
      const { test: matches } = linearPattern(source);
      test = ignoreCase ? (mixed) => matches(lowerCase(mixed)) : matches;
    }
    return test(text);
  };
}

/** Case-insensitive formats list ASCII letters in lower case. */
const lowerCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * The `uri` of ajv-formats: its `uri-reference` with a required scheme and content, and without the quotation marks
 * that it allows in references.
 */
function withScheme({ source, flags }: RegExp): RegExp {
  const required = source.replace('*:)?', '*:)').replace(')*)*)?(?:\\?', ')*)*)(?:\\?');
  if (source.length - required.length !== 2) throw new Error('ajv-formats has changed: uri-reference.');
  return new RegExp(required.replaceAll(`'"(`, "'("), flags);
}

/**
 * The `url` of ajv-formats: http, https or ftp, and no private IPv4 address. ajv-formats excludes those by a lookahead;
 * here the remaining octets are listed.
 */
function urlPattern(): RegExp {
  const octet = String.raw`(?:\d{1,2}|1\d\d|2[0-4]\d|25[0-5])`;
  const publicPairs = [
    // All but 10, 127, 169, 172 and 192.
    String.raw`(?:[1-9]|1[1-9]|[2-9]\d|1[013458]\d|12[0-689]|16[0-8]|17[013-9]|19[013-9]|2[01]\d|22[0-3])\.${octet}`,
    // All but 169.254, 192.168, and 172.16 to 172.31.
    String.raw`169\.(?:\d{1,2}|1\d\d|2[0-4]\d|25[0-35])`,
    String.raw`192\.(?:\d{1,2}|1[0-57-9]\d|16[0-79]|2[0-4]\d|25[0-5])`,
    String.raw`172\.(?:\d|0\d|1[0-5]|3[2-9]|[4-9]\d|1\d\d|2[0-4]\d|25[0-5])`,
  ].join('|');
  const lastOctet = String.raw`(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4])`;
  const label = '(?:[a-z0-9\\u00a1-\\uffff]+-)*[a-z0-9\\u00a1-\\uffff]+';
  const name = String.raw`${label}(?:\.${label})*\.[a-z\u00a1-\uffff]{2,}`;
  return new RegExp(
    String.raw`^(?:https?|ftp)://(?:\S+(?::\S*)?@)?(?:(?:${publicPairs})\.${octet}\.${lastOctet}|${name})(?::\d{2,5})?(?:/\S*)?$`,
    'iu',
  );
}
