import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type { BlobStore, StoredFile } from '../../blobs/index.ts';
import { Refused, refuse } from '../../contract/index.ts';
import { downloadHeaders, sendFile } from '../../http-bodies/index.ts';
import type { DerivedKeys } from '../domain/derived-keys.ts';

/** What a signed URL can refer to. */
type SignedKind = 'attachment' | 'result';

/** What a signature covers: the file may be fetched by anyone who has the URL until then. */
export interface UrlClaim {
  kind: SignedKind;
  id: string;
  /** Unix time in whole seconds, as decimal digits. */
  expires: string;
}

/** The signature: HMAC-SHA-256 in base64url. */
export function urlSignature(key: KeyObject | Buffer, { kind, id, expires }: UrlClaim): string {
  // The first line separates these signatures from others of the same key.
  return createHmac('sha256', key).update(`${kind}-link\n${id}\n${expires}`).digest('base64url');
}

/**
 * Verifies a signature in constant time.
 *
 * - `forged`: not signed here
 * - `expired`: signed here, but the second in `expiresAt` has begun
 */
export function judgeUrl(
  key: KeyObject | Buffer,
  claim: UrlClaim,
  signature: string,
  now: Date,
): 'valid' | 'expired' | 'forged' {
  const expected = Buffer.from(urlSignature(key, claim));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged';
  return now.getTime() < Number(claim.expires) * 1000 ? 'valid' : 'expired';
}

const paths = { attachment: '/files/attachments/', result: '/files/results/' } as const;

/** There is no caller whose permission could be missing. */
const forged = 'The signed URL is incomplete or altered. Use it unchanged, or request a new one.';

/** The response if the file is gone. */
const missing = { attachment: 'attachment_not_found', result: 'result_not_available' } as const;

/**
 * A URL that gives access to a file without a token until `expiresAt`, truncated to the second.
 *
 * @param baseUrl the public URL of the platform, such as `https://api.example.com`
 */
export function signUrl({
  baseUrl,
  kind,
  id,
  expiresAt,
  key,
}: {
  baseUrl: string;
  kind: SignedKind;
  id: string;
  expiresAt: Date;
  key: KeyObject | Buffer;
}): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  const query = new URLSearchParams({ expires, signature: urlSignature(key, { kind, id, expires }) });
  return `${baseUrl.replace(/\/+$/, '')}${paths[kind]}${encodeURIComponent(id)}?${query}`;
}

const minute = 60_000;
/** Decision 6 of spec/guides/limits-and-decisions.md. */
export const resultMinutes = 15;

export type UrlSigner = ReturnType<typeof urlSigner>;

/**
 * Gives files URLs that need no token and expire.
 *
 * @param attachmentMinutes how long the URL of an attachment is valid
 */
export function urlSigner({
  baseUrl,
  keys,
  attachmentMinutes,
}: {
  baseUrl: string;
  keys: DerivedKeys;
  attachmentMinutes: number;
}) {
  return {
    /** The URL of an attachment's file. */
    attachment(id: string, now: Date): string {
      const expiresAt = new Date(now.getTime() + attachmentMinutes * minute);
      return signUrl({ baseUrl, kind: 'attachment', id, expiresAt, key: keys.current });
    },
    /** The URL of an execution's result. */
    result(id: string, now: Date): { redirectUrl: string; expiresAt: Date } {
      // Truncated to seconds, like the URL itself.
      const expiresAt = new Date(Math.floor(now.getTime() / 1000) * 1000 + resultMinutes * minute);
      return {
        redirectUrl: signUrl({ baseUrl, kind: 'result', id, expiresAt, key: keys.current }),
        expiresAt,
      };
    },
  };
}

/**
 * Serves the URLs of `signUrl`. They are outside the contract, because their users need not know the API. The file
 * is looked up each time, so a deleted file is gone at once. Redirects to the blob store if it serves downloads.
 *
 * Refuses with 403 `permission_denied` if the signature is invalid, 410 `link_expired`, 404 `attachment_not_found`
 * or `result_not_available`.
 */
export function signedUrls({
  findFile,
  blobs,
  keys,
  now,
}: {
  /** The file of each kind, if it is not deleted. */
  findFile: Record<SignedKind, (id: string) => Promise<StoredFile | undefined>>;
  blobs: Pick<BlobStore, 'read' | 'downloadUrl'>;
  keys: Pick<DerivedKeys, 'accepted'>;
  now(): Date;
}): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  for (const kind of Object.keys(paths) as SignedKind[]) {
    router.get(`${paths[kind]}:id`, async (request, response) => {
      const { id } = request.params;
      const { expires, signature } = request.query;
      const isLink = typeof expires === 'string' && typeof signature === 'string';
      const judge = (key: KeyObject) =>
        isLink ? judgeUrl(key, { kind, id, expires }, signature, now()) : 'forged';
      const judgement = keys.accepted.map(judge).find((each) => each !== 'forged') ?? 'forged';
      if (judgement === 'forged') throw new Refused(refuse(403, 'permission_denied', { message: forged }));
      if (judgement === 'expired') throw new Refused(refuse(410, 'link_expired'));
      const file = await findFile[kind](id);
      if (!file) throw new Refused(refuse(404, missing[kind]));
      // The URL of the store is valid for GET only. A small file is in its row.
      const isRedirected = request.method === 'GET' && file.blobKey !== '';
      const location = isRedirected && (await blobs.downloadUrl?.(file.blobKey, downloadHeaders(file)));
      if (!location) return void (await sendFile(request, response, file, { blobs }));
      response.writeHead(307, { Location: location, 'Cache-Control': 'no-store' }).end();
    });
  }
  return router;
}
