import {
  type Client,
  type components,
  createAttachment,
  downloadAttachment,
  type RecordPath,
  unwrap,
} from '@wrp/client';
import { create, element, field, onSubmit } from './page.ts';
import { attempt } from './problem.ts';

type Attachment = components['schemas']['Attachment'];

/** Uploads, lists and downloads the files of a record. */
export function recordFiles(client: () => Client): { load(): Promise<void> } {
  const form = element('upload', HTMLFormElement);
  const list = element('files', HTMLUListElement);
  const progress = element('uploading', HTMLProgressElement);
  const record = (): RecordPath => ({ tableId: field(form, 'table'), recordId: field(form, 'record') });

  const load = async () => {
    const path = '/tables/{tableId}/records/{recordId}/attachments';
    const attachments = await unwrap(client().GET(path, { params: { path: record() } }));
    list.replaceChildren(...attachments.map((attachment) => entryOf(attachment, download)));
  };
  const download = (attachment: Attachment) =>
    attempt(async () => {
      const { recordId, id: attachmentId } = attachment;
      const { tableId } = record();
      const file = await downloadAttachment(client(), { tableId, recordId, attachmentId });
      const blob = await new Response(file.stream).blob();
      save(new File([blob], file.name, { type: file.type }));
    });
  const upload = async () => {
    const file = new FormData(form).get('file');
    if (!(file instanceof File)) return;
    progress.hidden = false;
    try {
      await createAttachment(client(), record(), file, {
        tags: ['from the claims desk'],
        onProgress({ loaded, total = 0 }) {
          progress.value = total === 0 ? 1 : loaded / total;
        },
      });
    } finally {
      progress.hidden = true;
    }
    await load();
  };

  onSubmit(form, () => attempt(upload));
  return { load };
}

function entryOf(attachment: Attachment, download: (attachment: Attachment) => Promise<void>): HTMLLIElement {
  const { name, type, size } = attachment;
  const button = create('button', 'Download');
  button.type = 'button';
  button.setAttribute('aria-label', `Download ${name}`);
  button.addEventListener('click', () => download(attachment));
  return create('li', create('span', `${name} (${type}, ${size.toLocaleString('en')} bytes)`), button);
}

/** Saves a file as a browser download. */
function save(file: File): void {
  const link = create('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  element('downloaded', HTMLElement).textContent =
    `Downloaded ${file.name}, ${file.size.toLocaleString('en')} bytes.`;
}
