import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scaledTimeout } from '../timeout.ts';
import type { Snippet, SnippetError } from './snippet.ts';
import type { Stage } from './stage.ts';

const run = promisify(execFile);

/** The output of a block of a page. */
export interface ShellOutcome {
  snippet: Snippet;
  output: string;
  problem: SnippetError | undefined;
}

/**
 * Runs the shell blocks of one page in one bash, in order: what one exports, the next one sees. A block fails when
 * any of its commands does; `curl` fails on a status of 400 and more, unless it asks the mock for just that.
 */
export async function runShell(snippets: Snippet[], stage: Stage): Promise<ShellOutcome[]> {
  if (snippets.length === 0) return [];
  const home = join(stage.directory, `shell-${stage.next()}`);
  await mkdir(home);
  await writeFile(
    join(home, '.curlrc'),
    `fail-with-body\nsilent\nshow-error\nmax-time = ${scaledTimeout(20_000) / 1000}\n`,
  );
  for (const [index, { code }] of snippets.entries()) {
    await stage.provideFiles(code);
    await writeFile(join(home, `${index}.sh`), `${stage.localized(code)}\n`);
  }
  await writeFile(join(home, 'page.sh'), script(home, snippets.length));
  await run('bash', [join(home, 'page.sh')], {
    cwd: stage.directory,
    env: { ...stage.environment, HOME: home },
    timeout: scaledTimeout(60_000),
  }).catch((error) => {
    if (error.code === 'ENOENT') throw new Error('Snippets need bash, which is not on this machine.');
    throw new Error(`The shell blocks of ${snippets[0]?.file} could not be run: ${error.message}`);
  });
  return Promise.all(snippets.map((snippet, index) => outcome(snippet, join(home, String(index)))));
}

/** Continues after a failure, so that each block is tested. */
function script(home: string, count: number): string {
  const blocks = Array.from({ length: count }, (_, index) => {
    const block = `${home}/${index}`;
    return `report=${block}.problems; : > "$report"\nsource ${block}.sh > ${block}.out 2> ${block}.err < /dev/null`;
  });
  const trap = `trap 'echo "$BASH_COMMAND" >> "$report"' ERR`;
  return `${['set -o errtrace -o pipefail', trap, ...blocks].join('\n')}\ntrue\n`;
}

async function outcome(snippet: Snippet, block: string): Promise<ShellOutcome> {
  const read = (end: string) => readFile(`${block}.${end}`, 'utf8').catch(() => 'was not reached\n');
  const [output, errors, problems] = await Promise.all(['out', 'err', 'problems'].map(read));
  // The block itself is the last command that fails.
  const commands = (problems ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('source /'));
  const syntax = /syntax error/.test(errors ?? '') ? ['the block'] : [];
  const failed = [...new Set([...commands.filter((command) => !isMeant(command, errors)), ...syntax])];
  const message = `${failed.join(', ')} failed: ${errors}${output}`.trim().slice(0, 2_000);
  return { snippet, output: output ?? '', problem: failed.length > 0 ? { snippet, message } : undefined };
}

/** A page that shows how to get an error from the mock, gets it. */
function isMeant(command: string, errors = ''): boolean {
  const [, status] = /Prefer: code=(\d{3})/.exec(command) ?? [];
  return status !== undefined && errors.includes(`returned error: ${status}`);
}
