import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { markedHtml } from '../../scripts/spec/review/marked-html.ts';
import { changedPages } from '../../scripts/spec/review/pages.ts';
import type { Review } from '../../scripts/spec/review/review.ts';

const base = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));
const review: Review = { base: 'main', findings: [] };

describe('marked differences', () => {
  test('each version keeps its own tags, and only texts are marked', () => {
    const before = '<p>at most <b>254</b> characters</p><p>gone</p>';
    const after = '<p>at most <b>320</b> characters</p><ul><li>new &amp; shiny</li></ul>';
    expect(markedHtml(before, after, 'x')).toEqual({
      before: '<p>at most <b><del id="x-1">254</del></b> characters</p><p><del id="x-3">gone</del></p>',
      after:
        '<p>at most <b><ins id="x-2">320</ins></b> characters</p><ul><li><ins id="x-4">new &amp; shiny</ins></li></ul>',
      marks: 4,
    });
  });

  test('equal versions have no marks', () => {
    expect(markedHtml('<p>a b</p>', '<p>a b</p>', 'x')).toEqual({
      before: '<p>a b</p>',
      after: '<p>a b</p>',
      marks: 0,
    });
  });
});

describe('the page of changed operations', () => {
  test('shows only the operations that differ, both versions, and nothing from elsewhere', async () => {
    const head = structuredClone(base);
    head.paths['/organizations/users'].get.parameters.shift();
    head.paths['/link/preview'] = {
      post: { ...head.paths['/link'].post, operationId: 'previewLink', summary: 'Look <at> it' },
    };
    delete head.paths['/organizations/users/{userId}'];
    const page = await changedPages(review, { base, head });
    const states = [...page.matchAll(/<li><a href="#(\w+)">.*? <span class="state">(\w+)<\/span>/g)];
    expect(states.map(([, id, state]) => [id, state])).toEqual([
      ['listUsers', 'changed'],
      ['previewLink', 'added'],
      ['getUser', 'removed'],
    ]);
    expect(page).toMatch(/<del id="listUsers-change-\d+">page<\/del>/);
    expect(page).toContain('Look &lt;at&gt; it');
    expect(page).not.toMatch(/<(?:link|img|iframe)\b|src=|@import|url\(/);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBe(new Set(ids).size);
    for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  test('says so if nothing differs', async () => {
    expect(await changedPages(review, { base, head: base })).toContain('The reference shows no difference.');
  });
});
