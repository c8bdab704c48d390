import { afterAll, expect, test } from 'vitest';
import { grouped } from '../../../scripts/contract/lint/finding.ts';
import { openRedocly } from '../../../scripts/contract/redocly/redocly.ts';
import { lintContract } from '../../../scripts/contract/source.ts';
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
  expect(names).toEqual(expect.arrayContaining(Object.keys(exceptions)));
});

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
  } finally {
    await project.save(file, before);
  }
}
