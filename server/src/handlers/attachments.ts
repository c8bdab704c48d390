import { Refused, refuse } from '../../contract/index.ts';
import type { HandlersOf } from '../http/operation.ts';
import type { UrlSigner } from '../http/signed-urls.ts';
import * as attachments from '../store/attachments.ts';
import { recordEvent } from '../store/events.ts';

export const handlers = ({
  signer,
  storageQuota,
  now,
}: {
  signer: Pick<UrlSigner, 'attachment'>;
  storageQuota: number | undefined;
  now(): Date;
}): HandlersOf<'attachments'> => ({
  async createAttachment({ path, body, caller, database }) {
    const at = now();
    const file = { file: body.file, tags: body.tags ?? [], now: at, storageQuota };
    const outcome = await attachments.createAttachment(database, path, caller, file);
    if (outcome.kind === 'too_many_attachments') return refuse(409, outcome.kind);
    if (outcome.kind === 'storage_quota_exceeded') throw new Refused(refuse(413, outcome.kind));
    const { attachment, workspaceId } = outcome;
    const { id: attachmentId, name, type, size, tags } = attachment;
    await recordEvent(database, {
      type: 'attachment.created',
      organizationId: caller.organizationId,
      workspaceId,
      data: { attachmentId, ...path, name, type, size, tags },
      now: at,
    });
    return { status: 201, body: attachment };
  },

  async listAttachments({ path, database }) {
    return { status: 200, body: await attachments.listAttachments(database, path) };
  },

  async getAttachmentLink({ path, database }) {
    const known = await attachments.hasAttachment(database, path);
    if (!known) return refuse(404, 'attachment_not_found');
    return { status: 200, body: { link: signer.attachment(path.attachmentId, now()) } };
  },

  async deleteAttachment({ path, caller, database }) {
    const outcome = await attachments.deleteAttachment(database, path);
    if (outcome === 'unknown') return refuse(404, 'attachment_not_found');
    await recordEvent(database, {
      type: 'attachment.deleted',
      organizationId: caller.organizationId,
      workspaceId: await attachments.workspaceOfTable(database, path.tableId),
      data: path,
      now: now(),
    });
    return { status: 204 };
  },
});
