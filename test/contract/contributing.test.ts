import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const text = readFileSync('CONTRIBUTING.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** Commands in blocks and in text. */
const commands = [...text.matchAll(/(?:^ *|`)((?:npm|npx) [^`\n]+)/gm)].map(
  ([, command]) => command as string,
);

describe('CONTRIBUTING.md', () => {
  test.each([...new Set(commands)])('names a command that exists: %s', (command) => {
    const [program, first = '', second = ''] = command.split(' ');
    if (program === 'npx') return expect([first, second]).toEqual(['vitest', 'run']);
    expect(first === 'run' ? scripts : { ...scripts, start: scripts['start'] }).toHaveProperty([
      first === 'run' ? second : first,
    ]);
  });

  test('names files that exist', () => {
    const files = [...text.matchAll(/`((?:spec|server|client|test|scripts|generated)\/[\w./-]+)`/g)].map(
      ([, file]) => file as string,
    );
    const ofTheWalk = /invoices|00NN/;
    const missing = files.filter((file) => !ofTheWalk.test(file) && !existsSync(file));
    expect(missing).toEqual([]);
  });

  test('has every scaffold and release command run by the slow tests', () => {
    const slow = readFileSync('test/design/spec-new.slow.test.ts', 'utf8');
    const scaffolds = commands.filter((command) => /^npm run spec:(new|release)/.test(command));
    expect(scaffolds.length).toBeGreaterThan(3);
    for (const command of scaffolds) expect(slow).toContain(`'${command}'`);
  });
});
