import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = ['spec', 'generated', 'server', 'client', 'scripts', 'test'];

/** What each folder may import, run or read beside itself: spec → generated → server, client → scripts → test. */
const allowed: Record<string, readonly string[]> = {
  spec: [],
  generated: [],
  server: ['generated'],
  client: ['generated'],
  scripts: ['spec', 'generated', 'server', 'client'],
  test: folders,
};

/**
 * The folders of scripts/, from the ground up: each imports only those before it. What is ready before anything runs; the
 * ground of every command line; the contract's source; what is generated from it; the tools for it; the packed client;
 * the mock; the portal, which offers both for download; and what combines all of them: in `design` for a page, in
 * `editor` for editors.
 */
const toolFolders = [
  'prepare',
  'command-line',
  'contract',
  'generate',
  'spec',
  'client',
  'mock',
  'portal',
  'check',
  'design',
  'editor',
  'laboratory',
];

/** `wrp webhook listen` is a caller of the API like `wrp-listen`, whose program it loads when it runs. */
const exceptions: Record<string, string> = {
  'server/src/cli/webhooks.ts': 'client/src/node/listen/listen.ts',
};

const { workspaces } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { workspaces: string[] };
/** The libraries below the product. */
const packages = workspaces.flatMap((path) => /^server\/(.+)$/.exec(path)?.[1] ?? []);

const files = folders.flatMap((folder) => sourcesIn(folder));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

describe('dependencies point one way', () => {
  test('no file imports from a folder above its own', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => !mayUse(file, target)).map((target) => `${file} imports ${target}`),
    );
    expect(wrong, 'move the shared code down to the folder that both may import').toEqual([]);
  });

  test('a folder of scripts/ imports only folders below it', () => {
    const toolFolderOf = (file: string) => /^scripts\/([^/]+)\//.exec(file)?.[1];
    const tools = [...imports].filter(([file]) => toolFolderOf(file));
    expect(tools.filter(([file]) => !toolFolders.includes(toolFolderOf(file) ?? ''))).toEqual([]);
    const layerOf = (file: string) => toolFolders.indexOf(toolFolderOf(file) ?? '');
    const wrong = tools.flatMap(([file, targets]) =>
      targets
        .filter((target) => layerOf(target) > layerOf(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong, 'move what both need to the lower folder').toEqual([]);
  });

  test('the server and the client name no path of the tools and tests, to spawn or to read', () => {
    const wrong = files
      .filter((file) => /^(?:server|client\/src)\//.test(file))
      .flatMap((file) => {
        const code = readFileSync(`${root}${file}`, 'utf8').replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
        const named = code.matchAll(/['"`](?:\.{0,2}\/)*(?:scripts|test)\/[^'"`]*/g);
        return [...named].map(([path]) => `${file} names ${path.slice(1)}`);
      });
    expect(wrong, 'tools for development are started by npm scripts, not by the server').toEqual([]);
  });

  test('a package of the server imports only other packages, by their index.ts, and nothing of the product', () => {
    const wrong = files.flatMap((file) => {
      const own = packageOf(file);
      const targets = (imports.get(file) ?? []).filter((target) => target.startsWith('server/'));
      return targets
        .filter((target) => own && packageOf(target) !== own && !isIndex(target))
        .map((target) => `${file} imports ${target}`);
    });
    expect(wrong, 'pass it to the package as an argument').toEqual([]);
  });

  test('the product and the tools import a package of the server only by its index.ts', () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => packageOf(target) && !isIndex(target) && !mayLookInto(file, target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong, 'export it from the index.ts of the package, or move the test to test/<package>').toEqual(
      [],
    );
  });

  test('each package of the server has an index.ts, a README and a manifest that names what it imports', () => {
    expect(packages).toContain('contract');
    const wrong = packages.flatMap((name) => {
      const has = (file: string) => existsSync(`${root}server/${name}/${file}`);
      const missing = ['index.ts', 'README.md', 'package.json'].filter((file) => !has(file));
      const { dependencies = {} } = JSON.parse(readFileSync(`${root}server/${name}/package.json`, 'utf8'));
      const used = new Set(
        files.filter((file) => packageOf(file) === name).flatMap((file) => externalImportsOf(file)),
      );
      const undeclared = [...used].filter((one) => !Object.hasOwn(dependencies, one));
      return [...missing, ...undeclared].map((one) => `server/${name}: ${one}`);
    });
    expect(wrong).toEqual([]);
  });

  test('reads every import', () => {
    expect(imports.get('test/platform-rules/structure.test.ts')).toEqual([]);
    expect(imports.get('server/src/main.ts')).toContain('server/src/config.ts');
    expect([...imports.values()].flat().length).toBeGreaterThan(1500);
  });
});

describe('a tool that listens on a port', () => {
  const access = 'server/http-server/local-access.ts';
  const importsAccess =
    /^import \{[^}]*\b(?:guarded|guardedServer|LocalAccess|localAccess)\b[^}]*\} from '[^']*\/http-server\/index\.ts'/m;
  const importsListen = /^import \{[^}]*\blisten\b[^}]*\} from '[^']*\/http-server\/index\.ts'/m;
  const creates = /\bcreate(?:Secure)?Server\b|\bnew (?:\w+\.)?Server\(/;
  /** Listens and serves nothing, or only what the laboratory measures. */
  const helper = 'scripts/command-line/local-server.ts';
  /** Listens on standard input. */
  const languageServer = 'scripts/editor/server.ts';
  const codeOf = (file: string) =>
    readFileSync(`${root}${file}`, 'utf8').replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
  const listening = files
    .filter(
      (file) => /^(?:scripts|client\/src\/node|server\/src\/console)\//.test(file) && file !== languageServer,
    )
    .filter(
      (file) =>
        creates.test(codeOf(file)) ||
        codeOf(file).includes('.listen(') ||
        importsListen.test(codeOf(file)) ||
        imports.get(file)?.includes(helper),
    );
  const isLaboratory = (file: string) => file.startsWith('scripts/laboratory/');

  test('refuses pages of other sites by the one rule for it', () => {
    const tools = listening.filter((file) => !isLaboratory(file) && file !== helper);
    expect(tools).toEqual(expect.arrayContaining(['scripts/design/run.ts', 'scripts/mock/listener.ts']));
    const wrong = tools.filter((file) => !importsAccess.test(codeOf(file)));
    expect(wrong, `create the server with guardedServer, or wrap its listener in guarded: ${access}`).toEqual(
      [],
    );
    const own = tools.filter((file) => creates.test(codeOf(file)));
    expect(own, `create the server with guardedServer of ${access}`).toEqual([]);
  });

  test('listens on the loopback address only, if it is of the laboratory', () => {
    const wrong = listening
      .filter(isLaboratory)
      .flatMap((file) =>
        [...codeOf(file).matchAll(/\.listen\(([^)]*)\)?/g)]
          .filter(([, options = '']) => !options.includes("'127.0.0.1'"))
          .map(([call]) => `${file}: ${call}`),
      );
    expect(wrong, "pass '127.0.0.1' to listen, or use serveLocally").toEqual([]);
  });
});

