// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createAttachment, createClient, fromPath, unwrap } from '@wrp/client';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function attachments({ demo, owner, given, language, run }: SampleStage): Promise<void> {
  //#region client
  const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });
  //#endregion
  const { tableId: table, recordId: record } = demo;
  const path = { tableId: table, recordId: record };
  const listed = async () => {
    const all = await unwrap(
      owner.GET('/tables/{tableId}/records/{recordId}/attachments', { params: { path } }),
    );
    return all.map(({ id }) => id);
  };
  const attach = async () => {
    const { id } = await createAttachment(owner, path, new File(['the bumper'], 'bumper.jpg'));
    given({ ATTACHMENT_ID: id });
    return id;
  };

  describe('createAttachment', () => {
    const made = { name: 'bumper.jpg', type: 'image/jpeg', tags: ['photo', 'front'] };

    test('TypeScript', async () => {
      //#region createAttachment
      const tableId = process.env.TABLE_ID!;
      const recordId = process.env.RECORD_ID!;
      const photo = await fromPath('bumper.jpg', { type: 'image/jpeg' });

      const attachment = await createAttachment(client, { tableId, recordId }, photo, {
        tags: ['photo', 'front'],
      });
      console.log(attachment);
      //#endregion
      expect(attachment).toMatchObject(made);
    });

    test(language, async () => {
      expect(await run('createAttachment')).toMatchObject(made);
    });
  });

  describe('listAttachments', () => {
    test('TypeScript', async () => {
      const id = await attach();
      //#region listAttachments
      const tableId = process.env.TABLE_ID!;
      const recordId = process.env.RECORD_ID!;

      const attachments = await unwrap(
        client.GET('/tables/{tableId}/records/{recordId}/attachments', {
          params: { path: { tableId, recordId } },
        }),
      );
      console.log(attachments);
      //#endregion
      expect(attachments.map((attachment) => attachment.id)).toContain(id);
    });

    test(language, async () => {
      const id = await attach();
      expect(await run('listAttachments')).toContainEqual(expect.objectContaining({ id }));
    });
  });

  describe('getAttachmentLink', () => {
    beforeEach(attach);

    test('TypeScript', async () => {
      //#region getAttachmentLink
      const tableId = process.env.TABLE_ID!;
      const recordId = process.env.RECORD_ID!;
      const attachmentId = process.env.ATTACHMENT_ID!;

      const { link } = await unwrap(
        client.GET('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
          params: { path: { tableId, recordId, attachmentId } },
        }),
      );
      // No token: for 15 minutes, whoever has the link has the file.
      const photo = await fetch(link).then((response) => response.blob());
      console.log(photo.size);
      //#endregion
      expect(await photo.text()).toBe('the bumper');
    });

    test(language, async () => {
      const { link } = (await run('getAttachmentLink')) as { link: string };
      expect(await fetch(link).then((response) => response.text())).toBe('the bumper');
    });
  });

  describe('deleteAttachment', () => {
    test('TypeScript', async () => {
      const id = await attach();
      //#region deleteAttachment
      const tableId = process.env.TABLE_ID!;
      const recordId = process.env.RECORD_ID!;
      const attachmentId = process.env.ATTACHMENT_ID!;

      await unwrap(
        client.DELETE('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
          params: { path: { tableId, recordId, attachmentId } },
        }),
      );
      //#endregion
      expect(await listed()).not.toContain(id);
    });

    test(language, async () => {
      const id = await attach();
      expect(await run('deleteAttachment')).toBe('');
      expect(await listed()).not.toContain(id);
    });
  });
}
