import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { discussionIn, harmless, postReview } from '../../scripts/spec/review/comment.ts';

/** Both APIs, as far as comments go. */
const comments: { id: number; body: string }[] = [];
const calls: string[] = [];
let refusal: number | undefined;
const server = createServer(async (request, response) => {
  const { method = '', url = '' } = request;
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  calls.push(`${method} ${pathname} ${request.headers.authorization ?? request.headers['private-token']}`);
  const body = method === 'GET' ? undefined : ((await json(request)) as { body: string }).body;
  const reply = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
  if (refusal) return reply(refusal, { message: 'Not accessible' });
  if (method === 'GET') {
    const page = Number(searchParams.get('page'));
    return reply(200, comments.slice((page - 1) * 100, page * 100));
  }
  if (method === 'POST')
    return reply(201, comments[comments.push({ id: comments.length + 1, body: body ?? '' }) - 1]);
  const found = comments.find(({ id }) => pathname.endsWith(`/${id}`));
  if (!found) return reply(404, {});
  found.body = body ?? '';
  return reply(200, found);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const directory = await mkdtemp(join(tmpdir(), 'wrp-comment-'));
const event = join(directory, 'event.json');
await writeFile(event, JSON.stringify({ pull_request: { number: 7 } }));
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});
beforeEach(() => {
  comments.length = 0;
  calls.length = 0;
  refusal = undefined;
});

async function json(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

const gitHub = {
  ...{ GITHUB_ACTIONS: 'true', GITHUB_API_URL: api, GITHUB_REPOSITORY: 'firm/platform', GITHUB_TOKEN: 'ght' },
  ...{ GITHUB_EVENT_PATH: event, GITHUB_SERVER_URL: 'https://github.example', GITHUB_RUN_ID: '5' },
  ARTIFACT_ID: '9',
};
const gitLab = {
  ...{ GITLAB_CI: 'true', CI_API_V4_URL: api, CI_PROJECT_ID: '3', CI_MERGE_REQUEST_IID: '7' },
  ...{ GITLAB_TOKEN: 'glt', CI_JOB_URL: 'https://gitlab.example/job/1' },
};

describe.each([
  [
    'GitHub',
    gitHub,
    'https://github.example/firm/platform/actions/runs/5/artifacts/9',
    '/repos/firm/platform/issues/7/comments',
    'PATCH /repos/firm/platform/issues/comments/101',
    'Bearer ght',
  ],
  [
    'GitLab',
    gitLab,
    'https://gitlab.example/job/1/artifacts/browse',
    '/projects/3/merge_requests/7/notes',
    'PUT /projects/3/merge_requests/7/notes/101',
    'glt',
  ],
] as const)('on %s', (_, env, artifact, list, update, token) => {
  test('creates one comment, leaves it if it says the same, and updates it otherwise', async () => {
    for (let id = 1; id <= 100; id++) comments.push({ id, body: `Comment ${id} <!-- contract-review -->` });
    const discussion = await discussionIn(env);
    expect(await postReview('# Contract review\n', discussion)).toBe('created');
    expect(comments).toHaveLength(101);
    expect(comments[100]?.body).toContain(
      `<!-- contract-review -->\n# Contract review\n\n[The artifact](${artifact}) has the portal`,
    );
    expect(await postReview('# Contract review\n', discussion)).toBe('unchanged');
    expect(await postReview('# Another\n', discussion)).toBe('updated');
    expect(comments).toHaveLength(101);
    expect(comments[100]?.body).toContain('# Another');
    expect(calls).toContain(`POST ${list} ${token}`);
    expect(calls.at(-1)).toBe(`${update} ${token}`);
  });

  test('says in one line why the comment was refused', async () => {
    refusal = 403;
    await expect(postReview('x', await discussionIn(env))).rejects.toThrow(
      /^127\.0\.0\.1:\d+ refused the comment: 403 Not accessible\. The token may not write comments; one of a fork never may\.$/,
    );
  });

  test('cuts what is longer than a comment may be', async () => {
    await postReview('word\n'.repeat(20_000), await discussionIn(env));
    expect(comments[0]?.body.length).toBeLessThan(65_000);
    expect(comments[0]?.body).toContain('… and more.');
  });
});

test.each([
  [{}, 'neither GITHUB_ACTIONS nor GITLAB_CI is set'],
  [{ ...gitHub, GITHUB_TOKEN: '' }, 'GITHUB_TOKEN is not set.'],
  [{ ...gitLab, GITLAB_TOKEN: undefined }, 'GITLAB_TOKEN is not set.'],
  [{ ...gitLab, CI_MERGE_REQUEST_IID: undefined }, 'run the job for merge requests'],
])('without what it needs, names it: %j', async (env, message) => {
  await expect(discussionIn(env)).rejects.toThrow(message);
});

test('says that the host did not respond', async () => {
  const discussion = await discussionIn({ ...gitHub, GITHUB_API_URL: 'http://127.0.0.1:1' });
  await expect(postReview('x', discussion)).rejects.toThrow(/^127\.0\.0\.1:1 did not respond: /);
});

test.each([
  ['ask @ada and #12', 'ask @\u200bada and #\u200b12'],
  ['see [this](https://evil.example)', 'see \\[this\\](https\u200b://evil.example)'],
  ['![](https://evil.example/x.png)', '\\!\\[\\](https\u200b://evil.example/x.png)'],
  ['<img src=x>', '&lt;img src=x>'],
  ['`@ada [x](y) <b>` @ada', '`@ada [x](y) <b>` @\u200bada'],
  ['a ` @ada', 'a ` @\u200bada'],
  ['# Heading\n\n| a | b |\n', '# Heading\n\n| a | b |\n'],
])('takes the effects from %j', (given, expected) => {
  expect(harmless(given)).toBe(expected);
});
