import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scaledTimeout } from '../timeout.ts';
import { programOf } from './program-of-page.ts';
import type { Plan, Report, SignedMessage } from './run-programs.ts';
import { byPage, type Snippet, type SnippetError } from './snippet.ts';
import type { Stage } from './stage.ts';

const run = promisify(execFile);

export interface Programs {
  /** One for each page. */
  files: string[];
  pages: Snippet[][];
  problems: SnippetError[];
}

/**
 * Runs the TypeScript and JavaScript blocks of any number of pages, each page as one program, all in one process of
 * Node. A page that opens a server to receive webhooks is sent a message as the platform signs it, which it must
 * take, and the same with other bytes, which it must refuse.
 *
 * @param given what pages may use without declaring it, as expressions by name, beside `client`, `baseUrl`, `token`
 * @param unrun pages that are run elsewhere: programs are made of them, for `typeErrors` to look at
 */
export async function runPrograms(
  snippets: Snippet[],
  stage: Stage,
  {
    message,
    given = {},
    unrun = [],
  }: { message?: SignedMessage; given?: Record<string, string>; unrun?: Snippet[] } = {},
): Promise<Programs> {
  const folder = join(stage.directory, `programs-${stage.next()}`);
  await mkdir(folder);
  const toRun = byPage(snippets);
  const pages = [...toRun, ...byPage(unrun)];
  const plan: Plan = { message, programs: [], report: join(folder, 'report.json') };
  const files: string[] = [];
  for (const [index, page] of pages.entries()) {
    const file = join(folder, `page-${index}.ts`);
    for (const { code } of page) await stage.provideFiles(code);
    await writeFile(file, stage.localized(programOf(page, given)));
    files.push(file);
    if (index < toRun.length) plan.programs.push({ file, blocks: page.map(({ code }) => code) });
  }
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan));
  const driver = join(import.meta.dirname, 'run-programs.ts');
  const { stderr } = await run(process.execPath, ['--no-warnings', driver, join(folder, 'plan.json')], {
    cwd: stage.directory,
    env: stage.environment,
    timeout: scaledTimeout(120_000),
  });
  const text = await readFile(plan.report, 'utf8').catch(() => {
    throw new Error(`The programs of the pages ended before their time: ${stderr}`);
  });
  const problems = (JSON.parse(text) as Report).map(({ program, block, message }) => {
    const snippet = pages[program]?.[block];
    if (!snippet) throw new Error(message);
    return { snippet, message };
  });
  return { files, pages, problems };
}
