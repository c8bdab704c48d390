import { openRedocly, type Redocly } from '../contract/redocly/redocly.ts';
import { bundleContract, type Contract, formatFinding, lintContract } from '../contract/source.ts';
import { watchFiles } from '../contract/watch-files.ts';

/** The first response of the mock has precedence over the warm-up. */
const warmUpMilliseconds = 1_500;

/** The result of a save: another contract, or findings as `file:line:column rule message`. */
export type Saved = { contract: Contract } | { findings: string[] };

/**
 * Calls back after each save of a file under `spec/`, once the contract is linted and bundled. Of the saves during
 * that, only the last is reported.
 *
 * @param onSaved `milliseconds` since the save
 */
export async function watchContract(
  root: URL,
  onSaved: (saved: Saved, milliseconds: number) => void,
): Promise<{ close(): void }> {
  const redocly = openRedocly(root);
  let last = 0;
  let checking: Promise<void> = Promise.resolve();

  const check = async (turn: number, at: number) => {
    if (turn !== last) return;
    const saved = await checkContract(root, redocly).catch(({ message }: Error) => ({ findings: [message] }));
    if (turn === last) onSaved(saved, Math.round(Date.now() - at));
  };
  // The first command loads the linter, which the first save should not wait for.
  const warmUp = () => void redocly.run(['lint', 'spec/openapi.yaml']).catch(() => {});
  const idle = setTimeout(warmUp, warmUpMilliseconds).unref();
  const watching = await watchFiles(root, {
    places: ['spec/', 'redocly.yaml'],
    counts: (file) => /\.(yaml|md|js)$/.test(file) && !/(^|\/)\.[^/]*$/.test(file),
    onSaved({ files, at }) {
      // Rules are modules, and modules load once.
      if (files.some((file) => file.endsWith('.js'))) redocly.restart();
      clearTimeout(idle);
      last += 1;
      const turn = last;
      checking = checking.then(() => check(turn, at));
    },
  });
  return {
    close() {
      last += 1;
      clearTimeout(idle);
      watching.close();
      redocly.close();
    },
  };
}

/** Lints and bundles the contract. */
export async function checkContract(root: URL, redocly: Redocly): Promise<Saved> {
  const findings = await lintContract(root, redocly);
  if (findings.length > 0) return { findings: findings.map(formatFinding) };
  return { contract: await bundleContract(redocly) };
}
