import { afterAll, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { grouped, type ReportedFinding } from '../../../scripts/contract/lint/finding.ts';
import { openRedocly } from '../../../scripts/contract/redocly/redocly.ts';
import { lintContract } from '../../../scripts/contract/source.ts';
import { quickFixOf } from '../../../scripts/editor/quick-fixes.ts';
import { fileOf, sourcesOf } from '../../../scripts/editor/sources.ts';
import { copyProject } from '../../../scripts/laboratory/project-copy.ts';
import { type Mistake, mistakes } from './mistakes.ts';

const project = await copyProject();
const redocly = openRedocly(project.root);
afterAll(async () => {
  redocly.close();
  await project.remove();
});

/** The line of a text, or of the first difference. */
async function expectedPlace({ file, at }: Mistake, before: string): Promise<string> {
  const where = at?.file ?? file;
  const text = await project.read(where);
  const offset = at
    ? text.indexOf(at.text)
    : [...text].findIndex((letter, index) => letter !== before[index]);
  if (offset < 0 && text !== '')
    throw new Error(`${where} has no ${at?.text}: adapt the mistake to the contract.`);
  return `${where}:${text.slice(0, offset).split('\n').length}`;
}

/** Mistakes of which not all is right yet, and what is wrong. */
const exceptions: Record<string, string> = {
  'a path that is listed under another parameter':
    'it is shown at the operations of the path, not at the path',
  'a path parameter without an entry': 'it is shown at the operations of the path, not at its parameters',
};

test('there are a hundred mistakes, and five exceptions at most', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(100);
  expect(Object.keys(exceptions).length).toBeLessThanOrEqual(5);
  const names = mistakes.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names).toEqual(expect.arrayContaining([exceptions, quickFixes].flatMap(Object.keys)));
});

/** The titles of the fixes that editors offer. */
const quickFixes: Record<string, string> = {
  '`nullable` of OpenAPI 3.0': "Change to `[string, 'null']`",
  'a file that does not exist': 'Change to `users.yaml`',
  'a key with a trailing space': 'Change to `summary`',
  'a link in a description that leads nowhere': 'Change to `users`',
  'a link to an operation that does not exist': 'Change to `getUser`',
  'a local reference that does not exist': 'Change to `PersonName`',
  'a media type that is misspelt': 'Change to `application/json`',
  'a mismatch inside an alias': 'Change to `user_not_found`',
  'a misspelt field of a parameter': 'Change to `required`',
  'a misspelt field of a response': 'Change to `description`',
  'a misspelt field of a schema': 'Change to `maxLength`',
  'a misspelt field of an operation': 'Change to `summary`',
  'a misspelt method': 'Change to `get`',
  'a misspelt security field': 'Change to `bearerFormat`',
  'a name that does not exist': 'Change to `UserPage`',
  'a permission that does not exist': 'Change to `can_manage_users`',
  'a response that does not exist': 'Change to `Forbidden`',
  'a scheme that does not exist': 'Change to `organizationToken`',
  'a set of headers that does not exist': 'Change to `authenticated`',
  'an error code that is misspelt in an example': 'Change to `permission_denied`',
  'an event that refers to a schema that does not exist': 'Change to `UserUpdated`',
  'an example with a value that is not in the enum': 'Change to `ACTIVE`',
  'an integer without a format': 'Add `format: int64`',
  'an open request': 'Add `additionalProperties: false`',
  'an unquoted null among the types': "Change to `'null'`",
  'dates of what is not deprecated': 'Add `deprecated: true`',
};

const isException = ({ name }: Mistake) => name in exceptions;
test.each(mistakes.filter((one) => !isException(one)))('$name', judge);
test.fails.each(mistakes.filter(isException))('$name is an exception', judge);

test('a mistake does not hide another one elsewhere', async () => {
  const edits: [file: string, from: string, to: string][] = [
    ['spec/schemas/users.yaml', '  maxLength: 100\nUser:', '  minLength: 200\n  maxLength: 100\nUser:'],
    ['spec/examples/organization.yaml', 'workspaceType: LIVE', 'workspaceType: LIV'],
  ];
  const before = await Promise.all(edits.map(([file]) => project.read(file)));
  for (const [file, from, to] of edits) await project.edit(file, (text) => text.replace(from, to));
  const found = grouped(await lintContract(project.root, redocly));
  for (const [index, [file]] of edits.entries()) await project.save(file, before[index] ?? '');
  expect(found.map(({ file, rule }) => [file, rule])).toEqual([
    ['spec/schemas/users.yaml', 'contract/possible-schemas'],
    ['spec/examples/organization.yaml', 'no-invalid-media-type-examples'],
  ]);
});

async function judge(mistake: Mistake): Promise<void> {
  const { file, edit, rule, says } = mistake;
  const before = await project.read(file);
  await project.edit(file, (text) => text.replace(edit[0], () => edit[1]));
  try {
    const found = grouped(await lintContract(project.root, redocly));
    const place = await expectedPlace(mistake, before);
    const shown = found.map(
      ({ file, line, rule, message, fix = '', also = [] }) =>
        `${file}:${line} ${rule} ${message} ${fix} (${also.length} more)`,
    );
    const [{ message = 'nothing', fix = '' } = {}] = found;
    expect(`${message} ${fix}`, shown.join('\n')).toMatch(says);
    expect(shown[0], shown.join('\n')).toContain(`${place} ${rule} `);
    expect(shown, shown.join('\n')).toHaveLength(1);
    const title = await fixed(found[0]);
    expect(title).toBe(quickFixes[mistake.name]);
  } finally {
    await project.save(file, before);
  }
}

/** Applies the fix that editors offer for a finding, and expects it to leave none. @returns its title */
async function fixed(finding: ReportedFinding | undefined): Promise<string | undefined> {
  const fix = finding && quickFixOf(finding, sourcesOf(project.root, []));
  if (!fix) return undefined;
  const before = new Map<string, string>();
  try {
    for (const [uri, edits] of Object.entries(fix.edit.changes ?? {})) {
      const file = fileOf(project.root, uri) ?? '';
      const text = await project.read(file);
      before.set(file, text);
      await project.save(file, TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 0, text), edits));
    }
    const left = grouped(await lintContract(project.root, redocly));
    // A permission that is mistyped for both schemes is reported for one after the other.
    if ((await fixed(left[0])) === undefined) expect(left).toEqual([]);
    return fix.title;
  } finally {
    for (const [file, text] of before) await project.save(file, text);
  }
}
