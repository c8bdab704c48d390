/**
 * Posts a review as one comment of a pull request on GitHub or of a merge request on GitLab, which later runs update. It
 * needs nothing but what their CI sets, and runs no code of the contract.
 *
 *   npm run spec:comment -- review/summary.md
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError, command, run } from '../../command-line/command.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Comment = { id: number; body: string };

/** Where the comment belongs, and how it is found, created and updated there. */
export type Discussion = {
  /** Comments, from the first page to the last. */
  comments(): AsyncIterable<Comment>;
  create(body: string): Promise<unknown>;
  update(id: number, body: string): Promise<unknown>;
  /** The page of what spec:review has written: an artifact, or the job that has it. */
  artifact: string | undefined;
};

/** By which a later run finds the comment. */
const marker = '<!-- contract-review -->';
/** GitHub refuses more than 65,536 characters. */
const longest = 60_000;
const perPage = 100;
const timeoutMilliseconds = 15_000;

/** @returns what was done: nothing is written if the comment says the same already. @throws {CommandError} */
export async function postReview(
  summary: string,
  discussion: Discussion,
): Promise<'created' | 'updated' | 'unchanged'> {
  const body = bodyOf(summary, discussion.artifact);
  for await (const comment of discussion.comments()) {
    if (!comment.body.startsWith(marker)) continue;
    if (comment.body.trim() === body.trim()) return 'unchanged';
    await discussion.update(comment.id, body);
    return 'updated';
  }
  await discussion.create(body);
  return 'created';
}

function bodyOf(summary: string, artifact: string | undefined): string {
  const text = harmless(summary);
  const whole = artifact
    ? `[The artifact](${artifact}) has the portal with this contract, in \`preview/\`, and both values of every change, in \`changes.html\`.`
    : '';
  const shown =
    text.length > longest ? `${text.slice(0, text.lastIndexOf('\n', longest))}\n\n… and more.` : text;
  return `${marker}\n${shown.trimEnd()}\n\n${whole}\n`;
}

/**
 * Takes the effects from texts that anybody may have written into a contract: outside of code, no mention, no reference
 * to an issue, no link, no image and no HTML.
 */
export function harmless(markdown: string): string {
  const code = /(`+)[^\n]*?[^`]\1(?!`)|`+/g;
  const plain = (text: string) =>
    text
      .replaceAll('<', '&lt;')
      .replaceAll(/[![\]]/g, '\\$&')
      .replaceAll(/(?<=[@#])(?=\w)/g, '\u200b')
      .replaceAll(/\b(https?|www)(?=[:.])/g, '$1\u200b');
  let result = '';
  let end = 0;
  for (const { 0: span, index } of markdown.matchAll(code)) {
    result += plain(markdown.slice(end, index)) + span;
    end = index + span.length;
  }
  return result + plain(markdown.slice(end));
}

/** @throws {CommandError} if neither CI runs, or not for a pull request, or without a token */
export async function discussionIn(env: Environment): Promise<Discussion> {
  if (env['GITHUB_ACTIONS']) return onGitHub(env);
  if (env['GITLAB_CI']) return onGitLab(env);
  throw new CommandError('neither GITHUB_ACTIONS nor GITLAB_CI is set: it posts from their CI only.');
}

async function onGitHub(env: Environment): Promise<Discussion> {
  const event = JSON.parse(await readFile(needed(env, 'GITHUB_EVENT_PATH'), 'utf8')) as {
    pull_request?: { number: number };
  };
  const number = event.pull_request?.number;
  if (number === undefined) throw new CommandError('the event of this run is no pull request.');
  const repository = `${env['GITHUB_API_URL'] ?? 'https://api.github.com'}/repos/${needed(env, 'GITHUB_REPOSITORY')}`;
  const call = caller({
    authorization: `Bearer ${needed(env, 'GITHUB_TOKEN')}`,
    accept: 'application/vnd.github+json',
  });
  const comments = `${repository}/issues/${number}/comments`;
  const run =
    env['GITHUB_RUN_ID'] &&
    `${env['GITHUB_SERVER_URL']}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}`;
  const artifact = run && env['ARTIFACT_ID'] ? `${run}/artifacts/${env['ARTIFACT_ID']}` : run;
  return {
    comments: () => pages(call, comments),
    create: (body) => call('POST', comments, { body }),
    update: (id, body) => call('PATCH', `${repository}/issues/comments/${id}`, { body }),
    artifact: artifact || undefined,
  };
}

async function onGitLab(env: Environment): Promise<Discussion> {
  const request = env['CI_MERGE_REQUEST_IID'];
  if (!request) throw new CommandError('CI_MERGE_REQUEST_IID is not set: run the job for merge requests.');
  const project = `${needed(env, 'CI_API_V4_URL')}/projects/${needed(env, 'CI_PROJECT_ID')}`;
  const notes = `${project}/merge_requests/${request}/notes`;
  const call = caller({ 'private-token': needed(env, 'GITLAB_TOKEN') });
  return {
    comments: () => pages(call, notes),
    create: (body) => call('POST', notes, { body }),
    update: (id, body) => call('PUT', `${notes}/${id}`, { body }),
    artifact: env['CI_JOB_URL'] && `${env['CI_JOB_URL']}/artifacts/browse`,
  };
}

function needed(env: Environment, name: string): string {
  const value = env[name];
  if (value) return value;
  throw new CommandError(`${name} is not set.`);
}

type Call = (method: string, url: string, body?: object) => Promise<unknown>;

function caller(headers: Record<string, string>): Call {
  return async (method, url, body) => {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMilliseconds),
      // A token goes nowhere else.
      redirect: 'error',
    }).catch((error: Error) => {
      throw new CommandError(
        `${new URL(url).host} did not respond: ${(error.cause as Error)?.message ?? error.message}.`,
      );
    });
    if (response.ok) return response.json();
    const { message = '' } = (await response.json().catch(() => ({}))) as { message?: string };
    const hint = response.status === 403 ? ' The token may not write comments; one of a fork never may.' : '';
    throw new CommandError(`${new URL(url).host} refused the comment: ${response.status} ${message}.${hint}`);
  };
}

async function* pages(call: Call, url: string): AsyncIterable<Comment> {
  for (let page = 1; ; page++) {
    const some = (await call('GET', `${url}?per_page=${perPage}&page=${page}`)) as Comment[];
    yield* some;
    if (some.length < perPage) return;
  }
}

const cli = command('spec:comment')
  .description(
    `Posts the summary of spec:review as one comment of the pull request, which later runs update. It runs in the CI of
GitHub, with GITHUB_TOKEN, or of GitLab, with GITLAB_TOKEN.`,
  )
  .argument('<file>', 'summary.md, which spec:review --output writes')
  .action(async (file) => {
    const summary = await readFile(resolve(process.env['INIT_CWD'] ?? '', file), 'utf8').catch(() => {
      throw new CommandError(`${file} cannot be read.`);
    });
    console.log(`The comment is ${await postReview(summary, await discussionIn(process.env))}.`);
  });

if (import.meta.main) await run(cli);
