import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { completeDeprecations } from '../../scripts/contract/deprecation-guide.ts';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import { normalized } from '../../scripts/spec/breaking/normalized.ts';
import { changelogEntry, lines } from '../../scripts/spec/diff/changelog.ts';
import { changesIn, differences } from '../../scripts/spec/diff/changes.ts';
import { sourceNamed } from '../../scripts/spec/diff/sources.ts';

const root = new URL('../../', import.meta.url);
const redocly = openRedocly(root);
afterAll(() => redocly.close());
/** A release never changes, however the contract grows. */
const contract = JSON.parse(await readFile('spec/releases/3.0.0.json', 'utf8'));
// biome-ignore lint/suspicious/noExplicitAny: the bundle is changed in ways that its types would not allow.
type Bundle = any;

const users = '/organizations/users';
const changes: Record<string, [change: (bundle: Bundle) => void, expected: string]> = {
  'an added operation': [
    ({ paths }) => {
      paths['/link/preview'] = {
        post: { ...paths['/link'].post, operationId: 'previewLink', summary: 'Look at it' },
      };
    },
    'added operation previewLink POST /link/preview: Look at it',
  ],
  'a removed operation': [
    ({ paths }) => delete paths['/link'].post,
    'removed operation createLink POST /link',
  ],
  'a deprecated operation': [
    ({ paths }) => {
      Object.assign(paths[users].get, {
        deprecated: true,
        'x-deprecated-since': '2026-11-01',
        'x-sunset': '2027-11-01',
      });
    },
    'deprecated operation listUsers GET /organizations/users: deprecated since 2026-11-01, works until 2027-11-01.',
  ],
  'an added parameter': [
    ({ paths }) => {
      paths[users].get.parameters.push({ name: 'status', in: 'query', schema: { type: 'string' } });
    },
    'added operation listUsers GET /organizations/users: the query parameter `status` (string, optional)',
  ],
  'another permission': [
    ({ paths }) => {
      paths[users].get.security = [];
    },
    'changed operation listUsers GET /organizations/users: It required organizationToken with `can_manage_users`',
  ],
  'an added status': [
    ({ paths }) => {
      paths[users].get.responses[418] = { description: 'No.' };
    },
    'added operation listUsers GET /organizations/users: can respond with 418.',
  ],
  'an added field': [
    ({ components }) => {
      components.schemas.User.properties.locale = { type: 'string' };
    },
    'added schema User: `locale` (string, optional)',
  ],
  'a removed field': [
    ({ components }) => delete components.schemas.User.properties.email,
    'removed schema User: `email`',
  ],
  'another bound': [
    ({ components }) => {
      components.schemas.PersonName.maxLength += 1;
    },
    'changed schema PersonName: It must have at most ',
  ],
  'a further value': [
    ({ components }) => components.schemas.ErrorCode.enum.push('quota_exceeded'),
    'added error code quota_exceeded',
  ],
  'an added event': [
    ({ webhooks }) => {
      webhooks['link.expired'] = webhooks['link.used'];
    },
    'added event link.expired',
  ],
  'other words': [
    ({ paths }) => {
      paths[users].get.summary = 'All users';
    },
    'documentation operation listUsers GET /organizations/users',
  ],
  'another guide': [
    ({ tags }) => {
      tags[0].description += '\n\nMore.';
    },
    'documentation guide Quick start',
  ],
  'another introduction': [
    ({ info }) => {
      info.description += '\n\nMore.';
    },
    'documentation contract contract: `info.description`',
  ],
  'another order of the guides': [
    (bundle) => bundle['x-tagGroups'][0].tags.reverse(),
    'documentation contract contract: `x-tagGroups`',
  ],
  'another text about credentials': [
    ({ components }) => {
      components.securitySchemes.accessToken.description += ' More.';
    },
    'documentation contract contract: the credentials `accessToken`',
  ],
};

function changedBy(change: (bundle: Bundle) => void) {
  const changed = structuredClone(contract);
  change(changed);
  expect(changed, 'the case changes nothing: adapt it to the contract').not.toEqual(contract);
  return changed;
}

