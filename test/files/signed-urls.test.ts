import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import express from 'express';
import { describe, expect, test } from 'vitest';
import type { StoredFile } from '../../server/blobs/index.ts';
import { signedUrls, signUrl } from '../../server/src/http/signed-urls.ts';
import { givenBlobs, givenServer, sendFailure } from './support.ts';

/** An attachment, a signed URL of it that is valid for 15 minutes, and a clock. */
async function givenLink() {
  const { blobs } = await givenBlobs();
  const written = await blobs.write(Readable.from([Buffer.from('0123456789')]));
  const attachments = new Map<string, StoredFile>();
  const attachmentId = randomUUID();
  attachments.set(attachmentId, { ...written, name: 'ä.txt', contentType: 'text/plain' });
  const key = randomBytes(32);
  const clock = { now: new Date('2026-11-21T12:00:00.500Z') };
  const findFile = async (id: string) => attachments.get(id);
  const app = express();
  app.use(
    signedUrls({
      findFile: { attachment: findFile, result: findFile },
      blobs,
      keys: { accepted: [createSecretKey(randomBytes(32)), createSecretKey(key)] },
      now: () => clock.now,
    }),
  );
  app.use(sendFailure);
  const { url } = await givenServer(app);
  const expiresAt = new Date('2026-11-21T12:15:00.500Z');
  const link = signUrl({ baseUrl: `${url}/`, kind: 'attachment', id: attachmentId, expiresAt, key });
  return { link, url, key, clock, attachmentId, attachments };
}

const codeOf = async (response: Response) => (await response.json()).errors[0].code;

function nameAsResult(link: URL): void {
  const { pathname, origin } = link;
  const id = pathname.replace(/.*\//, '');
  const result = {
    baseUrl: `${origin}/`,
    kind: 'result',
    id,
    expiresAt: new Date(),
    key: randomBytes(32),
  } as const;
  link.pathname = new URL(signUrl(result)).pathname;
}

function nameAnother(link: URL): void {
  link.pathname = link.pathname.replace(/[^/]+$/, randomUUID());
}

describe('a signed URL', () => {
  test('serves the attachment without a token, like any download', async () => {
    const { link } = await givenLink();
    const response = await fetch(link);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%A4.txt");
    expect(response.headers.get('content-security-policy')).toBe('sandbox');
    expect(await response.text()).toBe('0123456789');
    expect((await fetch(link, { headers: { Range: 'bytes=0-1' } })).status).toBe(206);
    expect(await (await fetch(link, { method: 'HEAD' })).text()).toBe('');
  });

  test('expires with the second that it names: 410 link_expired', async () => {
    const { link, clock } = await givenLink();
    clock.now = new Date('2026-11-21T12:14:59.999Z');
    expect((await fetch(link)).status).toBe(200);
    clock.now = new Date('2026-11-21T12:15:00.000Z');
    const response = await fetch(link);
    expect(response.status).toBe(410);
    expect(await codeOf(response)).toBe('link_expired');
  });

  test('stops working when the attachment is deleted: 404 attachment_not_found', async () => {
    const { link, attachments } = await givenLink();
    attachments.clear();
    const response = await fetch(link);
    expect(response.status).toBe(404);
    expect(await codeOf(response)).toBe('attachment_not_found');
  });

  test.each<[string, (link: URL) => void]>([
    ['for another attachment', nameAnother],
    ['for a result with the same identifier', nameAsResult],
    ['for longer', (link) => link.searchParams.set('expires', '99999999999')],
    [
      'with the same time in other digits',
      (link) => link.searchParams.set('expires', `0${link.searchParams.get('expires')}`),
    ],
    ['without a time', (link) => link.searchParams.delete('expires')],
    ['with two times', (link) => link.searchParams.append('expires', '99999999999')],
    ['without a signature', (link) => link.searchParams.delete('signature')],
    ['with an empty signature', (link) => link.searchParams.set('signature', '')],
    [
      'with a padded signature',
      (link) => link.searchParams.set('signature', `${link.searchParams.get('signature')}=`),
    ],
    ['with a signature of other characters', (link) => link.searchParams.set('signature', 'ä'.repeat(43))],
  ])('%s is refused: 403 permission_denied', async (_case, forge) => {
    const { link } = await givenLink();
    const forged = new URL(link);
    forge(forged);
    const response = await fetch(forged);
    const message = 'The signed URL is incomplete or altered. Use it unchanged, or request a new one.';
    expect(response.status).toBe(403);
    expect((await response.json()).errors).toEqual([{ code: 'permission_denied', message }]);
  });

  test('with any changed character in its signature is refused', async () => {
    const { link } = await givenLink();
    const signature = new URL(link).searchParams.get('signature') ?? '';
    expect(signature).toMatch(/^[\w-]{43}$/);
    for (let at = 0; at < signature.length; at++) {
      const other = signature[at] === 'A' ? 'B' : 'A';
      const forged = new URL(link);
      forged.searchParams.set('signature', signature.slice(0, at) + other + signature.slice(at + 1));
      expect((await fetch(forged)).status).toBe(403);
    }
  });

  test('of another key is refused', async () => {
    const { url, attachmentId } = await givenLink();
    const expiresAt = new Date('2027-01-01');
    const link = signUrl({
      baseUrl: url,
      kind: 'attachment',
      id: attachmentId,
      expiresAt,
      key: randomBytes(32),
    });
    expect((await fetch(link)).status).toBe(403);
  });

  test('leaves every other path alone', async () => {
    const { url, link } = await givenLink();
    expect((await fetch(`${url}/files/attachments/`)).status).toBe(404);
    expect((await fetch(link, { method: 'POST' })).status).toBe(404);
  });
});
