/** Bytes that come one after the other. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * What can be uploaded. A `Blob` (a `File` of a form, `await fromPath(…)`) and bytes can be sent again after a
 * failure, and so can a function that opens a stream; a stream itself goes once.
 */
export type FileSource = Blob | Uint8Array | ArrayBuffer | ByteStream | (() => ByteStream);

export interface FileNaming {
  /** The file's name; a `File` has its own, `file` is that of all else. */
  name?: string;
  /** The media type; a `Blob` has its own, the platform never guesses. */
  type?: string;
}

/** A stream with what is said of it; `open` gives its bytes from the beginning. */
export interface StreamedFile {
  name: string;
  type: string;
  size: number | undefined;
  open(): AsyncIterator<Uint8Array>;
}

export type Stream = Exclude<FileSource, Blob | Uint8Array | ArrayBuffer>;

export function isStream(source: FileSource): source is Stream {
  return !(source instanceof Blob || source instanceof ArrayBuffer || ArrayBuffer.isView(source));
}

/** @throws {TypeError} for what only plain JavaScript can give */
export function assertSource(source: unknown): asserts source is FileSource {
  if (typeof source === 'string')
    throw new TypeError('A string is no file: pass `await fromPath(path)`, or a Blob.');
  const streams =
    typeof source === 'object' && source && ('getReader' in source || Symbol.asyncIterator in source);
  if (typeof source !== 'function' && !streams && isStream(source as FileSource))
    throw new TypeError('A file is a Blob, bytes, a stream, or a function that opens one.');
}

/** What is there whole, with the name and the type that it is given, or has. */
export interface WholeFile {
  blob: Blob;
  name: string;
  type: string;
}

export function wholeFile(source: Exclude<FileSource, Stream>, { name, type }: FileNaming): WholeFile {
  const blob = source instanceof Blob ? source : new Blob([source as BlobPart]);
  return { blob, name: name ?? (blob as Partial<File>).name ?? 'file', type: type ?? blob.type };
}

/** Its parts are read one by one, whatever gives them. */
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
 * The same parts, as long as they are bytes, and as many as was said.
 *
 * @param failed told why there are no more: the source's own error, or what is wrong with what it gives
 */
export async function* checked(
  { open, size }: Pick<StreamedFile, 'open' | 'size'>,
  failed: (reason: unknown) => void,
): AsyncGenerator<Uint8Array, void> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  let given = 0;
  const assertSize = (wrong: boolean) => {
    if (wrong)
      throw new RangeError(
        `size: ${size}, but the stream gives ${given > (size ?? 0) ? 'more' : given} bytes.`,
      );
  };
  try {
    chunks = open();
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (!ArrayBuffer.isView(next.value)) throw new TypeError('The stream gives something else than bytes.');
      given += next.value.byteLength;
      assertSize(given > (size ?? given));
      yield next.value;
    }
    assertSize(given < (size ?? given));
  } catch (error) {
    failed(error);
    throw error;
  } finally {
    await chunks?.return?.();
  }
}

/** A stream that asks for the next part only when there is room for it. */
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
