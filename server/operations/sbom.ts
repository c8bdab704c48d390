/**
 * Prints the installed npm packages as a software bill of materials, by npm's own record of them. `npm sbom` omits most
 * packages that only workspaces depend on.
 */
import { readFileSync } from 'node:fs';

interface Installed {
  version?: string;
  /** Of a package that is installed under another name. */
  name?: string;
  license?: string;
  /** Algorithm and base64, as in `sha512-…`. */
  integrity?: string;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
const { packages }: { packages: Record<string, Installed> } = read('node_modules/.package-lock.json');

const components = Object.entries(packages)
  // Workspaces and their links, which are the platform itself, have no integrity.
  .filter(([, { integrity }]) => integrity)
  .map(([path, installed]) => {
    const name = installed.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const digest = Buffer.from(`${installed.integrity}`.slice('sha512-'.length), 'base64');
    return {
      type: 'library',
      'bom-ref': path,
      name,
      version: installed.version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${installed.version}`,
      hashes: [{ alg: 'SHA-512', content: digest.toString('hex') }],
      licenses: installed.license ? [{ expression: installed.license }] : [],
    };
  });

const platform = read('package.json');
const metadata = { component: { type: 'application', name: platform.name, version: platform.version } };
console.log(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }));