test('spec:diff reports each change once, and nothing else', async () => {
  const changed = changedBy((bundle) => {
    for (const [change] of Object.values(changes)) change(bundle);
  });
  const found = (await differences(contract, changed, redocly)).changes.map(
    ({ kind, subject, name, route, text }) =>
      [kind, subject, name, route]
        .filter(Boolean)
        .join(' ')
        .concat(text && `: ${text}`),
  );
  for (const [name, [, expected]] of Object.entries(changes)) {
    expect(found.splice(found.findIndex((text) => text.startsWith(expected)) >>> 0, 1), name).toHaveLength(1);
  }
  expect(found).toEqual([]);
});

test('spec:diff reports a deprecation once, although the bundle completes texts with it', () => {
  const dates = { deprecated: true, 'x-deprecated-since': '2026-12-01', 'x-sunset': '2027-12-01' };
  const note = 'Deprecated since 1 December 2026; stops working on 1 December 2027.';
  const changed = changedBy((bundle) => {
    const { get } = bundle.paths[users];
    Object.assign(get, dates, { description: `${get.description}\n\n${note}` });
    Object.assign(bundle.components.schemas.User.properties.email, dates, { description: note });
    completeDeprecations(bundle);
    bundle.tags.push({ name: 'end' });
  });
  expect(changesIn(contract, changed).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'deprecated listUsers',
    'deprecated User',
    'added end',
  ]);
});

describe('a changelog entry', () => {
  const entryFor = async (changed: Bundle) => {
    return changelogEntry(contract, changed, await differences(contract, changed, redocly));
  };

  test('says if nothing changed', async () => {
    expect(await entryFor(contract)).toBe(`## Since ${contract.info.version}\n\nNo changes.\n`);
  });

  test('has a section for each kind of change under the new version, and first what to do', async () => {
    const changed = changedBy((bundle) => {
      bundle.info.version = '3.99.0';
      bundle.components.schemas.User.properties.locale = { type: 'string' };
      bundle.components.schemas.UserStatus.enum = ['ACTIVE'];
      bundle.paths[users].get.deprecated = true;
    });
    expect(await entryFor(changed)).toBe(`## 3.99.0

### What to do

- \`components schemas UserStatus\`: Lost \`TERMINATED\`.
- \`listUsers\` (\`GET /organizations/users\`): deprecated.

### Added

- \`User\`: \`locale\` (string, optional)

### Deprecated

- \`listUsers\` (\`GET /organizations/users\`): deprecated.

### Removed

- \`UserStatus\`: the value \`TERMINATED\`
`);
  });

  test('has nothing of a schema that only got a name, or another one', async () => {
    const changed = changedBy(({ components: { schemas } }) => {
      schemas.Nickname = schemas.Profile.properties.title;
      schemas.Profile.properties.title = { $ref: '#/components/schemas/Nickname' };
      schemas.Person = { ...schemas.Profile, description: schemas.Profile.description };
      schemas.User.properties.profile = { $ref: '#/components/schemas/Person' };
    });
    expect(await entryFor(changed)).toMatch(/ 3\.\d+\.\d+\n\nNo changes\.\n$/);
    changed.components.schemas.Nickname.maxLength = 7;
    expect(changesIn(contract, changed).map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'Profile: `title` must have at most 7 characters.',
      'User: `profile.title` must have at most 7 characters.',
    ]);
  });

  test('says what a new permission allows, as its guide does', async () => {
    const changed = changedBy((bundle) => {
      bundle.paths[users].get.security = [{ organizationToken: ['can_edit_notes'] }];
      const guide = bundle.tags.find(({ name }: { name: string }) => name === 'authentication');
      guide.description = guide.description.replace(
        /(?=\| `can_reset_2fa`)/,
        '| `can_edit_notes` | add and delete notes, see [Notes](#/notes) |\n',
      );
    });
    expect(await entryFor(changed)).toContain(
      '- Permission `can_edit_notes`: add and delete notes, see [Notes](#/notes)\n',
    );
  });

  test('says which texts of the contract itself differ', async () => {
    const changed = changedBy(({ info, components }) => {
      info.title = 'Another';
      info.description = 'Another.';
      components.securitySchemes.accessToken.description = 'Another.';
    });
    expect(await entryFor(changed)).toContain(
      '### Documentation\n\n- The contract: the credentials `accessToken`, `info.title`, `info.description`\n',
    );
  });

  test('names the former path of an operation whose path has changed', async () => {
    const changed = changedBy(({ paths }) => {
      paths['/organizations/users/{person}'] = paths['/organizations/users/{userId}'];
      delete paths['/organizations/users/{userId}'];
    });
    expect(await entryFor(changed)).toContain(
      '- `getUser` (`GET /organizations/users/{person}`): The path was `/organizations/users/{userId}`.\n',
    );
  });

  test('says what an added header, parameter, status and limit mean for callers', async () => {
    const changed = changedBy((bundle) => {
      const { get } = bundle.paths[users];
      const header = { description: 'How old the list is. In seconds.', schema: { type: 'integer' } };
      get.responses['200'].headers = { ...get.responses['200'].headers, Age: header };
      get.responses['418'] = structuredClone(bundle.components.responses.TooManyRequests);
      get.responses['418'].headers.Age = header;
      get.parameters = [
        ...(get.parameters ?? []),
        { name: 'sort', in: 'query', description: 'The order. Default: name.', schema: { type: 'string' } },
      ];
      bundle.components.schemas.ProfileUpdate.properties.title.maxLength = 50;
    });
    const entry = await entryFor(changed);
    const operation = '`listUsers` (`GET /organizations/users`)';
    expect(entry).toContain(`- ${operation}: responses have the header \`Age\`. How old the list is.\n`);
    expect(entry.match(/`Age`/g)).toHaveLength(1);
    expect(entry).toContain(`- ${operation}: can respond with 418: \`rate_limit_exceeded\`.\n`);
    expect(entry).toContain('the query parameter `sort` (string, optional). The order.\n');
    expect(entry).toContain('`title` must have at most 50 characters.\n');
  });

  test('names a few of many operations to which the same happened', async () => {
    const changed = changedBy(
      ({ components }) => delete components.responses.TooManyRequests.headers['Retry-After'],
    );
    expect(await entryFor(changed)).toMatch(
      /^- `listUsers`, `\w+`, `\w+` and \d+ more operations: The header `Retry-After` is no longer sent with 429\.$/m,
    );
  });
});

