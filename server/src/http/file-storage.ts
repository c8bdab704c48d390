import type multer from 'multer';
import type { BlobStore, WrittenBlob } from '../../blobs/index.ts';
import { refuse } from '../../contract/index.ts';
import { fileNameOf } from '../domain/file-names.ts';
import { mediaTypeOf, unknownMediaType } from '../domain/media-types.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import type { Part } from './part-headers.ts';
import { Refused } from './refused.ts';

/**
 * multer's storage for the file of a form: its stream goes directly to the blob store. `discard` deletes what was
 * stored, whatever refused the form.
 *
 * @param part the name of the file part
 */
export function fileStorage({
  blobs,
  part,
  limit,
  signal,
}: {
  blobs: Pick<BlobStore, 'write' | 'delete'>;
  part: string;
  limit: number;
  signal: AbortSignal;
}) {
  let current: Part | undefined;
  let writing: Promise<WrittenBlob> | undefined;
  let described: Pick<StoredFile, 'name' | 'contentType'> | undefined;

  const storage: multer.StorageEngine = {
    _handleFile(_request, { stream }, done) {
      try {
        described = describe(part, current);
      } catch (error) {
        return done(error);
      }
      writing = blobs.write(stream, { limit, signal });
      writing.then(() => done(null, {}), done);
    },
    _removeFile: (_request, _file, done) => done(null),
  };

  return {
    storage,
    partBegins(next: Part): void {
      current = next;
    },
    /** The file, after the form was parsed; undefined if it had none. */
    async stored(): Promise<StoredFile | undefined> {
      return writing && described && { ...described, ...(await writing) };
    },
    async discard(): Promise<void> {
      const written = await writing?.catch(() => undefined);
      if (written) await blobs.delete(written.blobKey).catch(() => {});
    },
  };
}

function describe(part: string, { fileName, contentType }: Partial<Part> = {}) {
  const invalid = (message: string) =>
    new Refused(refuse(400, 'body_invalid', { message, pointer: `/${part}` }));
  if (typeof fileName !== 'string') throw invalid('The file name is not well-formed UTF-8.');
  const named = fileNameOf(fileName);
  if ('problem' in named) throw invalid(named.problem);
  return { name: named.name, contentType: mediaTypeOf(contentType) ?? unknownMediaType };
}
