import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { pages } from '../../server/src/console/pages/index.ts';
import { type AuditOrigin, changeAsOperator } from '../../server/src/store/audit.ts';
import { pauseDefinition } from '../../server/src/store/pauses.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { wrpOn } from '../support/wrp.ts';
import { openConsole, tokenOf } from './support.ts';

const { connectionString } = await cloneDatabase();
const platform = await api({ databaseUrl: connectionString, clock: 'running' });
const { owner, world, given } = platform;
const executions = executionsOf(owner);
const { workspace } = world;
const wrp = wrpOn(connectionString);
const open = await openConsole(platform);
const readOnly = await openConsole(platform, { actions: false });

const byTester = (): AuditOrigin => ({
  actor: { kind: 'operator', name: 'tester' },
  action: 'definition pause',
  source: 'test',
  at: platform.clock.now(),
});

const define = async (name: string, states: object) =>
  (await given.workflowDefinition({ workspace, name, definition: definitionOf(states as never) })).id;
const resting = await define('resting', { Rest: { Type: 'Wait', Seconds: 3600, End: true } });

/** Text that would be markup, a script or a link if it were not escaped. */
const hostile = '<script>alert(1)</script><img src=x onerror=alert(1)> "\'&amp; javascript:alert(1)';
const failing = await define(hostile, {
  [hostile.slice(0, 70)]: {
    Type: 'Parallel',
    Branches: [definitionOf({ '"><b>inner</b>': { Type: 'Fail', Error: '<i>Error</i>', Cause: hostile } })],
    End: true,
  },
});
const failed = await executions.start({ workflowDefinitionId: failing, parameters: { [hostile]: hostile } });
await executions.ended(failed, 'FAILED');

/** The tags of a page, which no value may add to. */
const hostileMarkup = /<script>alert|<img|<b>inner|<i>Error/;

test('every page of the navigation is served, names itself, and links to the others', async () => {
  const named = pages.filter(({ name }) => name !== undefined);
  for (const { path, name } of named) {
    const { status, body } = await open.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(body).toContain(`<a href="${path}" aria-current="page">${name}</a>`);
    for (const other of named) expect(body).toContain(`href="${other.path}"`);
    expect(body).not.toMatch(hostileMarkup);
  }
  expect(open.reports).toEqual([]);
});

describe('the list of executions', () => {
  const idsOn = (body: string) =>
    [...body.matchAll(/href="\/executions\/([\da-f-]{36})"/g)].map(([, id]) => id);

  test('has what wrp execution list has, with the same filters', async () => {
    await executions.start({ workflowDefinitionId: resting });
    for (const filter of [
      {},
      { status: 'FAILED' },
      { definition: 'resting' },
      { definition: 'resting', status: 'FAILED' },
      { error: '<i>Error</i>' },
      { text: 'JAVASCRIPT:alert' },
      { since: '1h', until: '2999-01-01' },
      { 'ended-since': '1h' },
      { workspace: workspace.id, definition: resting, revision: '1' },
    ]) {
      const { body } = await open.get(`/executions?${new URLSearchParams(filter)}`);
      const options = Object.entries(filter).flatMap(([name, value]) => [`--${name}`, value]);
      const { stdout } = await wrp('execution', 'list', '--json', ...options);
      const listed = JSON.parse(stdout).content.map(({ id }: { id: string }) => id);
      expect(idsOn(body), JSON.stringify(filter)).toEqual(listed);
    }
  });

  test('has pages, whose cursor is of its filters only', async () => {
    for (let count = 0; count < 52; count++) await executions.start({ workflowDefinitionId: resting });
    const first = (await open.get('/executions?definition=resting')).body;
    const [, href = ''] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
    const next = href.replaceAll('&amp;', '&');
    const second = (await open.get(`/executions${next}`)).body;
    expect(idsOn(first)).toHaveLength(50);
    expect(idsOn(second)).toHaveLength(3);
    expect(new Set([...idsOn(first), ...idsOn(second)]).size).toBe(53);
    expect(second).toContain('href="?definition=resting">First page');
    const elsewhere = (await open.get(`/executions${next.replace('resting', 'other')}`)).body;
    expect(elsewhere).toContain('There are no matching executions.');
  });

  test.each([
    ['/executions?since=yesterday&record=1&revision=2', 3],
    ['/executions?until=x&ended-since=y&ended-until=z', 3],
    ['/audit?since=oops', 1],
    ['/audit?since=oops&until=oops', 2],
  ])('%s says which filters are not understood, and shows nothing', async (path, problems) => {
    const { body } = await open.get(path);
    expect(body.match(/class="notice error"/g)).toHaveLength(problems);
    expect(body).toMatch(/There are no matching (?:executions|entries)\./);
  });
});

