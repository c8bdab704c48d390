import { parse } from 'node:querystring';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import type { BlobStore } from '../../../blobs/index.ts';
import { Refused, refuse } from '../../../contract/index.ts';
import { assertNotEncoded, receiveBytes, requestMediaType } from '../../../http-bodies/index.ts';
import { closeAfterResponse, hasBody } from '../../../http-server/index.ts';
import type { InputSchemas } from '../../../json-schema/index.ts';
import type { DerivedKeys } from '../../domain/derived-keys.ts';
import { acceptedLanguage, type Language, languageOf } from '../../domain/languages.ts';
import type { CountRefused, CountRequest } from '../../http/rate-limits.ts';
import type { Database } from '../../store/database.ts';
import type { StartExecution } from '../../workflows/start.ts';
import { privateHeaders } from '../private-page.ts';
import { pagePolicy } from './layout.ts';

/** A request for a link page, and its response. */
export interface PageContext {
  /** The `Request-Id` of the response, also logged. */
  id: string;
  request: Request;
  response: Response;
  query: URLSearchParams;
  /** The language chosen on the page. */
  chosen: Language | undefined;
}

export function pageContext(request: Request, response: Response): PageContext {
  const [, text = ''] = /\?(.*)/s.exec(request.url) ?? [];
  const query = new URLSearchParams(text);
  const chosen = languageOf(query.get('lang') ?? '');
  return { id: String(response.getHeader('Request-Id')), request, response, query, chosen };
}

/**
 * The language of a page: the one chosen on it, else the first supported one that the browser accepts, else that of its
 * content, else English.
 */
export function languageFor(context: PageContext, locale?: string): Language {
  return readersLanguage(context) ?? languageOf(locale ?? '') ?? 'en';
}

/** The language that the reader has chosen, on the page or in the browser. */
export function readersLanguage({ chosen, request }: PageContext): Language | undefined {
  return chosen ?? acceptedLanguage(request.headers['accept-language']);
}

/** The headers of every page. Its URL is a secret: it must not reach other sites. */
const pageHeaders = privateHeaders(pagePolicy, 'no-referrer');

export function sendPage(
  { request, response }: PageContext,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (hasBody(request)) closeAfterResponse(request, response);
  const bytes = Buffer.from(text);
  const content = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': bytes.length };
  response.writeHead(status, { ...pageHeaders, ...headers, ...content }).end(bytes);
}

/** Redirects to a page that is requested with GET. @param location relative, so that it works behind any proxy */
export function redirect({ response }: PageContext, location: string): void {
  response.writeHead(303, { ...pageHeaders, Location: location, 'Content-Length': 0 }).end();
}

/** Parsing 1 MiB of separators would take seconds. */
const maxFormFields = 2_000;

/**
 * Reads a submitted form.
 *
 * @returns undefined for another media type
 * @throws Refused 400, 408, 413 or 415
 */
export async function receiveForm(request: Request, idleMs: number): Promise<FormFields | undefined> {
  assertNotEncoded(request.headers);
  const type = requestMediaType(request.headers['content-type'])?.value;
  const bytes = await receiveBytes(request, idleMs);
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const { length } = bytes.toString('latin1').split('&', maxFormFields + 1);
  if (length > maxFormFields) throw new Refused(refuse(413, 'body_too_large'));
  return parseForm(bytes);
}

/** The values of a submitted form, by name. */
export type FormFields = ReadonlyMap<string, string>;

/** URLSearchParams would take seconds for a megabyte of names. The first value of a repeated name is used. */
export function parseForm(bytes: Buffer): FormFields {
  // A plus sign encodes a space.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x2b) bytes[at] = 0x20;
  const entries = Object.entries(parse(bytes.toString(), '&', '=', { maxKeys: maxFormFields }));
  return new Map(entries.map(([name, values = '']) => [name, [values].flat()[0] ?? '']));
}

/**
 * Whether the browser reports that another site caused the request. Our pages send no referrer, so browsers send
 * `Origin: null` with their forms. `Sec-Fetch-Site` and the form's token decide then.
 */
export function isCrossSite({ headers }: Pick<Request, 'headers'>, ownOrigins: readonly string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return false;
  return !ownOrigins.includes(origin) && URL.parse(origin)?.host !== headers.host;
}

export interface LinkPagesOptions {
  database: Database;
  blobs: Pick<BlobStore, 'read'>;
  startExecution: StartExecution;
  schemas: InputSchemas;
  /** Sign the tokens of links. */
  keys: DerivedKeys;
  /** The public URL of a link without its token. */
  linkBaseUrl: string;
  baseUrl: string;
  /** Whether this is the sandbox environment. */
  sandbox: boolean;
  /** How long a browser may pause while it sends a form. */
  bodyIdleMs: number;
  countRequest: CountRequest;
  /** Called for each invalid token. */
  countRefused: CountRefused;
  logger: Logger;
  now(): Date;
}

/** A token with a valid signature, and the id in it. */
export interface VerifiedToken {
  token: string;
  id: string;
}

/** Sends the page of a request. */
export type PageHandler = (context: PageContext, verified: VerifiedToken) => Promise<void>;
