import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { permissions } from '../../generated/operations.ts';
import rolePermissions from '../../generated/role-permissions.json' with { type: 'json' };
import type { PlatformFileError } from '../../server/src/manifest/platform-file.ts';
import { parsePlatformFile, readPlatformFile } from '../../server/src/manifest/read.ts';
import { smallPlatform } from './small-platform.ts';

/** The error lines of a text. */
function errorLines(text: string): string[] {
  try {
    parsePlatformFile(text, 'p.yaml');
  } catch (error) {
    return (error as PlatformFileError).lines;
  }
  return [];
}
const changed = (...[from, to]: [string, string]) => errorLines(smallPlatform.replace(from, to));

describe('the platform file', () => {
  test('is read with its defaults, and without those of fields that keep their stored value', () => {
    const { environments } = parsePlatformFile(smallPlatform, 'p.yaml');
    expect(environments.production?.users[0]).toMatchObject({ status: 'ACTIVE', title: '', mfaFactors: [] });
    const [workspace] = environments.production?.workspaces ?? [];
    expect(workspace).toMatchObject({ builtInRoles: {} });
    expect(workspace?.workflowDefinitions[0]).not.toHaveProperty('defaultLocale');
  });

  test('is not a workflow definition', () => {
    expect(errorLines('QueryLanguage: JSONata\nStartAt: A\nStates: {}\n')).toEqual([
      'p.yaml:1:1 is a workflow definition: name it in a platform file, as "definition: ./p.yaml"',
    ]);
  });

  test('reports all errors at once, each with its line', () => {
    const text = smallPlatform
      .replace('type: LIVE', 'type: LIFE')
      .replace("revision: '1'", 'revision: 1')
      .replace('firstName: Ada', 'fristName: Ada');
    expect(errorLines(text)).toEqual([
      'p.yaml:5:9 environments.production.users[0].firstName is missing',
      expect.stringMatching(
        /^p\.yaml:5:36 environments\.production\.users\[0\]\.fristName is not a known property: use id, email/,
      ),
      'p.yaml:9:15 environments.production.workspaces[0].type must be one of LIVE, SANDBOX',
      'p.yaml:25:23 environments.production.workspaces[0].workflowDefinitions[0].revision must be a string: put it in quotes',
    ]);
  });

  test.each<[string, [string, string], string]>([
    ['broken YAML', ['users:', 'users'], 'p.yaml:4:5 '],
    ['a duplicate key', ['    users:', '    organization: { name: X }\n    users:'], 'p.yaml:4:5 '],
    [
      'a duplicate email address',
      ['email: ben@', 'email: ADA@'],
      'p.yaml:6:18 environments.production.users[1].email is already the address of another user',
    ],
    [
      'a permission on an object of the wrong type',
      [', on: organization', ''],
      'p.yaml:15:29 environments.production.workspaces[0].roles[0].permissions[2].relation can_manage_users requires "on: organization"',
    ],
    [
      'a role named like a built-in role',
      ['name: Inspector', 'name: Viewer'],
      'p.yaml:11:19 environments.production.workspaces[0].roles[0].name is a built-in role: use builtInRoles',
    ],
    [
      'an invalid identifier',
      ['name: Boats', 'name: Boats\n        id: boats'],
      'p.yaml:9:13 environments.production.workspaces[0].id must be a UUID in lower case',
    ],
    [
      'a date without a time zone',
      ['role: owner', 'role: owner,\n        createdDateTime:\n          2026-01-12T09:00:00'],
      'p.yaml:7:11 environments.production.users[0].createdDateTime must be a date and time with a time zone',
    ],
    [
      'indistinguishable records',
      ['name: Hull 2', 'name: Hull 1'],
      'p.yaml:20:31 environments.production.workspaces[0].tables[0].records[0].name is not unique: add an id to each',
    ],
    [
      'a character that cannot be stored',
      ['name: Boats', 'name: "Bo\\0ats"'],
      'p.yaml:8:15 environments.production.workspaces[0].name contains a character that cannot be stored',
    ],
    [
      'a LIVE workspace in the sandbox',
      ['production:', 'sandbox:'],
      'p.yaml:9:15 environments.sandbox.workspaces[0].type must be SANDBOX in the sandbox environment',
    ],
    [
      'excessive aliases',
      [
        'environments:',
        'x: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\ny: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nz: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nw: [*c, *c, *c, *c, *c, *c]\nenvironments:',
      ],
      'p.yaml:1:1 Excessive alias count',
    ],
  ])('refuses %s', (_what, change, line) => {
    const lines = changed(...change);
    expect(lines[0]).toSatisfy(
      (first: string) => first.startsWith(line),
      `${lines[0]} does not begin with ${line}`,
    );
  });

  test('refuses an empty file, and one that is not a mapping', () => {
    expect(errorLines('')).toEqual(['p.yaml:1:1 must be a mapping']);
    expect(errorLines('- a')).toEqual(['p.yaml:1:1 must be a mapping']);
  });

  test('stores names in Unicode NFC', () => {
    const text = smallPlatform.replace('firstName: Ada', 'firstName: "E\\u0301va"');
    expect(parsePlatformFile(text, 'p.yaml').environments.production?.users[0]?.firstName).toBe('Éva');
  });

  test('accepts every permission that an operation requires', () => {
    expect(rolePermissions.enum).toEqual([...permissions, 'can_edit_data'].toSorted());
  });
});

