/**
 * Builds the portal: the contract and its guides as one HTML page that needs nothing from elsewhere.
 *
 *   node scripts/portal.ts   prints the path of the page
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export { portalPolicy } from './portal/policy.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../', import.meta.url));
const bundle = join(root, 'generated/openapi.json');
const settings = join(root, 'scripts/portal');
const redocly = join(root, 'node_modules/@redocly/cli');

if (import.meta.main) console.log(await buildPortal());

/**
 * Builds the portal's page out of generated/openapi.json, unless the same was built before.
 * @returns The path of the page, in node_modules/.cache, or in the temporary directory where that is read-only.
 */
export async function buildPortal(): Promise<string> {
  const name = `portal-${await sourcesDigest()}.html`;
  const directories = [
    join(root, 'node_modules/.cache/wrp'),
    join(tmpdir(), `wrp-portal-${process.getuid?.() ?? 0}`),
  ];
  for (const directory of directories) {
    if (await exists(join(directory, name))) return join(directory, name);
  }
  const directory = await firstWritable(directories);
  const page = join(directory, name);
  const temporary = `${page}.${process.pid}`;
  try {
    await build(temporary);
    await writeFile(temporary, withoutRemoteLogo(await readFile(temporary, 'utf8')));
    await rename(temporary, page);
  } finally {
    await rm(temporary, { force: true });
  }
  await removeOthers(directory, name);
  return page;
}

async function build(output: string): Promise<void> {
  const args = ['build-docs', bundle, '--inlineBundle', '--output', output];
  await run(process.execPath, [join(redocly, 'bin/cli.js'), ...args], {
    // Where the settings are found.
    cwd: settings,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    maxBuffer: 16 << 20,
  }).catch(({ stderr, message }) => {
    throw new Error(`The portal could not be built: ${String(stderr || message).trim()}`);
  });
}

/** The one thing that Redoc would fetch: the logo of its makers, here as a word. */
function withoutRemoteLogo(html: string): string {
  const word = '<text x="0" y="15" font-family="sans-serif" font-size="14" fill="#0044d4">Redocly</text>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 56 20" width="56" height="20">${word}</svg>`;
  return html.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[\w./-]+\.svg/g,
    `data:image/svg+xml,${encodeURIComponent(svg)}`,
  );
}

/** Everything that the page depends on. */
async function sourcesDigest(): Promise<string> {
  const digest = createHash('sha256');
  for (const file of [
    bundle,
    join(settings, 'redocly.yaml'),
    join(redocly, 'package.json'),
    import.meta.filename,
  ]) {
    digest.update(await readFile(file)).update('\0');
  }
  return digest.digest('hex').slice(0, 16);
}

async function firstWritable(directories: string[]): Promise<string> {
  for (const directory of directories) {
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await access(directory, 2);
      return directory;
    } catch {
      // The next one.
    }
  }
  throw new Error(`The portal cannot be written: none of ${directories.join(', ')} is writable.`);
}

async function removeOthers(directory: string, kept: string): Promise<void> {
  const others = (await readdir(directory)).filter((name) => /^portal-.*\.html$/.test(name) && name !== kept);
  await Promise.all(others.map((name) => rm(join(directory, name), { force: true })));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
