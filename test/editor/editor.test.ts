import { readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { temporaryDirectory } from '../../scripts/command-line/temporary-directory.ts';
import { completionsAt } from '../../scripts/editor/completion.ts';
import { diagnosticOf } from '../../scripts/editor/diagnostics.ts';
import { declarationAt } from '../../scripts/editor/navigation.ts';
import { quickFixOf } from '../../scripts/editor/quick-fixes.ts';
import { fileOf, sourcesOf } from '../../scripts/editor/sources.ts';
import { errorCodes, eventTypes, operations, permissions } from '../../scripts/editor/vocabulary.ts';

const root = new URL('../../', import.meta.url);
const saved = sourcesOf(root, []);
const generated = (file: string) => JSON.parse(readFileSync(new URL(`generated/${file}`, root), 'utf8'));

/** The file as an editor has it, with a cursor where the text has a `|`. */
function editing(file: string, marked: string) {
  const offset = marked.indexOf('|');
  const document = TextDocument.create(new URL(file, root).href, 'yaml', 1, marked.replace('|', ''));
  return { file, sources: sourcesOf(root, [document]), position: document.positionAt(offset) };
}

function completed(file: string, marked: string): string[] {
  const { sources, position } = editing(file, marked);
  return completionsAt(sources, file, position).map(({ textEdit }) => textEdit?.newText ?? '');
}

/** `file:line name text` of what the name at the cursor stands for. */
function declared(file: string, marked: string): string {
  const { sources, position } = editing(file, marked);
  const term = declarationAt(sources, file, position);
  if (!term) return 'nothing';
  const { line } = sources.document(term.file).positionAt(term.offset);
  return `${term.file}:${line + 1} ${term.name} ${term.text}`.trim();
}

const names = (terms: { name: string }[]) => terms.map(({ name }) => name).sort();

describe('the names that editors complete', () => {
  test('are the operations, error codes and event types of the contract', () => {
    const { paths, webhooks, components } = generated('openapi.json');
    const methods = Object.values(paths).flatMap((item) => Object.values(item as object));
    const ids = methods.flatMap((method: { operationId?: string }) => method.operationId ?? []);
    expect(names(operations(saved))).toEqual(ids.sort());
    expect(names(errorCodes(saved))).toEqual([...components.schemas.ErrorCode.enum].sort());
    expect(names(eventTypes(saved))).toEqual(Object.keys(webhooks).sort());
  });

  test('are permissions, each of which an operation requires or a role may have', () => {
    const known: string[] = generated('role-permissions.json').enum;
    expect(permissions(saved).length).toBeGreaterThan(3);
    for (const { name, text } of permissions(saved)) {
      expect(known).toContain(name);
      expect(text).not.toBe('');
    }
  });
});

describe('completion', () => {
  const operation = 'a:\n  get:\n    ';
  const completes: [what: string, file: string, marked: string, expected: string][] = [
    [
      'a permission',
      'spec/paths/a.yaml',
      `${operation}security:\n      - accessToken: [|`,
      'can_manage_users',
    ],
    [
      'a permission after another',
      'spec/paths/a.yaml',
      `${operation}security:\n      - accessToken: [can_reset_2fa, can_|]`,
      'can_manage_users',
    ],
    [
      'a permission of a list with dashes',
      'spec/paths/a.yaml',
      `${operation}security:\n    - accessToken:\n      - can|`,
      'can_manage_users',
    ],
    [
      'an error code of an example',
      'spec/examples/a.yaml',
      'a:\n  value:\n    errors:\n      - code: us|',
      'user_not_found',
    ],
    ['an event type of an example', 'spec/examples/a.yaml', 'a:\n  value:\n    type: user.|', 'user.updated'],
    [
      'an event type of a payload',
      'spec/schemas/a.yaml',
      'A:\n  properties:\n    type:\n      enum: [|]',
      'user.updated',
    ],
    ['a name in a text', 'spec/paths/a.yaml', `${operation}description: Sends \`user.|`, 'user.updated'],
    [
      'the operation of a link',
      'spec/paths/a.yaml',
      `${operation}responses:\n      '200':\n        links:\n          user:\n            operationId: |`,
      'getUser',
    ],
    [
      'the operation of a step',
      'spec/arazzo/a.yaml',
      'workflows:\n  - steps:\n      - stepId: a\n        operationId: get|',
      'getUser',
    ],
    ['a file', 'spec/paths/a.yaml', 'a: { $ref: ../sch|', '../schemas/users.yaml#/'],
    [
      'a name in a file',
      'spec/paths/a.yaml',
      'a: { $ref: ../schemas/users.yaml#/Us|',
      '../schemas/users.yaml#/UserPage',
    ],
    [
      'a part of a name in a file',
      'spec/paths/a.yaml',
      'a:\n  $ref: ../schemas/users.yaml#/UserPage/|\n',
      '../schemas/users.yaml#/UserPage/properties',
    ],
    ['a name in the same file, in quotes', 'spec/schemas/a.yaml', 'Own: {}\nA:\n  $ref: #/O|', "'#/Own'"],
  ];
  test.each(completes)('offers %s', (_, file, marked, expected) => {
    expect(completed(file, marked)).toContain(expected);
  });

  const nothing: [where: string, file: string, marked: string][] = [
    ['where an operation gets its name', 'spec/paths/a.yaml', `${operation}operationId: |`],
    ['in a text', 'spec/paths/a.yaml', `${operation}summary: code|`],
    ['for a key', 'spec/paths/a.yaml', `${operation}su|`],
  ];
  test.each(nothing)('offers nothing %s', (_, file, marked) => {
    expect(completed(file, marked)).toEqual([]);
  });
});

describe('a declaration', () => {
  test.each([
    [
      'a reference',
      'a: { $ref: ../schemas/users.yaml#/User|Page }',
      /^spec\/schemas\/users\.yaml:\d+ UserPage `object` One page/,
    ],
    ['a guide', 'a: { $ref: ../guides/errors|.md }', /^spec\/guides\/errors\.md:1 /],
    ['an operation', 'a:\n  operationId: get|User', /^spec\/paths\/users\.yaml:\d+ getUser Get a user$/],
    [
      'the long form of an operation',
      'a:\n  operationId: $sourceDescriptions.platform.get|User',
      /^spec\/paths\/users\.yaml:\d+ getUser /,
    ],
    ['an alias', 'a: &some 1\nb: &some 2\nc: *so|me\nd: &some 3', /^spec\/paths\/a\.yaml:2 some$/],
    ['a permission', 'a: [can_manage|_users]', /^spec\/guides\/authentication\.md:\d+ can_manage_users list/],
    ['an error code', 'a: user_not|_found', /^spec\/schemas\/errors\.yaml:\d+ user_not_found /],
    ['an event type', 'a: Sends `user.|updated`.', /^spec\/openapi\.yaml:\d+ user\.updated A user's profile/],
    ['a reference to nothing', 'a: { $ref: ../schemas/users.yaml#/No|body }', /^nothing$/],
    ['a reference to no file', 'a: { $ref: ../schemas/no|body.yaml#/User }', /^nothing$/],
    ['an unknown alias', 'a: *so|me', /^nothing$/],
    ['any other word', 'a: some|thing', /^nothing$/],
  ])('of %s', (_, marked, expected) => {
    expect(declared('spec/paths/a.yaml', marked)).toMatch(expected);
  });
});

describe('a finding', () => {
  const file = 'spec/schemas/a.yaml';
  const at = (line: number, column: number) => ({ file, line, column });
  const finding = { ...at(2, 3), rule: 'struct', message: 'Wrong.', severity: 'error' as const };

  test('covers the value at its place, with how to fix it and the other places of its cause', () => {
    const { sources } = editing(file, "A:\n  type: 'text'\nB:\n  type: text # no\n|");
    expect(diagnosticOf({ ...finding, column: 9, fix: 'Mend it.', also: [at(4, 9)] }, sources)).toEqual({
      range: { start: { line: 1, character: 8 }, end: { line: 1, character: 14 } },
      severity: 1,
      source: 'contract',
      code: 'struct',
      message: 'Wrong.\nMend it.',
      relatedInformation: [
        {
          location: {
            uri: new URL(file, root).href,
            range: { start: { line: 3, character: 8 }, end: { line: 3, character: 12 } },
          },
          message: 'The same.',
        },
      ],
    });
  });

  test('covers only the first line of a text, and the rest of a line that does not parse', () => {
    const { sources } = editing(file, 'A:\n  description: >-\n    One\n    two\nB: [a\n|');
    const endOf = (line: number, column: number) =>
      diagnosticOf({ ...finding, line, column }, sources).range.end;
    expect(endOf(2, 16)).toEqual({ line: 1, character: 17 });
    expect(endOf(5, 4)).toEqual({ line: 4, character: 5 });
  });

  /** The text after the fix, or undefined. */
  function fixed(text: string, message: string, [line, column]: [number, number]): string | undefined {
    const { sources } = editing(file, `${text}|`);
    const fix = quickFixOf({ ...finding, line, column, message }, sources);
    const document = sources.document(file);
    return fix && TextDocument.applyEdits(document, fix.edit.changes?.[document.uri] ?? []);
  }
  const nullable = 'Property `nullable` is not expected here.';

  test.each([
    [
      'A:\n  type: string\n  nullable: true\n  maxLength: 3\n',
      [3, 3],
      "A:\n  type: [string, 'null']\n  maxLength: 3\n",
    ],
    ['A:\n  nullable: true\n  type: string\n', [2, 3], "A:\n  type: [string, 'null']\n"],
    ['A: { type: string, nullable: true }\n', [1, 20], "A: { type: [string, 'null'] }\n"],
    ['A: { nullable: true, type: string }\n', [1, 6], "A: { type: [string, 'null'] }\n"],
  ] as [string, [number, number], string][])('about `nullable` is fixed in %j', (text, place, expected) => {
    expect(fixed(text, nullable, place)).toBe(expected);
  });

  test.each([
    ['`nullable` without a type', "A:\n  $ref: '#/B'\n  nullable: true\n", nullable, [3, 3]],
    ['`nullable: false`', 'A:\n  type: string\n  nullable: false\n', nullable, [3, 3]],
    [
      'a misspelt key whose right name is there, too',
      'A:\n  type: string\n  tpye: string\n',
      'Property `tpye` is not expected here. Did you mean `type`?',
      [3, 3],
    ],
    ['no suggestion', 'A:\n  kind: string\n', 'Property `kind` is not expected here.', [2, 3]],
  ] as [string, string, string, [number, number]][])('has no fix for %s', (_, text, message, place) => {
    expect(fixed(text, message, place)).toBeUndefined();
  });
});

test('only spec/ and redocly.yaml are files of the contract', () => {
  const name = (path: string) => fileOf(root, new URL(path, root).href);
  expect(name('spec/paths/users.yaml')).toBe('spec/paths/users.yaml');
  expect(name('spec/paths/new%20file.yaml')).toBe('spec/paths/new file.yaml');
  expect(name('redocly.yaml')).toBe('redocly.yaml');
  expect(name('package.json')).toBeUndefined();
  expect(fileOf(root, 'untitled:Untitled-1')).toBeUndefined();
});

test('a file that the editor reaches by a symbolic link keeps the URI of the editor', async () => {
  await using directory = await temporaryDirectory('link');
  const link = pathToFileURL(join(directory.path, 'project')).href;
  symlinkSync(fileURLToPath(root), fileURLToPath(link));
  const uri = `${link}/spec/paths/users.yaml`;
  expect(fileOf(root, uri)).toBe('spec/paths/users.yaml');
  const sources = sourcesOf(root, [TextDocument.create(uri, 'yaml', 1, 'unsaved: {}')]);
  expect(sources.document('spec/paths/users.yaml')).toMatchObject({ uri });
  expect(sources.document('spec/paths/users.yaml').getText()).toBe('unsaved: {}');
});

describe('the extension for Visual Studio Code', () => {
  const folder = new URL('.vscode/extensions/contract/', root);
  const manifest = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  const { resolve } = createRequire(new URL(manifest.main, folder));

  test('finds its packages in the project', () => {
    expect(resolve('vscode-languageclient/node')).toContain('node_modules');
  });

  test('starts the file that the npm script starts, in a version of the editor that its client supports', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
    const code = readFileSync(new URL(manifest.main, folder), 'utf8');
    const [, command = ''] = /exec node (.*)/.exec(scripts.editor) ?? [];
    for (const argument of command.split(' ')) expect(code).toContain(`'${argument}'`);
    const client = JSON.parse(
      readFileSync(new URL('node_modules/vscode-languageclient/package.json', root), 'utf8'),
    );
    expect(manifest.engines.vscode).toBe(client.engines.vscode);
  });
});
