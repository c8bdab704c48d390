import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import launchEditor from 'launch-editor';
import { localAccess } from '../../server/http-server/index.ts';
import { CommandError } from '../command-line/command.ts';
import { expectFree, listen } from '../command-line/local-server.ts';
import { openRedocly, type Redocly } from '../contract/redocly/redocly.ts';
import { bundleContract, type Contract, formatFinding, lintContract } from '../contract/source.ts';
import { watchFiles } from '../contract/watch-files.ts';
import { modules } from '../generate/files.ts';
import { openBuilder } from './builder.ts';
import type { Report } from './report.ts';
import { designServer } from './server.ts';
import { reportPrinter } from './terminal.ts';

export type DesignOptions = {
  root: URL;
  port: number;
  mockPort: number;
  /** Further names in `Host`, and origins of pages that may call the mock (`local-access.ts`). */
  allowHost: string[];
  allowOrigin: string[];
  /** One JSON object per line instead of text. */
  asJson: boolean;
};

const watched = {
  counts: (file: string) =>
    file.startsWith('spec/') || file === 'redocly.yaml'
      ? /\.(ya?ml|md|js|json)$/.test(file)
      : /\.(ts|sh)$|authorization-matrix\.txt$/.test(file) && !Object.hasOwn(modules, file),
};

/**
 * Watches the contract and reports each save, until the process receives SIGINT or SIGTERM.
 * @throws {CommandError} if a port is taken, or there is no contract to start with
 */
export async function runDesign({ root, port, mockPort, asJson, ...allowed }: DesignOptions): Promise<void> {
  const access = localAccess({ ...allowed, onRefused: (reason) => console.error(reason) });
  const redocly = openRedocly(root);
  const builder = openBuilder(redocly);
  const closing: (() => unknown)[] = [redocly.close, builder.close];
  try {
    let newest: Report | undefined;
    const print = asJson
      ? (report: Report) => console.log(JSON.stringify({ event: 'report', ...report }))
      : reportPrinter(console.log);
    const publish = (report: Report) => {
      newest = report;
      page.show(report);
      print(report);
    };
    const page = designServer({
      ...{ root, access },
      // An editor and its errors use our standard output, which --json reserves.
      openInEditor: async (place) =>
        asJson ? 'Not available with --json.' : openInEditor(fileURLToPath(new URL(place, root))),
      onShown(version, openFor) {
        if (!newest || newest.portal?.version !== version || newest.times.shown !== undefined) return;
        const shown = Date.now() - Date.parse(newest.at);
        // A page that was opened after the save says nothing about how long the save took.
        if (openFor < shown) return;
        newest.times.shown = shown;
        publish(newest);
      },
    });
    closing.push(page.close);
    const pageUrl = await listen(page.server, port, '--port');
    await expectFree(mockPort, '--mock-port');
    // Both take a second to load; a port in use is reported before.
    const [{ createMock }, { DesignLoop }] = await Promise.all([
      import('../mock/examples/server.ts'),
      import('./loop.ts'),
    ]);
    const mock = await createMock(await lastAcceptedContract(root, redocly), access);
    closing.push(() => {
      mock.server.close();
      mock.server.closeAllConnections();
    });
    const mockUrl = await listen(mock.server, mockPort, '--mock-port');
    page.announce(mockUrl);
    if (asJson) console.log(JSON.stringify({ event: 'listening', page: pageUrl, mock: mockUrl }));
    else console.log(`Portal and reports on ${pageUrl}, mock on ${mockUrl}. Ctrl+C stops both.`);

    const loop = new DesignLoop({
      root,
      redocly,
      mockUrl,
      onReport: publish,
      replaceMock: mock.replace,
      generate: builder.generate,
      buildPortal: async () => page.replacePortal(await builder.buildPortal()),
    });
    const watching = await watchFiles(root, {
      ...watched,
      places: await watchedPlaces(root),
      onSaved: (saved) => void loop.saved(saved),
    });
    closing.push(watching.close);
    await loop.saved({ files: [], at: Date.now() });
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

/** The product and each of its libraries; not `server/` as a whole, which also holds installed packages. */
async function watchedPlaces(root: URL): Promise<string[]> {
  const { workspaces } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    workspaces: string[];
  };
  const libraries = workspaces.filter((path) => path.startsWith('server/')).map((path) => `${path}/`);
  return ['spec/', 'redocly.yaml', 'server/src/', ...libraries, 'client/src/', 'test/'];
}

/** The contract of generated/, or that of spec/ if generated/ is missing. @throws {CommandError} */
async function lastAcceptedContract(root: URL, redocly: Redocly): Promise<Contract> {
  const text = await readFile(new URL('generated/openapi.json', root), 'utf8').catch(() => undefined);
  if (text !== undefined) return JSON.parse(text);
  const [finding] = await lintContract(root, redocly);
  if (!finding) return bundleContract(redocly);
  throw new CommandError(`generated/ is missing, and spec/ has findings: ${formatFinding(finding)}`);
}

/** Opens a file in the editor that is running, or in $EDITOR. @returns why it cannot be opened, if it cannot */
function openInEditor(place: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    launchEditor(place, (_file, message) => resolve(message ?? 'No editor was found: set EDITOR.'));
    // An editor that has started says nothing.
    setTimeout(resolve, 500, undefined);
  });
}
