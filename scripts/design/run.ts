import { readFile } from 'node:fs/promises';
import { CommandError } from '../command-line/run-command.ts';
import { bundleContract, type Contract, formatFinding, lintContract } from '../contract/source.ts';
import { openRedocly, type Redocly } from '../redocly/redocly.ts';
import { watchFiles } from '../watch/watch-files.ts';
import type { Answer } from './answer.ts';
import { expectFree, listen } from './http.ts';
import { openPortal } from './portal.ts';
import { designServer } from './server.ts';
import { answerPrinter } from './terminal.ts';
import { openTypes } from './types.ts';

export type DesignOptions = {
  root: URL;
  port: number;
  mockPort: number;
  /** One JSON object a line instead of text. */
  asJson: boolean;
};

const watched = {
  places: ['spec/', 'redocly.yaml', 'server/src/', 'client/src/', 'test/'],
  counts: (file: string) =>
    file.startsWith('spec/') || file === 'redocly.yaml'
      ? /\.(ya?ml|md|js|json)$/.test(file)
      : /\.ts$|authorization-matrix\.txt$/.test(file),
};

/**
 * Watches the contract and answers each save, until the process is asked to end.
 * @throws {CommandError} where a port is taken, or there is no contract to begin with
 */
export async function runDesign({ root, port, mockPort, asJson }: DesignOptions): Promise<void> {
  const redocly = openRedocly(root);
  const types = openTypes(root);
  const portal = openPortal();
  const closing: (() => unknown)[] = [redocly.close, types.close, portal.close];
  try {
    let newest: Answer | undefined;
    const print = asJson
      ? (answer: Answer) => console.log(JSON.stringify({ event: 'answer', ...answer }))
      : answerPrinter(console.log);
    const tell = (answer: Answer) => {
      newest = answer;
      page.show(answer);
      print(answer);
    };
    const page = designServer({
      root,
      portal,
      onShown(version, openFor) {
        if (!newest || newest.portal?.version !== version || newest.times.shown !== undefined) return;
        const shown = Date.now() - Date.parse(newest.at);
        // A page that was opened after the save says nothing of how long the save took.
        if (openFor < shown) return;
        newest.times.shown = shown;
        tell(newest);
      },
    });
    closing.push(page.close);
    const pageUrl = await listen(page.server, port, '--port');
    await expectFree(mockPort, '--mock-port');
    // Both take a second to load; a port in use is told before.
    const [{ createMock }, { designLoop }] = await Promise.all([
      import('../mock/server.ts'),
      import('./loop.ts'),
    ]);
    const mock = await createMock(await lastGoodContract(root, redocly));
    closing.push(() => {
      mock.server.close();
      mock.server.closeAllConnections();
    });
    const mockUrl = await listen(mock.server, mockPort, '--mock-port');
    page.announce(mockUrl);
    if (asJson) console.log(JSON.stringify({ event: 'listening', page: pageUrl, mock: mockUrl }));
    else console.log(`Portal and findings on ${pageUrl}, mock on ${mockUrl}. Ctrl+C ends both.`);

    const loop = designLoop({
      ...{ root, redocly, types, mockUrl, onAnswer: tell },
      replaceMock: mock.replace,
      buildPortal: portal.build,
    });
    const watching = await watchFiles(root, { ...watched, onSaved: (saved) => void loop.saved(saved) });
    closing.push(watching.close);
    await loop.saved({ files: [], at: Date.now() });
    await ended();
  } finally {
    await Promise.all(closing.map((close) => close()));
  }
}

/** The contract that generated/ holds; where there is none, that of spec/. @throws {CommandError} */
async function lastGoodContract(root: URL, redocly: Redocly): Promise<Contract> {
  const text = await readFile(new URL('generated/openapi.json', root), 'utf8').catch(() => undefined);
  if (text !== undefined) return JSON.parse(text);
  const [finding] = await lintContract(root, redocly);
  if (!finding) return bundleContract(root, redocly);
  throw new CommandError(`generated/ is missing, and spec/ has findings: ${formatFinding(finding)}`);
}

/** Resolves when somebody asks this process to end. */
function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
