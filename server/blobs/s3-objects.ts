import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { hasCode } from './s3-client.ts';

export interface ListedObject {
  /** Without the prefix of the store. */
  name: string;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
}

/** The objects of one store: those of a bucket below a prefix. */
export interface S3Objects {
  client: S3Client;
  /** The parameters of a request for an object. */
  object(name: string): { Bucket: string; Key: string };
  /** All objects whose names begin with a text, ordered by name. */
  list(namePrefix: string): AsyncIterable<ListedObject>;
  /** The size of an object in bytes; undefined if it does not exist. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Writes an object if it does not exist; of concurrent callers one wins. @returns whether this one did */
  create(name: string, content: string): Promise<boolean>;
  /** Deletes an object if it exists. */
  remove(name: string): Promise<void>;
}

export function openS3Objects(client: S3Client, bucket: string, prefix: string): S3Objects {
  const object = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` });
  return {
    client,
    object,

    async *list(namePrefix) {
      for (let after: string | undefined; ; ) {
        const request = { Bucket: bucket, Prefix: `${prefix}${namePrefix}`, ContinuationToken: after };
        const page = await client.send(new ListObjectsV2Command(request));
        for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
          yield { name: Key.slice(prefix.length), size: Size, modifiedAt: LastModified };
        }
        if (!page.IsTruncated) return;
        after = page.NextContinuationToken;
      }
    },

    async sizeOf(name) {
      try {
        return (await client.send(new HeadObjectCommand(object(name)))).ContentLength;
      } catch (error) {
        if (hasCode(error, 'NotFound', 'NoSuchKey')) return undefined;
        throw error;
      }
    },

    async create(name, content) {
      try {
        await client.send(
          new PutObjectCommand({
            ...object(name),
            Body: content,
            ContentLength: Buffer.byteLength(content),
            IfNoneMatch: '*',
          }),
        );
        return true;
      } catch (error) {
        if (hasCode(error, 'PreconditionFailed', 'ConditionalRequestConflict')) return false;
        throw error;
      }
    },

    async remove(name) {
      await client.send(new DeleteObjectCommand(object(name)));
    },
  };
}
