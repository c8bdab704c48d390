import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { portalLinks } from '../../server/contract/index.ts';
import { requestsTo, servedPortal } from './support.ts';

const get = requestsTo(servedPortal());
const { toPage } = portalLinks(contract);
/** What people read or programs print. The contract and the guides have their own test for links such as `#/errors`. */
const sources = [
  'client',
  'server',
  'scripts',
  'spec',
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
];

/** Examples of wrong links, and the table of former addresses. */
const excluded = /\/(node_modules|dist)\/|^spec\/(rules|releases)\/|^scripts\/portal\/browser\/moved\.js$/;

/** The responses of a page that is served for unknown paths, and of a former one. */
const other: Record<string, number> = { '/docs/not-found': 404, '/docs/console': 301 };

/** `/docs/errors#user_not_found`, but not that of another host, and no pattern or template. */
const byPath =
  /(?<![a-z\d_\\]|\.cache\/portal)\/docs(?:\/[\w./-]*[\w-])?(?:#[\w/.-]*\w)?(?![\w./-]*[*$({\\[:])/g;
/** `#/errors` */
const byTag = /(?<=["'`(])#\/(?!components|paths)[a-z-]+(?:\/\w+)?(?:#\w+)?(?=["'`)])/g;

async function namedAddresses(): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  const read = async (file: string) => {
    const text = await readFile(file, 'utf8');
    for (const [address] of text.matchAll(byPath)) addresses.set(address, file);
    for (const [address] of text.matchAll(byTag)) addresses.set(toPage(address), file);
  };
  for (const source of sources) {
    if (source.endsWith('.md')) await read(source);
    else
      for (const name of await readdir(source, { recursive: true }))
        if (/\.(ts|js|mjs|json|ya?ml|md|html)$/.test(name) && !excluded.test(`${source}/${name}`))
          await read(`${source}/${name}`);
  }
  return addresses;
}

describe('the addresses of the portal that programs print and texts name', async () => {
  const addresses = await namedAddresses();

  test('are found', () => {
    expect([...addresses.keys()]).toEqual(
      expect.arrayContaining(['/docs', '/docs/receiving-webhooks', '/docs/versioning', '/docs/operations']),
    );
  });

  test.for([...addresses])('%s of %s exists', async ([address]) => {
    const [path = '', anchor] = address.split('#');
    const response = await get(path);
    expect(response.status).toBe(other[path] ?? 200);
    if (anchor) expect(await response.text()).toContain(` id="${anchor}"`);
  });
});
