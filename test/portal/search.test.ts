import { expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { generatedSources, siteFiles } from '../../scripts/portal/site.ts';
import { guideGroups } from '../../server/contract/index.ts';
import { loadIndex, search, suggestions } from '../../server/src/pages/search-index.js';
import { answers, operatorPages, suggested } from '../../server/src/pages/search-words.js';
import { commonQueries, searchQueries } from './search-queries.ts';

const files = await siteFiles(await generatedSources());
const index = loadIndex(String(files.find(({ path }) => /search-index.*\.json$/.test(path))?.body));

const addressOf = (path: string) => (path.startsWith('#') ? `/docs${path}` : `/docs/${path}`);

/** The queries that do not find first what their readers expect. */
function wrongAmong(queries: typeof searchQueries): string[] {
  return queries.flatMap(([query, ...expected]) => {
    const [first] = search(index, query);
    const wanted = expected.map(addressOf);
    return wanted.includes(first?.href ?? '') ? [] : [`${query}: ${first?.href} instead of ${wanted}`];
  });
}

test('the most common queries find first what their readers expect', () => {
  expect(wrongAmong(commonQueries)).toEqual([]);
});

test('at least 95 of 100 queries do', () => {
  const all = [...commonQueries, ...searchQueries];
  expect(all.length).toBeGreaterThanOrEqual(100);
  const wrong = wrongAmong(all);
  const advice = `Add synonyms in search-words.js, or better words:\n${wrong.join('\n')}`;
  expect(wrong.length, advice).toBeLessThanOrEqual(all.length * 0.05);
});

test('"cursor" finds the rule of pages, then an operation that has one', () => {
  const [rule, operation] = search(index, 'cursor');
  expect(rule?.href).toBe('/docs#rules-for-all-operations');
  expect(operation?.href).toMatch(/^\/docs\/reference\/\w+#/);
  expect(operation?.keys.split(' ')).toContain('cursor');
});

test('every expected result, answer and suggestion exists', () => {
  const stored: { href: string }[] = Object.values(JSON.parse(JSON.stringify(index)).storedFields);
  const known = new Set(stored.map(({ href }) => href));
  const expected = [...commonQueries, ...searchQueries].flatMap(([, ...paths]) => paths.map(addressOf));
  expect([...expected, ...Object.keys(answers)].filter((path) => !known.has(path))).toEqual([]);
  expect(suggestions(index).map(({ href }) => href)).toEqual(suggested);
});

test('the pages for operators are those of their tag group', () => {
  const { tags = [] } = guideGroups(contract).find(({ name }) => name === 'For operators') ?? {};
  expect(tags.map((tag) => `/docs/${tag}`)).toEqual(operatorPages);
});

test.each([
  'upload progress',
  'how do I log in',
  'progress',
  'me',
  'list executions',
  'bearer',
  'hmac',
  'token',
  'files',
])('the first three results of "%s" are not for operators', (query) => {
  const first = search(index, query).slice(0, 3);
  expect(first.length).toBeGreaterThan(0);
  expect(first.filter(({ href }) => operatorPages.includes(href.replace(/#.*$/, '')))).toEqual([]);
});
