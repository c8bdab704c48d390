import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** SHA-256 of every released migration. A release adds those that it contains. */
const released = {
  '0001-platform': '54ceef560557c3d681c46b4d1bb6a3ab33af0d22dacb7d0d79c6cb9185dc5455',
  '0002-workflows': 'ea20528bc27fed12f956d8c107a894c9e11a6b4589752f7cc49e3b19ac24bb7d',
  '0003-indexes': 'aee1f7fe03b5ab92fc91a967fcc0c9638139541aafb9015d101c13ed0ea696e0',
  '0004-retention': 'b692d318b93e43fe6d741bcc3f311770b8476e76ee5360329b7871f98e329d1b',
  '0005-blobs': '452647bef978fbb6d2cbddba38a85fe351bc5b505e387dc80b873993456f180a',
  '0006-link-mails': 'b28a3ecf87443fba3dcbc43e0af3ef7c2f845476361aea5f8853d9104c8a6f93',
  '0007-history-entries': '79a9f55e918f831b8e333c6906eefb5e8889314312d387e323024c0fcdfdc29b',
};

test.each(Object.entries(released))('the released migration %s is unchanged', async (name, digest) => {
  const text = await readFile(new URL(`../../server/src/store/migrations/${name}.ts`, import.meta.url));
  const message = 'databases have run it as it was released: add a new migration instead';
  expect(createHash('sha256').update(text).digest('hex'), message).toBe(digest);
});