test('the folders of the server import each other in one direction, on ten floors at most', () => {
  // The start and the libraries are nodes of their own; what is generated is below all of them.
  const nodeOf = (file: string) => file.split('/', file.startsWith('server/src/') ? 3 : 2).join('/');
  const graph = new Map<string, string[]>();
  for (const [file, targets] of imports) {
    if (!file.startsWith('server/')) continue;
    const others = targets.filter((one) => one.startsWith('server/') && nodeOf(one) !== nodeOf(file));
    graph.set(nodeOf(file), [...(graph.get(nodeOf(file)) ?? []), ...others.map(nodeOf)]);
  }
  expect(cyclesIn(graph), 'move what both need into a lower folder').toEqual([]);
  const floorOf = (node: string): number => 1 + Math.max(0, ...(graph.get(node) ?? []).map(floorOf));
  const tooHigh = [...graph.keys()].filter((node) => floorOf(node) > 10);
  expect(tooHigh, 'pass what it needs from the highest folder below it as an argument').toEqual([]);
  expect(graph.size).toBeGreaterThan(30);
});

test('npm start loads no library of SQL before it launches PostgreSQL, which starts meanwhile', () => {
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(`${root}${file}`, 'utf8');
    for (const [, path = ''] of text.matchAll(
      /^(?:import|export)\s(?!type\s)[^'"`;]*?\sfrom\s*['"](\.[^'"]+)['"]/gm,
    ))
      load(posix.join(dirname(file), path));
  };
  load('server/src/main.ts');
  expect([...loaded]).toContain('server/embedded-postgres/server.ts');
  expect([...loaded].filter((file) => file.startsWith('server/postgres-client/'))).toEqual([]);
});

test('there are no import cycles, type-only imports included', () => {
  const cycles = cyclesIn(imports).map((cycle) => cycle.join(' ↔ '));
  expect(cycles, 'move what both need into a file that imports neither').toEqual([]);
});

function sourcesIn(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:ts|mts|js|mjs)$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path));
}

/** The files that a file imports or re-exports, by any form of import. */
function importsOf(file: string): string[] {
  const text = readFileSync(`${root}${file}`, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"](\.{1,2}\/[^'"]+)['"]|\bimport\(\s*['"](\.{1,2}\/[^'"]+)['"]/gm,
  );
  const targets = [...statements].map(([, named, dynamic]) =>
    posix.join(dirname(file), (named ?? dynamic) as string),
  );
  return [...new Set(targets)];
}

function mayUse(file: string, target: string): boolean {
  const [own = ''] = file.split('/');
  const [other = ''] = target.split('/');
  if (exceptions[file] === target) return true;
  return own === other || !folders.includes(other) || (allowed[own] ?? []).includes(other);
}

function packageOf(file: string): string | undefined {
  const [folder, name = ''] = file.split('/');
  return folder === 'server' && packages.includes(name) ? name : undefined;
}

function isIndex(file: string): boolean {
  return /^server\/[^/]+\/index\.ts$/.test(file);
}

/** The tests of a package are in the folder of its name, and test what is behind its index.ts, too. */
function mayLookInto(file: string, target: string): boolean {
  const own = packageOf(target);
  return packageOf(file) === own || file.startsWith(`test/${own}/`);
}

/** The npm packages that a file imports. */
function externalImportsOf(file: string): string[] {
  const text = readFileSync(`${root}${file}`, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?\s*['"]([^.'"][^'"]*)['"]|\bimport\(\s*['"]([^.'"][^'"]*)['"]/gm,
  );
  return [...statements]
    .map(([, named, dynamic]) => (named ?? dynamic) as string)
    .filter((name) => !name.startsWith('node:'))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
}

/** Tarjan's strongly connected components of more than one file. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) lowest.set(file, Math.min(lowest.get(file) ?? own, visit(target)));
      else if (stack.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) ?? own, order.get(target) ?? own));
      }
    }
    if (lowest.get(file) === own) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1 || graph.get(file)?.includes(file)) cycles.push(component);
    }
    return lowest.get(file) ?? own;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
