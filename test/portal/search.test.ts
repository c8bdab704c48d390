import { expect, test } from 'vitest';
import { generatedSources, siteFiles } from '../../scripts/portal/site.ts';
import { loadIndex, search, suggestions } from '../../server/src/pages/search-index.js';
import { suggested } from '../../server/src/pages/search-words.js';
import { searchQueries } from './search-queries.ts';

const files = await siteFiles(await generatedSources());
const index = loadIndex(String(files.find(({ path }) => /search-index.*\.json$/.test(path))?.body));

test('at least 95 of 100 queries find first what their readers expect', () => {
  const wrong = searchQueries.flatMap(([query, ...expected]) => {
    const [first] = search(index, query);
    const wanted = expected.map((path) => (path.startsWith('#') ? `/docs${path}` : `/docs/${path}`));
    return wanted.includes(first?.href ?? '') ? [] : [`${query}: ${first?.href} instead of ${wanted}`];
  });
  expect(searchQueries.length).toBeGreaterThanOrEqual(100);
  expect(
    wrong.length,
    `Add synonyms in search-words.js, or better words:\n${wrong.join('\n')}`,
  ).toBeLessThanOrEqual(searchQueries.length * 0.05);
});

test('every expected result exists', () => {
  const known = new Set(
    Object.values(JSON.parse(JSON.stringify(index)).storedFields as Record<string, { href: string }>).map(
      ({ href }) => href,
    ),
  );
  const missing = searchQueries.flatMap(([, ...expected]) =>
    expected.filter((path) => !known.has(path.startsWith('#') ? `/docs${path}` : `/docs/${path}`)),
  );
  expect(missing).toEqual([]);
});

test('an empty query suggests pages that exist', () => {
  expect(suggestions(index).map(({ href }) => href)).toEqual(suggested);
});
