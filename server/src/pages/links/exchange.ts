import { randomUUID } from 'node:crypto';
import { parse } from 'node:querystring';
import type { Request, Response } from 'express';
import { acceptedLanguage, type Language, languageOf } from '../../domain/languages.ts';
import { receiveBytes } from '../../http/json-body.ts';
import { refuse } from '../../http/operation.ts';
import { Refused } from '../../http/refused.ts';
import { closeAfterResponse, hasBody } from '../../http/unread-body.ts';
import { pagePolicy } from './layout.ts';

/** One request for a page of a link, and its answer. */
export interface PageExchange {
  /** In the answer's `Request-Id`, and in the log. */
  id: string;
  request: Request;
  response: Response;
  query: URLSearchParams;
  /** The language that the person has chosen on the page. */
  chosen: Language | undefined;
}

export function pageExchange(request: Request, response: Response): PageExchange {
  const { searchParams: query } = new URL(request.url, 'http://page.invalid');
  const chosen = languageOf(query.get('lang') ?? '');
  return { id: randomUUID(), request, response, query, chosen };
}

/**
 * In which language a page speaks: the one that was chosen on it, else the one of what it shows, else the first
 * that the browser asks for and that we speak, else English.
 */
export function languageFor({ chosen, request }: PageExchange, locale?: string): Language {
  return chosen ?? languageOf(locale ?? '') ?? acceptedLanguage(request.headers['accept-language']) ?? 'en';
}

/** Headers of every page. The address is a secret: it is kept out of caches, other pages and search engines. */
function headersOf(id: string): Record<string, string> {
  return {
    'Request-Id': id,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow',
    'Content-Security-Policy': pagePolicy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

export function sendPage(
  { id, request, response }: PageExchange,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (hasBody(request)) closeAfterResponse(request, response);
  const bytes = Buffer.from(text);
  const content = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': bytes.length };
  response.writeHead(status, { ...headersOf(id), ...headers, ...content }).end(bytes);
}

/** Leads to another page, to be fetched with GET. @param location relative, so that any proxy may be in front */
export function sendElsewhere({ id, response }: PageExchange, location: string): void {
  response.writeHead(303, { ...headersOf(id), Location: location, 'Content-Length': 0 }).end();
}

/** URLSearchParams takes seconds for 1 MiB of separators. */
const mostFormFields = 2_000;

/**
 * Reads a form as a browser sends it.
 *
 * @returns undefined for a body of another kind
 * @throws Refused 400, 408 or 413
 */
export async function receiveForm(request: Request, idleMs: number): Promise<SentForm | undefined> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const bytes = await receiveBytes(request, idleMs);
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  if (hasMoreFields(bytes, mostFormFields)) throw new Refused(refuse(413, 'body_too_large'));
  return parseForm(bytes);
}

function hasMoreFields(form: Buffer, most: number): boolean {
  let fields = 1;
  for (let at = form.indexOf('&'); at !== -1; at = form.indexOf('&', at + 1)) {
    if (++fields > most) return true;
  }
  return false;
}

/** What a form holds, by name. */
export type SentForm = ReadonlyMap<string, string>;

/** Not by URLSearchParams, which takes seconds for a megabyte of names. The first value of a name counts. */
export function parseForm(bytes: Buffer): SentForm {
  // A plus is a space; where one is meant it is encoded.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x2b) bytes[at] = 0x20;
  const entries = Object.entries(parse(bytes.toString(), '&', '=', { maxKeys: mostFormFields }));
  return new Map(entries.map(([name, values = '']) => [name, [values].flat()[0] ?? '']));
}

/**
 * Whether a browser says that another site made it send this. Our pages tell nobody where they are, so of their
 * own forms a browser says `Origin: null`; what counts then is `Sec-Fetch-Site`, and the token in the form.
 */
export function isForeign({ headers }: Pick<Request, 'headers'>, ownOrigins: readonly string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return false;
  return !ownOrigins.includes(origin) && URL.parse(origin)?.host !== headers.host;
}