describe('the page of an execution', () => {
  test('escapes names, values, errors and causes', async () => {
    const { body } = await open.get(`/executions/${failed.id}`);
    expect(body).not.toMatch(hostileMarkup);
    expect(body).toContain('&lt;i&gt;Error&lt;/i&gt;');
    expect(body.match(/<script>/g) ?? []).toHaveLength(0);
  });

  test('is what wrp execution show --output writes, without forms and scripts', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wrp-page-'));
    atEnd(() => rm(directory, { recursive: true }));
    const file = join(directory, 'page.html');
    const { status, stderr } = await wrp('execution', 'show', failed.id, '--output', file);
    expect([status, stderr]).toEqual([0, `The page is in ${file}.\n`]);
    const page = await readFile(file, 'utf8');
    expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;/);
    expect(page).not.toMatch(/<script|<form|<link rel="stylesheet"|https?:\/\//);
    expect(page).not.toMatch(hostileMarkup);
    const main = (text: string) => /<h2 id="graph">[\s\S]*<\/main>/.exec(text)?.[0];
    expect(main(page)).toBe(main((await readOnly.get(`/executions/${failed.id}`)).body));
  });

  test('shows a Map of 1,000 items by its counts, within seconds', async () => {
    const many = await define('many', {
      Each: {
        Type: 'Map',
        Items: '{% [1..1000] %}',
        ItemProcessor: definitionOf({
          Check: { Type: 'Pass', Next: 'Keep' },
          Keep: { Type: 'Succeed' },
        }),
        Output: {},
        End: true,
      },
    });
    const execution = await executions.start({ workflowDefinitionId: many });
    await executions.ended(execution);
    const startedAt = performance.now();
    const { body } = await open.get(`/executions/${execution.id}`);
    expect(performance.now() - startedAt).toBeLessThan(scaledTimeout(3_000));
    expect(body).toContain('1,000 completed');
    expect(body.length).toBeLessThan(200_000);
  });

  test('has a table of the states instead of a graph that is too large', async () => {
    const steps = Array.from({ length: 150 }, (_, index) => `Step ${index}`);
    const large = await define('large', {
      Rest: { Type: 'Wait', Seconds: 3600, Next: 'Step 0' },
      ...Object.fromEntries(
        steps.map((name, index) => [
          name,
          {
            ...{ Type: 'Map', Items: [], ItemProcessor: definitionOf({ Item: { Type: 'Succeed' } }) },
            Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Give up' }],
            Next: steps[index + 1] ?? 'Give up',
          },
        ]),
      ),
      'Give up': { Type: 'Succeed' },
    });
    const { id } = await executions.start({ workflowDefinitionId: large });
    const { body } = await open.get(`/executions/${id}`);
    expect(body).toContain('The definition is too large to be drawn. Its states and transitions:');
    expect(body).not.toContain('class="graph"');
    const [, rows = ''] =
      /States of the definition<\/caption>[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(body) ?? [];
    expect(rows.match(/<tr>/g)).toHaveLength(302);
    expect(rows).toContain('Step 1, Give up (States.ALL)');
    expect(rows).toContain('>Item <span class="muted">Step 0</span>');
  });

  test('says that the definition is paused, and why, before the first step', async () => {
    const id = await define('held', { Done: { Type: 'Succeed' } });
    const reason = 'down until 14:00 <b>';
    await changeAsOperator(platform.database, byTester(), (transaction) =>
      pauseDefinition(transaction, id, { reason, now: platform.clock.now() }),
    );
    const execution = await executions.start({ workflowDefinitionId: id });
    const page = await open.get(`/executions/${execution.id}`);
    expect(page.body).toContain('The definition is paused since');
    expect(page.body).toContain('down until 14:00 &lt;b&gt;');
    expect(page.body).toContain('The execution has no history: it has not started.');
    expect((await wrp('execution', 'show', execution.id)).stdout).toMatch(
      /^paused +\S+: down until 14:00 <b>$/m,
    );
  });

  test('cancels and retries, as the commands do', async () => {
    const { id } = await executions.start({ workflowDefinitionId: resting });
    const path = `/executions/${id}`;
    const token = tokenOf((await open.get(path)).body, `${path}/cancel`);
    expect((await open.post(`${path}/cancel`, { token })).body).toContain('The execution is cancelled.');
    expect(await executions.read(id)).toMatchObject({ status: 'CANCELLED' });
    expect((await open.post(`${path}/cancel`, { token })).body).toContain('was already cancelled');
    const retried = await open.submit(`/executions/${failed.id}`, `/executions/${failed.id}/retry`);
    expect(retried.body).toContain('The execution runs again, with revision 1.');
    await executions.ended(failed, 'FAILED');
    const { stdout } = await wrp('execution', 'show', failed.id);
    expect(stdout).toContain('retried by tester');
  });
});

