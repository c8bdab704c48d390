import type { KeyObject } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import type { BlobStore } from '../blobs/blob-store.ts';
import { judgeLink, linkSignature } from '../domain/signed-links.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import { sendFile } from './downloads.ts';
import { refuse } from './operation.ts';
import { Refused } from './refused.ts';

const path = '/files/attachments/';

/**
 * An address at which an attachment can be fetched without a token until `expiresAt`, cut to the second.
 *
 * @param baseUrl where the platform is reached from outside, such as `https://api.example.com`
 */
export function signAttachmentLink({
  baseUrl,
  attachmentId,
  expiresAt,
  key,
}: {
  baseUrl: string;
  attachmentId: string;
  expiresAt: Date;
  key: KeyObject | Buffer;
}): string {
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  const signature = linkSignature(key, { attachmentId, expires });
  const query = new URLSearchParams({ expires, signature });
  return `${baseUrl.replace(/\/+$/, '')}${path}${encodeURIComponent(attachmentId)}?${query}`;
}

/**
 * Serves the addresses that `signAttachmentLink` makes; outside the contract's paths, as whoever follows
 * one need not know the API. The attachment is looked up each time, so a deleted one is gone at once.
 *
 * Refuses with 403 `permission_denied` what was not signed here, 410 `link_expired`, 404
 * `attachment_not_found`.
 */
export function signedLinks({
  findFile,
  blobs,
  key,
  now,
}: {
  /** The file of an attachment that is not deleted. */
  findFile(attachmentId: string): Promise<StoredFile | undefined>;
  blobs: Pick<BlobStore, 'read'>;
  key: KeyObject | Buffer;
  now(): Date;
}): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(`${path}:attachmentId`, async (request, response) => {
    const { attachmentId } = request.params;
    const { expires, signature } = request.query;
    const isLink = typeof expires === 'string' && typeof signature === 'string';
    const judgement = isLink ? judgeLink(key, { attachmentId, expires }, signature, now()) : 'forged';
    if (judgement === 'forged') throw new Refused(refuse(403, 'permission_denied'));
    if (judgement === 'expired') throw new Refused(refuse(410, 'link_expired'));
    const file = await findFile(attachmentId);
    if (!file) throw new Refused(refuse(404, 'attachment_not_found'));
    await sendFile(request, response, file, { blobs });
  });
  return router;
}
