import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';

const text = readFileSync('CONTRIBUTING.md', 'utf8');
const { scripts, workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  workspaces: string[];
};
/** Commands in blocks and in text. */
const commands = [...text.matchAll(/(?:^ *|`)((?:npm|npx) [^`\n]+)/gm)].map(
  ([, command]) => command as string,
);

describe('CONTRIBUTING.md', () => {
  test.each([...new Set(commands)])('names a command that exists: %s', (command) => {
    const [program, first = '', second = ''] = command.split(' ');
    if (program === 'npx') return expect([first, second]).toEqual(['vitest', 'run']);
    // Commands of npm itself.
    if (first === 'ci' || first === 'install') return;
    expect(first === 'run' ? scripts : { ...scripts, start: scripts['start'] }).toHaveProperty([
      first === 'run' ? second : first,
    ]);
  });

  test('names files that exist', () => {
    const files = [...text.matchAll(/`((?:spec|server|client|test|scripts|generated)\/[\w./-]+)`/g)].map(
      ([, file]) => file as string,
    );
    const ofTheWalk = /invoices|00NN|accepted-changes/;
    const missing = files.filter((file) => !ofTheWalk.test(file) && !existsSync(file));
    expect(missing).toEqual([]);
  });

  test('has every scaffold and release command run by the slow tests', () => {
    const slow = readFileSync('test/design/spec-new.slow.test.ts', 'utf8');
    const scaffolds = commands.filter((command) => /^npm run spec:(new|release)/.test(command));
    expect(scaffolds.length).toBeGreaterThan(3);
    for (const command of scaffolds) expect(slow).toContain(`'${command}'`);
  });

  test.each(['.', ...workspaces])('says what each package of %s is for, or its own README does', (folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const readme = join(folder, 'README.md');
    const explained = existsSync(readme) ? text + readFileSync(readme, 'utf8') : text;
    const unexplained = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      (name) => !/^@(?:wrp|types)\//.test(name) && !explained.includes(`\`${name}\``),
    );
    expect(unexplained, 'write one line in CONTRIBUTING.md, "Add a package"').toEqual([]);
  });
});

const sources = globSync('{*,{generated,server,client,scripts,test}/**/*}.*', {
  exclude: (path) => path.includes('node_modules'),
});

describe.each([
  'README.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...globSync('server/{*,src/*}/README.md'),
])('%s', (page) => {
  const prose = readFileSync(page, 'utf8');

  test('links to files and headings that exist', () => {
    const links = [...prose.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, path = '', heading]) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(target)) return true;
      return heading !== undefined && !headingsOf(target).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test('names files that exist', () => {
    const named = [
      ...prose.matchAll(/`((?:[\w.*-]+\/)*[\w*-][\w.*-]*\.(?:ts|mjs)|[\w.-]+\/[\w./-]+\.txt)`/g),
    ];
    const missing = named.filter(([, file = '']) => {
      return (
        !/invoices|00NN|accepted-changes/.test(file) &&
        !sources.some((path) => matchesGlob(path, `**/${file}`))
      );
    });
    expect(missing.map(([name]) => name)).toEqual([]);
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
