import { readFile } from 'node:fs/promises';
import { CommandError } from '../command-line/command.ts';
import { bundleContract, type Contract, formatFinding, lintContract } from '../contract/source.ts';
import { isGenerated } from '../prepare/source-digest.mjs';
import { openRedocly, type Redocly } from '../redocly/redocly.ts';
import { watchFiles } from '../watch/watch-files.ts';

/** Whoever starts a mock wants its first answer first. */
const warmUpMilliseconds = 1_500;

/** What a save came to: another contract, or what is wrong with it, as `file:line:column rule message`. */
export type Saved = { contract: Contract } | { findings: string[] };

/**
 * The contract as `spec/` has it now: out of `generated/` where that is up to date.
 *
 * @throws CommandError where the source cannot be used; its findings are printed
 */
export async function readContract(root: URL): Promise<Contract> {
  if (isGenerated()) return JSON.parse(await readFile(new URL('generated/openapi.json', root), 'utf8'));
  const saved = await checkContract(root);
  if ('contract' in saved) return saved.contract;
  for (const finding of saved.findings) console.error(finding);
  throw new CommandError(`the contract has faults: ${saved.findings.length} to mend in spec/.`);
}

/**
 * Calls back after each save of any file under `spec/`, once the contract is linted and bundled. Of saves that come
 * meanwhile only the last is told.
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
  // The first command pays for loading the linter; it is not to be the one that a designer waits for.
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

async function checkContract(root: URL, redocly?: Redocly): Promise<Saved> {
  const findings = await lintContract(root, redocly);
  if (findings.length > 0) return { findings: findings.map(formatFinding) };
  return { contract: await bundleContract(root, redocly) };
}