describe('the audit log', async () => {
  const shared = `Shared.${randomUUID().slice(0, 8)}@example.test`;
  const user = await given.user({ organization: world.organization });
  const others = [world.organization, world.strangersOrganization].map((organization) =>
    given.user({ organization }),
  );
  const ids = (await Promise.all(others)).map(({ id }) => id);
  await platform.database.updateTable('users').set({ email: shared }).where('id', 'in', ids).execute();
  await owner.POST('/organizations/users/{userId}/terminate', { params: { path: { userId: user.id } } });
  const paused = await define('paused', { Done: { Type: 'Succeed' } });
  await changeAsOperator(platform.database, byTester(), (transaction) =>
    pauseDefinition(transaction, paused, { reason: undefined, now: platform.clock.now() }),
  );

  test.each<[string, string, boolean]>([
    ['the e-mail address of a user', world.owner.email, true],
    ['it in upper case', world.owner.email.toUpperCase(), true],
    ['the id of a user', world.owner.id, true],
    ['the name of a system user', 'tester', true],
    ['another name', 'nobody', false],
  ])('has for %s what wrp audit list --actor has', async (_what, actor, isFound) => {
    const { body } = await open.get(`/audit?${new URLSearchParams({ actor })}`);
    const listed = (await wrp('audit', 'list', '--json', '--actor', actor)).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).action);
    expect([...body.matchAll(/<\/th><td>([^<]*)<\/td>/g)].map(([, action]) => action)).toEqual(listed);
    expect(listed.length > 0).toBe(isFound);
  });

  test('refuses an address that users of several organizations have, as the command does', async () => {
    const problem = `everal organizations have a user ${shared}: use the user's id.`;
    const { body } = await open.get(`/audit?${new URLSearchParams({ actor: shared })}`);
    expect(body).toContain(problem.replace("'", '&#39;'));
    expect(body).toContain('There are no matching entries.');
    expect((await wrp('audit', 'list', '--actor', shared)).stderr).toContain(problem);
  });
});

test('a console without --actions has no form that changes anything', async () => {
  for (const { path } of pages) {
    const { body } = await readOnly.get(path.replace(':id', failed.id));
    expect(body).not.toContain('method="post"');
  }
});

test('wrp queue prints what the page of the queue shows', async () => {
  const { stdout } = await wrp('queue');
  const { body } = await open.get('/queue');
  for (const line of stdout.trim().split('\n').slice(0, 6)) {
    const [name, text] = line.split(/ {2,}/);
    expect(body).toContain(`<dt>${name}</dt><dd>${text}</dd>`);
  }
  expect(JSON.parse((await wrp('queue', '--json')).stdout)).toMatchObject({
    unrelayedEvents: expect.any(Number),
  });
});

test('wrp usage prints what the page of usage shows', async () => {
  const { stdout } = await wrp('usage', '--environment', 'production');
  const { body } = await open.get('/usage');
  const [, , ...lines] = stdout.split('\n\n')[0]?.split('\n') ?? [];
  for (const line of lines) {
    const [, text = ''] = /^ {2}\S.{15}(.*)$/.exec(line) ?? [];
    expect(body).toContain(`<dd>${text}</dd>`);
  }
});

test('wrp execution show --open serves the page of a running execution, and ends at once on Ctrl-C after the end', async () => {
  const { id } = await executions.start({ workflowDefinitionId: resting });
  const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');
  const env = {
    PATH: join(process.execPath, '..'),
    HOME: process.env['HOME'],
    DATABASE_URL: connectionString,
  };
  const child = spawn(process.execPath, [launcher, 'execution', 'show', id, '--open'], { env });
  let isServed = false;
  for await (const line of createInterface(child.stderr)) {
    const [link] = /http:\S+/.exec(line) ?? [];
    if (link) {
      isServed = (await fetch(link, { redirect: 'manual' })).status === 303;
      await owner.POST('/workflows/{workflowId}/cancel', { params: { path: { workflowId: id } } });
    }
    if (line.startsWith('The execution has ended.')) break;
  }
  expect(isServed).toBe(true);
  const interruptedAt = performance.now();
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(performance.now() - interruptedAt).toBeLessThan(scaledTimeout(5_000));
});

describe('wrp console', () => {
  test('refuses what is no port', async () => {
    const { status, stderr } = await wrp('console', '--port', '70000');
    expect([status, stderr]).toEqual([2, expect.stringContaining('It must be a number from 0 to 65535.')]);
  });

  test('prints a link that works once, serves without actions, and ends when it is interrupted', async () => {
    const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: connectionString };
    const child = spawn(process.execPath, [launcher, 'console'], { env });
    const [line] = await once(createInterface(child.stdout), 'line');
    const opened = await fetch(line, { redirect: 'manual' });
    const cookie = opened.headers.getSetCookie()[0]?.split(';', 1).join() ?? '';
    expect((await fetch(line, { redirect: 'manual' })).status).toBe(403);
    const page = await fetch(new URL(`/executions/${failed.id}`, line), { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain('method="post"');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
