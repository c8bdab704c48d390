import { createHash, randomBytes } from 'node:crypto';
import { uploadResource } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { emittedBy, eventsOf } from '../support/events.ts';
import { bytesOf } from '../support/files.ts';
import { bodyOf } from '../support/responses.ts';

const platform = await api();
const { member, world, database } = platform;
const { workspace } = world;
const emitted = emittedBy(platform);

const upload = (file: File) => member.POST('/resources', { body: { file } });

const pdf = new File(['%PDF-1.7 terms of the policy'], 'policy-terms.pdf', { type: 'application/pdf' });
const etagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('base64url')}"`;

describe('uploadResource', () => {
  test('stores the file in the home workspace of the token, and emits its event', async () => {
    const sha256 = createHash('sha256').update(Buffer.from(await pdf.arrayBuffer()));
    const events = await eventsOf(database, async () => {
      const body = await bodyOf(201, upload(pdf));
      const { resourceId } = body as { resourceId: string };
      expect(body).toEqual({
        resourceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourcePath: `/resources/${resourceId}`,
        resourceName: 'policy-terms.pdf',
      });
    });
    expect(events).toEqual([
      emitted(
        'resource.created',
        {
          resourceId: expect.any(String),
          name: 'policy-terms.pdf',
          contentType: 'application/pdf',
          size: pdf.size,
          sha256: sha256.digest('hex'),
        },
        workspace,
      ),
    ]);
  });

  test('returns the Location of the file', async () => {
    const { data } = await upload(pdf);
    expect(await bytesOf(member.fetch(data?.resourcePath ?? ''))).toEqual(await bytesOf(new Response(pdf)));
  });

  test('accepts a name of 255 characters', async () => {
    const name = '数'.repeat(255);
    expect(await bodyOf(201, upload(new File(['x'], name)))).toMatchObject({ resourceName: name });
  });
});

describe('downloadResource', () => {
  test('returns the exact bytes, with the media type and name of the upload', async () => {
    const bytes = randomBytes(300_000);
    const file = new File([bytes], 'Schäden 2026.bin', { type: 'application/x-thing; version=1' });
    const { data } = await upload(file);
    const response = await member.fetch(`/resources/${data?.resourceId}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-thing; version=1',
      'content-length': '300000',
      'content-disposition': `attachment; filename="Sch?den 2026.bin"; filename*=UTF-8''Sch%C3%A4den%202026.bin`,
      'accept-ranges': 'bytes',
      etag: etagOf(bytes),
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
    expect((await bytesOf(response)).equals(bytes)).toBe(true);
  });

  test.each(['foo', 'text', '/', 'text/plain; charset'])(
    'serves a file uploaded as "%s", which is no media type, as application/octet-stream',
    async (type) => {
      const file = new File(['x'], 'a', { type });
      const stream = () => new Blob(['x']).stream();
      const stored = [
        (await upload(file)).data,
        await uploadResource(member, file),
        await uploadResource(member, stream, { name: 'a', type }),
      ];
      for (const one of stored) {
        const { headers } = await member.fetch(`/resources/${one?.resourceId}`);
        expect(headers.get('Content-Type')).toBe('application/octet-stream');
      }
    },
  );
});
