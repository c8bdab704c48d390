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
  '0008-server-key': '7266b51057413844bb96bde8731e0b82e158e9a6b9399c672bad8aa9105dcdd5',
  '0009-user-positions': 'da317e3091dc3cc246dfbb85d6c6b51ea371bfb68b8a2131d264283b7ef0b1e4',
  '0010-webhook-health': 'a0778cdb9f924bdd02b416b8c7b9f67802372148aab8f449bfa844b0eff2df4c',
  '0011-ended-executions': '72f43032b97ea5dd69e3c201738ac0d63915b0e41187eb850bca4baa86bc780a',
  '0012-trace-context': '73389f26d3d5b9f551da1c4e1e2747d18bd29cfe4fcc13f139e134364e26ff65',
  '0013-event-positions': '491673fd565e7af77b5f99f40ea2a36e94afb000e30e201690ee56b7733cc0af',
  '0014-executions-of-a-definition': '6a02864eea905f3cf310ea288ed11dac27d63714cb8daae3a81553f16c0cf275',
  '0015-child-threads': 'af8a7d382608b9dd47019f131536136a7a520e6633f27f377beb034eaec35d59',
  '0016-lists': '98dfea7bd9f2d2d10abb89123fb5bee9e33c266344e29922f540217be121ae6b',
};

test.each(Object.entries(released))('the released migration %s is unchanged', async (name, digest) => {
  const text = await readFile(new URL(`../../server/src/store/migrations/${name}.ts`, import.meta.url));
  const message = 'databases have run it as it was released: add a new migration instead';
  expect(createHash('sha256').update(text).digest('hex'), message).toBe(digest);
});
