import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DemoPlatform } from '../demo.ts';
import { atEnd } from '../temporary.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Replacements for commands in pages. */
const stagedCommands = {
  // The same as for an installed package, without its half second.
  npx: 'exec "$@"',
  // What a page starts runs already: the platform and the mock. What it installs is there: only the address of
  // the client is checked.
  npm: `case "$*" in start|"run mock") ;; "install http"*) test "$2" = "$WRP_BASE_URL/docs/wrp-client-$(node -p "require('${root}client/package.json').version").tgz";; *) echo "Nothing proves npm $*: list it as run elsewhere." >&2; exit 1;; esac`,
};

/** A directory for snippets, with the URLs and variables that they use. */
export interface Stage {
  directory: string;
  environment: NodeJS.ProcessEnv;
  /** A new number each time. */
  next(): number;
  /** The code with the URLs of a new installation replaced by those of the test. */
  localized(code: string): string;
  /** Creates the files that the code uploads. */
  provideFiles(code: string): Promise<void>;
}

/**
 * Sets the stage: a directory like the one a reader stands in after `npm start`, with `.data/demo.json` and the
 * packages, and the variables of `SnippetVariables`. It ends with the test file.
 *
 * @param mockUrl where a mock listens, for what is said of `127.0.0.1:4010`
 */
export async function stageFor(platform: DemoPlatform, mockUrl?: string): Promise<Stage> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-snippets-'));
  atEnd(() => rm(directory, { recursive: true, force: true }));
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  await symlink(platform.dataDirectory, join(directory, '.data'));
  await writeFile(join(directory, 'package.json'), '{"type": "module"}\n');
  await mkdir(join(directory, 'bin'));
  for (const [name, script] of Object.entries(stagedCommands)) {
    await writeFile(join(directory, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  const addresses: [string, string | undefined][] = [
    ['127.0.0.1:8080', platform.baseUrl],
    ['localhost:8080', platform.baseUrl],
    ['127.0.0.1:8081', platform.sandboxUrl],
    ['127.0.0.1:4010', mockUrl],
  ];
  const provided = new Set<string>();
  let count = 0;
  return {
    directory,
    environment: {
      PATH: [join(directory, 'bin'), join(root, 'node_modules/.bin'), PATH].join(':'),
      LANG,
      NO_COLOR: '1',
      TMPDIR: directory,
      DATA_DIR: platform.dataDirectory,
      ...platform.variables,
    },
    next: () => ++count,
    localized: (code) =>
      addresses.reduce((text, [from, to]) => (to ? text.replaceAll(`http://${from}`, to) : text), code),
    async provideFiles(code) {
      for (const [, name = ''] of code.matchAll(/['"@=/](\w[\w-]*\.(?:jpe?g|png|pdf|txt|csv))\b/g)) {
        if (provided.has(name)) continue;
        provided.add(name);
        await writeFile(join(directory, name), `the bytes of ${name}\n`);
      }
    },
  };
}
