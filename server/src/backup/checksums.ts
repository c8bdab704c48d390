import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { opendir, rename } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reasonOf, syncDirectory } from '../../durable-files/index.ts';
import { BackupError } from './backup-error.ts';
import { linesOf } from './lines.ts';

/**
 * The list of all files of a backup with their SHA-256, as `sha256sum` writes it. It is written last, and its last line is
 * that of the manifest: without it, the backup is incomplete.
 */
export const sumsName = 'SHA256SUMS';
/** The description of a backup. */
export const manifestName = 'manifest.json';

type Progress = (files: number) => void;

/** Hashes all files of a directory and writes their list. @returns the number of files */
export async function writeSums(directory: string, progress: Progress): Promise<number> {
  let files = 0;
  async function* lines() {
    for await (const path of filesBelow(directory)) {
      const name = relative(directory, path).replaceAll(sep, '/');
      if (name === manifestName) continue;
      yield `${await sha256Of(path)}  ${name}\n`;
      progress(++files);
    }
    yield `${await sha256Of(join(directory, manifestName))}  ${manifestName}\n`;
  }
  const draft = join(directory, `.${sumsName}`);
  await pipeline(Readable.from(lines()), createWriteStream(draft, { mode: 0o600, flush: true }));
  await rename(draft, join(directory, sumsName));
  await syncDirectory(directory);
  return files;
}

/** @throws BackupError for the first file that is missing or has other bytes */
export async function checkSums(directory: string, progress: Progress): Promise<void> {
  let files = 0;
  let last = '';
  for await (const line of linesOf(join(directory, sumsName))) {
    const [, expected, name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (name === '' || name.split('/').includes('..'))
      throw new BackupError(`${sumsName} is damaged at line ${files + 1}.`);
    const found = await sha256Of(join(directory, name)).catch((error: unknown) => {
      throw new BackupError(`${name} cannot be read: ${reasonOf(error)}.`);
    });
    if (found !== expected)
      throw new BackupError(`${name} is damaged: its bytes are not those of the backup.`);
    last = name;
    progress(++files);
  }
  if (last !== manifestName) throw new BackupError(`${sumsName} is not complete.`);
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
  return hash.digest('hex');
}

async function* filesBelow(directory: string): AsyncIterable<string> {
  for await (const entry of await opendir(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (!entry.name.startsWith('.')) yield path;
  }
}