describe('a part that is gone from the contract, or has another value', () => {
  /** Every place of the document at which something stands, for whose names clients or readers care. */
  const places = pointersIn({
    paths: contract.paths,
    webhooks: contract.webhooks,
    components: contract.components,
  })
    .filter((path) => !path.includes('errors'))
    .filter((path) => !/^(?:\$ref|operationId|name|in|\d+)$/.test(path.at(-1) ?? ''))
    // An event asks for no credentials with `security` or without.
    .filter((path) => path[0] !== 'webhooks' || path.at(-1) !== 'security');
  const from = normalized(contract);
  const alterations: Record<string, (node: Bundle, key: string) => void> = {
    gone: (node, key) => delete node[key],
    'with another value': (node, key) => {
      if (typeof node[key] === 'number') node[key] += 1;
      else if (typeof node[key] === 'boolean') node[key] = !node[key];
      else if (typeof node[key] === 'string') node[key] += ' other';
      else delete node[key];
    },
  };

  test.each(Object.entries(alterations))('%s, is a sentence of the changelog', (_, alter) => {
    const problems: string[] = [];
    for (const path of places.filter((_, index) => index % 97 === 0)) {
      const changed = structuredClone(contract);
      const node = path.slice(0, -1).reduce((part, key) => part[key], changed);
      const key = path.at(-1) ?? '';
      alter(node, key);
      const found = attempt(() => changesIn(from, normalized(changed)));
      // What no longer resolves is no contract: the lint says so.
      if (!found) continue;
      const texts = lines('changed', found);
      if (texts.length === 0) problems.push(`${path.join(' ')}: nothing`);
      for (const text of texts)
        if (/undefined|\[object|: *(?:object|string)$|``/.test(text))
          problems.push(`${path.join(' ')}: ${text}`);
    }
    expect(problems).toEqual([]);
  });
});

function pointersIn(node: Bundle, path: string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    [...path, key],
    ...pointersIn(value, [...path, key]),
  ]);
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

test.each([
  ['9.9.9', '9.9.9 was never released: spec/releases/9.9.9.json does not exist.'],
  ['gone.json', 'gone.json cannot be read.'],
  ['package.json', 'package.json is not a bundled OpenAPI document.'],
  ['no-such-thing', '"no-such-thing" is not a released version, a .json file or a Git revision.'],
  ['--output=x', '"--output=x" is not a released version, a .json file or a Git revision.'],
])('spec:diff refuses to compare with %s', async (name, message) => {
  await expect(sourceNamed(name, root)).rejects.toThrow(message);
});
