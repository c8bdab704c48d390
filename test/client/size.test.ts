import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bundleSize, type entries } from './bundle-size.ts';

const readme = readFileSync('client/README.md', 'utf8');

/** In kB, with the words that the README has before or after the number. */
const limits: [name: keyof typeof entries, limit: number, text: (kB: string) => string][] = [
  ['everything', 10, (kB) => `smaller than ${kB} gzipped`],
  ['createClient alone', 6, (kB) => `\`createClient\` alone is smaller than ${kB}`],
  ['webhookVerifier alone', 4, (kB) => `\`webhookVerifier\` alone is smaller than ${kB}`],
  ['all schemas', 6.5, (kB) => `All of them add less than ${kB} gzipped`],
  ['one schema', 2, (kB) => `one of them less than ${kB}`],
];

test.for(limits)(
  '%s: less than %d kB gzipped in a browser, as the README says',
  async ([name, limit, text]) => {
    expect(await bundleSize(name)).toBeLessThan(limit * 1000);
    expect(readme).toContain(text(`${limit} kB`));
  },
);

test('all operations add less than 2 kB to createClient, as the README says', async () => {
  const added =
    (await bundleSize('createClient with all operations')) - (await bundleSize('createClient alone'));
  expect(added).toBeLessThan(2_000);
  expect(readme).toContain('`operations(client)` adds less than 2 kB gzipped');
});
