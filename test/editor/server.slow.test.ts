import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { CodeAction, CompletionItem, Hover, Location } from 'vscode-languageserver/node';
import { copyProject } from '../../scripts/laboratory/project-copy.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { startEditor } from './editor-process.ts';

vi.setConfig({ testTimeout: scaledTimeout(60_000) });
const users = 'spec/paths/users.yaml';
const examples = 'spec/examples/errors.yaml';

const project = await copyProject();
const text = await project.read(users);
const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('wrp-editor-'));
const before = copies();
const editor = await startEditor(project.directory);
const copy = copies().filter((name) => !before.includes(name));
afterAll(async () => {
  editor.child.kill();
  await editor.exited;
  await project.remove();
});

const isEmpty = (some: unknown[]) => some.length === 0;

describe('the language server', () => {
  test('offers what it can do', () => {
    expect(Object.keys(editor.capabilities)).toEqual(
      expect.arrayContaining([
        'hoverProvider',
        'definitionProvider',
        'completionProvider',
        'codeActionProvider',
      ]),
    );
  });

  test('shows a finding of an unsaved text at its key, with how to fix it', async () => {
    await editor.change(users, text.replace('summary: List the users', 'sumary: List the users'));
    const [finding] = await editor.shown(users, (some) => some.length > 0);
    const line = text.split('\n').findIndex((one) => one.includes('summary: List the users'));
    expect(finding).toMatchObject({
      range: { start: { line, character: 4 }, end: { line, character: 10 } },
      severity: 1,
      source: 'contract',
      code: 'struct',
      message: expect.stringContaining('Did you mean `summary`?\nCompare with'),
    });
    expect(await project.read(users)).toBe(text);
  });

  test('says the reason of the rule on hover', async () => {
    const { contents } = await editor.ask<Hover>('hover', users, 'sum');
    expect(contents).toMatchObject({ value: expect.stringMatching(/^\*\*struct\*\*: Compare/) });
  });

  test('fixes it, so that the finding goes away', async () => {
    const [action] = await editor.ask<CodeAction[]>('codeAction', users, 'sumary');
    expect(action).toMatchObject({ title: 'Change to `summary`', kind: 'quickfix' });
    await editor.apply(action?.edit?.changes ?? {});
    expect(editor.text(users)).toBe(text);
    await editor.shown(users, isEmpty);
  });

  test('reports a YAML syntax error', async () => {
    await editor.change(users, text.replace('tags: [users]', 'tags: [users'));
    const [finding] = await editor.shown(users, (some) => some.length > 0);
    expect(finding).toMatchObject({ code: 'yaml', message: expect.stringContaining('not closed') });
  });

  test('shows a finding in a file that is not open, until the file is saved without it', async () => {
    await editor.change(users, text);
    const example = await project.read(examples);
    await project.save(examples, example.replace('code: body_invalid', 'code: body_invald'));
    const [finding] = await editor.shown(examples, (some) => some.length > 0);
    expect(finding).toMatchObject({ code: 'contract/error-codes' });
    await project.save(examples, example);
    await editor.shown(examples, isEmpty);
  });

  test('lists the other places of a cause', async () => {
    await editor.change(users, text.replaceAll('tags: [users]', 'tags: [people]'));
    const [finding] = await editor.shown(users, (some) => some.length > 0);
    expect(finding?.relatedInformation?.length).toBeGreaterThan(0);
    expect(finding?.relatedInformation?.[0]).toMatchObject({ location: { uri: editor.uriOf(users) } });
  });

  test('loads a rule again when it was changed', async () => {
    await editor.change(users, text);
    await editor.shown(users, isEmpty);
    const rule = 'spec/rules/texts-short.js';
    const source = await project.read(rule);
    await project.edit(rule, (before) =>
      before.replace(/ {6}leave\(.*\n/, "$&        throw new Error('Broken on purpose.');\n"),
    );
    const [finding] = await editor.shown(rule, (some) => some.length > 0);
    expect(finding).toMatchObject({ code: 'lint', message: expect.stringContaining('Broken on purpose.') });
    await project.save(rule, source);
    await editor.shown(rule, isEmpty);
  });

  test('goes to the target of a reference in another file', async () => {
    const target = await editor.ask<Location>('definition', users, '../schemas/users.yaml#/User');
    const schemas = (await project.read('spec/schemas/users.yaml')).split('\n');
    expect(target.uri).toBe(editor.uriOf('spec/schemas/users.yaml'));
    expect(schemas[target.range.start.line]).toBe('UserPage:');
  });

  test('completes permissions', async () => {
    const items = await editor.ask<CompletionItem[]>('completion', users, '- organizationToken: [can_');
    expect(items.map(({ label }) => label)).toContain('can_manage_users');
  });

  test('ignores files of other folders', async () => {
    await editor.change('package.json', '{}');
    expect(await editor.ask('hover', 'package.json', '{')).toBeNull();
    expect(await editor.ask('completion', 'package.json', '{')).toBeNull();
    await editor.close('package.json');
  });

  test('takes the file on disk when an unsaved text is closed', async () => {
    await editor.change(users, text.replace('summary: List the users', 'sumary: List the users'));
    await editor.shown(users, (some) => some.length > 0);
    await editor.close(users);
    await editor.shown(users, isEmpty);
  });

  test('exits without child processes and temporary files when it is asked to', async () => {
    const children = childrenOf(editor.child.pid);
    expect(children.length).toBeGreaterThan(0);
    await editor.connection.sendRequest('shutdown');
    await editor.connection.sendNotification('exit');
    expect(await editor.exited).toEqual([0, null]);
    await until(() => children.every((pid) => !existsSync(`/proc/${pid}`)));
    expect(copies().filter((name) => copy.includes(name))).toEqual([]);
    expect(editor.errorOutput).toBe('');
  });
});

test('a language server whose editor is gone exits', async () => {
  const abandoned = await startEditor(project.directory);
  abandoned.child.stdin.end();
  expect((await abandoned.exited)[0]).not.toBeNull();
});

test('the language server starts with a contract that does not parse', async () => {
  await project.edit('redocly.yaml', (settings) => settings.replace('rules:', 'rules: ['));
  const another = await startEditor(project.directory);
  await another.shown('redocly.yaml', (some) => some.length > 0);
  another.child.kill('SIGTERM');
  expect((await another.exited)[0]).not.toBeNull();
});

describe('its command line', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/editor/main.ts', ...args], { encoding: 'utf8' });

  test('describes itself', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('npm run editor --silent');
  });

  test('refuses a wrong option in one line', () => {
    const { status, stdout, stderr } = run('--port', '1');
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: "editor: unknown option '--port'. See --help.\n",
    });
  });
});

/** Linux and macOS. */
function childrenOf(pid = 0): number[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? child : []));
}
