import { expect, test } from 'vitest';
import { clientSizeLimit, clientSizes } from './bundle-size.ts';

test('the client is at most 10 kB gzipped in a browser, and smaller with fewer imports', async () => {
  const sizes = await clientSizes();
  const [everything, alone, verifier] = sizes;
  const schemas = sizes.filter(({ name }) => name.endsWith('schema') || name.endsWith('schemas'));
  expect(everything?.gzipped).toBeLessThanOrEqual(clientSizeLimit);
  expect(alone?.gzipped).toBeLessThan((everything?.gzipped ?? 0) / 1.4);
  expect(verifier?.gzipped).toBeLessThan((everything?.gzipped ?? 0) / 1.25);
  const [all = 0, one = 0] = schemas.map(({ gzipped }) => gzipped);
  expect(all).toBeLessThanOrEqual(6_000);
  expect(one).toBeLessThanOrEqual(2_000);
});