describe('a definition in a file of its own', () => {
  const inline = /definition:\n( {14}.*\n)+/;
  /** Reads a platform file whose definition is in another one. */
  const readWith = async (named: string, files: Record<string, string>) => {
    const directory = await mkdtemp(join(tmpdir(), 'wrp-definitions-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await mkdir(join(directory, 'flows'));
    expect(smallPlatform).toMatch(inline);
    files = { 'p.yaml': smallPlatform.replace(inline, `definition: ${named}\n`), ...files };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    return readPlatformFile(join(directory, 'p.yaml'), 'p.yaml').catch(
      (error: PlatformFileError) => error.lines,
    );
  };
  const document = { QueryLanguage: 'JSONata', StartAt: 'a.b', States: { 'a.b': { Type: 'Succeed' } } };

  test.each([
    ['JSON', './flows/claims.asl.json', JSON.stringify(document)],
    [
      'YAML',
      'flows/claims.asl.yaml',
      'QueryLanguage: JSONata\nStartAt: a.b\nStates: { a.b: { Type: Succeed } }\n',
    ],
  ])('is read as %s, relative to the platform file', async (_, named, text) => {
    expect(await readWith(named, { [named]: text })).toMatchObject({
      environments: { production: { workspaces: [{ workflowDefinitions: [{ definition: document }] }] } },
    });
  });

  test('is read wherever an alias repeats its declaration', async () => {
    const named = smallPlatform.replace(inline, 'definition: f.json\n');
    const text = `${named.replace('workflowDefinitions:', 'workflowDefinitions: &all')}      - name: Second
        type: LIVE
        workflowDefinitions: *all
`;
    const workflowDefinitions = [{ definition: document }];
    expect(await readWith('f.json', { 'p.yaml': text, 'f.json': JSON.stringify(document) })).toMatchObject({
      environments: { production: { workspaces: [{ workflowDefinitions }, { workflowDefinitions }] } },
    });
  });

  test('has its errors at their places in it, after those of the platform file', async () => {
    const text =
      '{\n  "QueryLanguage": "JSONata", "StartAt": "a.b",\n  "States": { "a.b": { "Type": "Fly" } }\n}';
    const lines = await readWith('flows/f.json', { 'flows/f.json': text });
    expect(lines).toEqual([expect.stringMatching(/^flows\/f\.json:3:32 \/States\/a\.b\/Type /)]);
  });

  test('that is missing or cut off is one line', async () => {
    const prefix = 'environments\\.production\\.workspaces\\[0\\]\\.workflowDefinitions\\[0\\]\\.definition';
    expect(await readWith('none.json', {})).toEqual([
      expect.stringMatching(`^p\\.yaml:\\d+:\\d+ ${prefix} cannot be read: none\\.json: no such file`),
    ]);
    expect(await readWith('cut.json', { 'cut.json': '{' })).toEqual([
      expect.stringMatching(/^cut\.json:1:2 /),
    ]);
  });
});
