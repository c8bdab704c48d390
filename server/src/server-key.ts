import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** What keys are derived for: another purpose, or another environment, is another key. */
export type KeyPurpose = 'bearer-tokens' | 'signed-links' | 'links' | 'webhook-keys' | 'callbacks';

/**
 * The one secret of an installation, of which every other key is derived: given by the operator, or made
 * at the first start and kept in the data directory, readable by its owner only.
 */
export async function openServerKey(dataDirectory: string, given: string | undefined): Promise<Buffer> {
  if (given) return Buffer.from(given, 'base64url');
  const file = join(dataDirectory, 'server.key');
  return (await read(file)) ?? make(file, dataDirectory);
}

/** RFC 5869. */
export function deriveKey(serverKey: Buffer, environment: string, purpose: KeyPurpose): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', serverKey, '', `wrp ${environment} ${purpose}`, 32)));
}

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written whole under another name first, and linked: of two processes at once one key wins, never half of one. */
async function make(file: string, dataDirectory: string): Promise<Buffer> {
  await mkdir(dataDirectory, { recursive: true });
  const temporary = `${file}.${process.pid}`;
  const handle = await open(temporary, 'w', 0o600);
  await handle.writeFile(`${randomBytes(32).toString('base64url')}\n`);
  await handle.sync();
  await handle.close();
  await link(temporary, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(temporary);
  return (await read(file)) as Buffer;
}
