import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryRoot } from '../support/temporary.ts';

const unit = join(import.meta.dirname, '../../server/operations/wrp@.service');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.each([
  ['serve', 'serve'],
  ['serve-1', 'serve'],
  ['work-12', 'work'],
])('the instance %s runs the command %s', (instance, command) => {
  const [, script = ''] = /^ExecStart=\/bin\/sh -c '(.*)' wrp %i$/m.exec(readFileSync(unit, 'utf8')) ?? [];
  // As systemd reads it: `$$` and `%%` stand for the character itself.
  const read = script.replaceAll('$$', () => '$').replaceAll('%%', '%');
  const printed = execFileSync('/bin/sh', ['-c', read.replace('exec node', 'echo'), 'wrp', instance], {
    encoding: 'utf8',
  });
  expect(printed).toBe(`server/bin/wrp.js ${command}\n`);
});

test('only the launcher gets the signal of a stop, and the data directory can be written', () => {
  const text = readFileSync(unit, 'utf8');
  expect(text).toMatch(/^KillMode=mixed$/m);
  const [, state] = /^StateDirectory=(.*)$/m.exec(text) ?? [];
  expect(text).toContain(`\nEnvironment=DATA_DIR=/var/lib/${state}\n`);
});

describe.skipIf(!hasSystemd)('the unit for systemd', () => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });

  test('has no line that systemd does not know', () => {
    const instance = join(mkdtempSync(join(temporaryRoot(), 'wrp-unit-')), 'wrp@serve-1.service');
    copyFileSync(unit, instance);
    expect(analyze('verify', instance)).toMatchObject({ status: 0, stderr: '' });
  });

  test('is exposed to less than 2 of 10, as systemd rates it', () => {
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=20', '--no-pager', unit);
    expect(status, stdout).toBe(0);
  });
});
