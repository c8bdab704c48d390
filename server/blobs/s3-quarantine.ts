import type { BatchResult, Quarantine } from './blob-store.ts';
import type { S3Objects } from './s3-objects.ts';

const dayMilliseconds = 86_400_000;
const markName = /^quarantine\/([0-9a-f-]{36})\.(\d{4}-\d{2}-\d{2})\.(\d+)$/;
/** Blobs of a batch that are changed at the same time. */
const concurrency = 8;

/** An empty object that puts a blob in quarantine. */
interface Mark {
  name: string;
  blobKey: string;
  /** The UTC day on which it was written. */
  day: string;
  /** Bytes of the blob. */
  size: number;
}

/**
 * The quarantine of a blob store in S3: `quarantine/3fa2….2026-11-19.<size>`, an empty object for each blob. The bytes
 * stay where they are, so each move is a single request: nothing is copied, nothing can be half done, and reads need
 * not know.
 */
export function s3Quarantine({ create, list, remove, sizeOf }: S3Objects): Quarantine & {
  /** All marks, ordered by the keys of their blobs. */
  marks(): AsyncIterable<Mark>;
  marksOf(blobKey: string): Promise<Mark[]>;
} {
  async function* marks(ofBlob = ''): AsyncIterable<Mark> {
    for await (const { name } of list(`quarantine/${ofBlob}`)) {
      const [, blobKey, day = '', size] = markName.exec(name) ?? [];
      if (blobKey) yield { name, blobKey, day, size: Number(size) };
    }
  }
  const marksOf = async (blobKey: string) => {
    const found: Mark[] = [];
    for await (const mark of marks(blobKey)) found.push(mark);
    return found;
  };
  /** @returns whether the blob was in quarantine */
  const removeMarks = async (found: Mark[]) => {
    for (const { name } of found) await remove(name);
    return found.length > 0;
  };

  return {
    marks,
    marksOf,

    add: (blobKeys, at) =>
      changeEach(blobKeys, async (blobKey) => {
        const size = await sizeOf(`blobs/${blobKey}`);
        if (size === undefined) return false;
        return create(`quarantine/${blobKey}.${at.toISOString().slice(0, 10)}.${size}`, '');
      }),

    async *list() {
      for await (const { blobKey, day, size } of marks()) {
        yield { blobKey, size, since: new Date(Date.parse(day) + dayMilliseconds) };
      }
    },

    restore: (blobKeys) => changeEach(blobKeys, async (blobKey) => removeMarks(await marksOf(blobKey))),

    remove: (blobKeys) =>
      changeEach(blobKeys, async (blobKey) => {
        const found = await marksOf(blobKey);
        // First, so that a crash in between leaves the blob in quarantine, for the next sweep.
        if (found.length > 0) await remove(`blobs/${blobKey}`);
        return removeMarks(found);
      }),
  };
}

/** @param change returns whether there was anything to change */
async function changeEach(
  blobKeys: string[],
  change: (blobKey: string) => Promise<boolean>,
): Promise<BatchResult> {
  const result: BatchResult = { done: [] };
  const rest = blobKeys.values();
  const work = async () => {
    for (const blobKey of rest) {
      if (result.failure) return;
      try {
        if (await change(blobKey)) result.done.push(blobKey);
      } catch (error) {
        result.failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return result;
}
