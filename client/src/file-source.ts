export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * What can be uploaded. Blobs (a `File` of a form, `await fromPath(…)`), bytes, and functions that open a stream can
 * be sent again on a retry. A stream can be sent only once.
 */
export type FileSource = Blob | Uint8Array | ArrayBuffer | ByteStream | (() => ByteStream);

export interface FileMetadata {
  /** The file name. Default: the name of a `File`, otherwise `file`. */
  name?: string;
  /** The media type. Default: the type of a `Blob`. The platform never guesses it. */
  type?: string;
}

export interface StreamedFile {
  name: string;
  type: string;
  size: number | undefined;
  /** Starts reading from the first byte. */
  open(): AsyncIterator<Uint8Array>;
}

export type Stream = Exclude<FileSource, Blob | Uint8Array | ArrayBuffer>;

export function isStream(source: FileSource): source is Stream {
  return !(source instanceof Blob || source instanceof ArrayBuffer || ArrayBuffer.isView(source));
}

/** @throws {TypeError} for values that the types exclude but plain JavaScript can pass */
export function assertSource(source: unknown): asserts source is FileSource {
  const { getReader, [Symbol.asyncIterator]: iterate } = Object(source);
  if (typeof source !== 'function' && !getReader && !iterate && isStream(source as FileSource))
    throw new TypeError(
      'A file must be a Blob, bytes, a stream, or a function that opens one. Pass `await fromPath(path)` for a path.',
    );
}

/** A file whose bytes are all available, with its name and type. */
export interface BlobFile {
  blob: Blob;
  name: string;
  type: string;
}

export function blobFile(
  source: Exclude<FileSource, Stream>,
  { name, type }: Partial<Record<keyof FileMetadata, string | undefined>>,
): BlobFile {
  const blob = source instanceof Blob ? source : new Blob([source as Uint8Array<ArrayBuffer>]);
  return { blob, name: name || (blob as Partial<File>).name || 'file', type: type || blob.type };
}

export function chunksOf(source: ByteStream): AsyncIterator<Uint8Array> {
  if (!('getReader' in source)) return source[Symbol.asyncIterator]();
  const reader = source.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/**
 * Yields the chunks of a file and checks that they are bytes and add up to the declared size.
 *
 * @throws the source's own error; {TypeError} {RangeError} for a failed check
 */
export async function* validatedChunks({
  open,
  size,
}: Pick<StreamedFile, 'open' | 'size'>): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  for await (const chunk of { [Symbol.asyncIterator]: open }) {
    if (!ArrayBuffer.isView(chunk)) throw new TypeError('The stream must yield bytes (Uint8Array).');
    received += chunk.byteLength;
    if (received > (size ?? received))
      throw new RangeError(`The stream has more bytes than its size, ${size}.`);
    yield chunk;
  }
  if (received < (size ?? received))
    throw new RangeError(`The stream has ${received} bytes, fewer than its size, ${size}.`);
}

/** A stream without a buffer: it pulls the next chunk only when the consumer asks for it. */
export function streamOf(chunks: AsyncIterator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
