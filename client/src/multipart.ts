import type { StreamedFile } from './file-source.ts';

/** A form with one file (RFC 7578), encoded while it is sent. */
export interface MultipartForm {
  /** The media type with its boundary. */
  type: string;
  /** Total bytes of the form; undefined if the file's size is unknown. */
  size: number | undefined;
  chunks(): AsyncGenerator<Uint8Array, void>;
}

/** @param onProgress called with the number of file bytes sent so far */
export function multipartForm(
  file: StreamedFile,
  fields: readonly (readonly [name: string, value: string])[],
  onProgress: (loaded: number) => void = () => {},
): MultipartForm {
  const boundary = `wrp-${Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('')}`;
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const encode = (text: string) => new TextEncoder().encode(text);
  const texts = fields.map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`).join('');
  const type = file.type && `Content-Type: ${file.type.replace(/[\r\n]/g, '')}\r\n`;
  const head = encode(`${texts}${part(`name="file"; filename="${escapeName(file.name)}"`)}${type}\r\n`);
  const tail = encode(`\r\n--${boundary}--\r\n`);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    size: file.size === undefined ? undefined : head.length + file.size + tail.length,
    async *chunks() {
      yield head;
      const content = file.open();
      let loaded = 0;
      try {
        for (let next = await content.next(); !next.done; next = await content.next()) {
          yield next.value;
          loaded += next.value.byteLength;
          onProgress(loaded);
        }
      } finally {
        await content.return?.();
      }
      yield tail;
    },
  };
}

/** Escapes a file name as the HTML standard requires for form data. */
function escapeName(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
