import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { completeDeprecations, withoutDeprecations } from '../../scripts/contract/deprecation-guide.ts';

/** A release never changes, however the contract grows. */
const contract = JSON.parse(await readFile('spec/releases/3.0.0.json', 'utf8'));
// biome-ignore lint/suspicious/noExplicitAny: the bundle is changed in ways that its types would not allow.
type Bundle = any;

const dates = { deprecated: true, 'x-deprecated-since': '2026-12-01', 'x-sunset': '2027-12-31' };
const shown = 'since 1 December 2026; works until 31 December 2027, 00:00 UTC.';
const users = '/organizations/users';

const guideOf = ({ tags }: Bundle): string =>
  tags.find(({ name }: { name: string }) => name === 'versioning').description;

function completed(change: (bundle: Bundle) => void): string {
  const bundle = structuredClone(contract);
  change(bundle);
  completeDeprecations(bundle);
  return guideOf(bundle);
}

const cases: Record<string, [change: (bundle: Bundle) => void, entries: string[]]> = {
  'an operation': [
    ({ paths }) => Object.assign(paths[users].get, dates),
    [`[\`listUsers\`](#/users/listusers) (\`GET ${users}\`): ${shown}`],
  ],
  'an event': [
    ({ webhooks }) => Object.assign(webhooks['link.used'].post, dates),
    [`[\`link.used\`](#/webhooks/onlinkused): ${shown}`],
  ],
  'an operation, with what replaces it': [
    ({ paths }) =>
      Object.assign(paths[users].get, dates, {
        description: 'Lists users. Use\n[`find`](#/users/find) instead. Slow.\n\nIt is replaced by `find`.',
      }),
    [
      `[\`listUsers\`](#/users/listusers) (\`GET ${users}\`): ${shown} Use [\`find\`](#/users/find) instead. It is replaced by \`find\`.`,
    ],
  ],
  'a parameter that operations share, once': [
    ({ paths, components }) => {
      components.parameters.Sort = { name: 'sort', in: 'query', ...dates };
      for (const path of [users, '/organizations/workspaces'])
        paths[path].get.parameters = [{ $ref: '#/components/parameters/Sort' }];
    },
    [
      `The query parameter \`sort\` of [\`listUsers\`](#/users/listusers), [\`listWorkspaces\`](#/organization/listworkspaces): ${shown}`,
    ],
  ],
  'fields of schemas, at any depth': [
    ({ components }) => {
      const field = { type: 'string', ...dates };
      Object.assign(components.schemas.User.properties, {
        desk: { $ref: '#/components/schemas/JobTitle', ...dates },
        phones: { type: 'array', items: { type: 'object', properties: { fax: field } } },
        seats: { additionalProperties: { allOf: [{ properties: { row: { ...field } } }] } },
      });
    },
    ['desk', 'phones[].fax', 'seats.*.row'].map((path) => `The field \`${path}\` of \`User\`: ${shown}`),
  ],
  'fields of a body that has no schema of its own name': [
    ({ paths }) => {
      const content = () => ({
        'application/json': { schema: { properties: { desk: { type: 'string', ...dates } } } },
      });
      paths['/link'].post.requestBody = { content: content() };
      paths['/link'].post.responses = { 201: { description: 'Made.', content: content() } };
    },
    ['the request body', 'the response'].map(
      (body) => `The field \`desk\` of ${body} of [\`createLink\`](#/links/createlink): ${shown}`,
    ),
  ],
  'a schema': [({ components }) => Object.assign(components.schemas.User, dates), [`\`User\`: ${shown}`]],
};

describe('the guide to versioning', () => {
  test.each(Object.entries(cases))('lists %s', (_, [change, entries]) => {
    const list = entries.map((entry) => `- ${entry}`).join('\n');
    const guide = completed(change);
    expect(guide).toBe(
      `${guideOf(contract).trimEnd()}\n\nThe API description marks as deprecated:\n\n${list}\n`,
    );
    expect(withoutDeprecations(guide)).toBe(guideOf(contract));
  });

  test('is as written if the contract deprecates nothing', () => {
    expect(completed(() => {})).toBe(guideOf(contract));
  });

  test('has the list at the end of its section', () => {
    const written = '## Current deprecations\n\nThe JWT.\n\n## Later\n\nMore.\n';
    const guide = completed((bundle) => {
      Object.assign(bundle.components.schemas.User, dates);
      for (const tag of bundle.tags) if (tag.name === 'versioning') tag.description = written;
    });
    expect(guide).toMatch(/The JWT\.\n\nThe API .*:\n\n- .*\n\n## Later\n\nMore\.\n$/);
    expect(withoutDeprecations(guide)).toBe(written);
  });
});
