import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { allEvents, problemsOf } from '../support/events.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, task, workflowWorld } from './support.ts';

const platform = await workflowWorld();
const { owner, world, executions, begin, run, failureOf, database, given, dataDirectory } = platform;

/** The result of one task. */
const does = async (resource: string, Arguments: JsonObject, start = {}) =>
  ((await run(task(resource, Arguments), start)) as { result: unknown }).result;
const failsWith = async (resource: string, Arguments: JsonObject, fields: JsonObject = {}) => {
  const execution = await begin(task(resource, Arguments, fields));
  await executions.ended(execution, 'FAILED');
  return failureOf(execution.id);
};
const eventsOfType = async (type: string) =>
  (await allEvents(database)).filter((event) => event.type === type);

describe('a task without Arguments', () => {
  const { Arguments: _, ...bare } = task('', {})['Do'] as JsonObject;

  test.each([...supportedResources])(
    'fails with Wrp.InvalidArguments for other fields: %s',
    async (Resource) => {
      const execution = await begin({ Do: { ...bare, Resource } });
      await executions.ended(execution, 'FAILED');
      expect(await failureOf(execution.id)).toEqual({
        error: 'Wrp.InvalidArguments',
        cause: expect.stringMatching(/^Unknown field ‘parameters’; the fields are /),
      });
    },
  );

  test('receives the input', async () => {
    const system = await otherSystem((_request, response) => json(response, 200, { ok: true }));
    const states = { First: { Type: 'Pass', Output: { url: system.url }, Next: 'Do' } };
    const result = await run({ ...states, Do: { ...bare, Resource: 'wrp:http:call' } });
    expect(result).toMatchObject({ result: { body: { ok: true } } });
  });
});

describe('wrp:http:call', () => {
  test('sends its arguments, and returns status, headers and parsed body', async () => {
    const system = await otherSystem((_request, response) => json(response, 201, { ok: 'ü' }));
    const result = await does('wrp:http:call', {
      method: 'PUT',
      url: `${system.url}/a?b=1`,
      query: { c: 'd e', n: 2 },
      headers: { 'X-One': 'two' },
      body: { deep: [1] },
    });
    expect(result).toMatchObject({
      statusCode: 201,
      body: { ok: 'ü' },
      headers: { 'content-type': 'application/json' },
    });
    expect(system.received).toMatchObject([
      {
        method: 'PUT',
        url: '/a?b=1&c=d+e&n=2',
        body: '{"deep":[1]}',
        headers: {
          'x-one': 'two',
          'content-type': 'application/json',
          'idempotency-key': expect.any(String),
        },
      },
    ]);
  });

  test('returns a body that is not JSON as text, and sends text as it is', async () => {
    const system = await otherSystem(({ body }, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end(body);
    });
    const result = await does('wrp:http:call', {
      url: system.url,
      headers: { 'Content-Type': 'text/csv' },
      body: 'a;b',
    });
    expect(result).toMatchObject({ body: 'a;b' });
    expect(system.received[0]).toMatchObject({ method: 'POST', body: 'a;b' });
  });

  test('fails once for JSON with text that cannot be stored, which a Catcher catches', async () => {
    const system = await otherSystem(({ url }, response) => {
      const text = url === '/nul' ? 'a\\u0000b' : '\\ud83d';
      response.writeHead(201, { 'Content-Type': 'application/json' }).end(`{"text":"${text}"}`);
    });
    expect(await failsWith('wrp:http:call', { url: `${system.url}/half` })).toEqual({
      error: 'States.QueryEvaluationError',
      cause: 'The result contains a lone surrogate (U+D800 to U+DFFF), which cannot be stored.',
    });
    const Arguments = { url: `${system.url}/nul`, method: 'POST' };
    const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Rest' }];
    const result = await run({
      Pay: { Type: 'Task', Resource: 'wrp:http:call', Arguments, Catch, Next: 'Rest' },
      Rest: { Type: 'Wait', Seconds: 1, Next: 'Done' },
      Done: { Type: 'Succeed' },
    });
    expect(result).toEqual({
      Error: 'States.QueryEvaluationError',
      Cause: 'The result contains NUL (U+0000), which cannot be stored.',
    });
    expect(system.received.map(({ url }) => url)).toEqual(['/half', '/nul']);
  });

  test('replaces NUL in text, and keeps the body of an error as text if its values cannot be stored', async () => {
    const system = await otherSystem(({ url }, response) => {
      const type = url === '/json' ? 'application/json' : 'application/octet-stream';
      response.writeHead(url === '/ok' ? 200 : 500, { 'Content-Type': type });
      response.end(url === '/json' ? '{"text":"\\u0000"}' : 'a\0b');
    });
    const url = (path: string) => ({ url: system.url + path });
    expect(await does('wrp:http:call', url('/ok'))).toMatchObject({ body: 'a\ufffdb' });
    const caughtOf = (path: string) =>
      run({
        ...task('wrp:http:call', url(path), { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Rest' }] }),
        Rest: { Type: 'Wait', Seconds: 1, Next: 'Done' },
        Done: { Type: 'Succeed' },
      });
    expect(await caughtOf('/text')).toMatchObject({
      Cause: 'The response to GET has status 500. a\ufffdb',
      Response: { body: 'a\ufffdb' },
    });
    expect(await caughtOf('/json')).toMatchObject({ Response: { body: '{"text":"\\u0000"}' } });
  });

  test('follows no redirect', async () => {
    const system = await otherSystem(
      (_request, response) => void response.writeHead(302, { Location: '/other' }).end(),
    );
    expect(await failsWith('wrp:http:call', { url: system.url })).toMatchObject({ error: 'Http.Status.302' });
    expect(system.received).toHaveLength(1);
  });

  test('fails with States.Timeout after TimeoutSeconds', async () => {
    const system = await otherSystem(() => {});
    const failure = await failsWith('wrp:http:call', { url: system.url }, { TimeoutSeconds: 1 });
    expect(failure).toEqual({ error: 'States.Timeout', cause: 'The call did not end within 1 seconds.' });
  });

  test('fails for a response above 8 MiB, and without a response', async () => {
    const large = await otherSystem((_request, response) => void response.end(Buffer.alloc(8 * 2 ** 20 + 1)));
    expect(await failsWith('wrp:http:call', { url: large.url })).toMatchObject({ error: 'Http.TooLarge' });
    const rude = await otherSystem((_request, response) => void response.destroy());
    expect(await failsWith('wrp:http:call', { url: rude.url })).toMatchObject({ error: 'Http.Failed' });
  });

  test.each<[string, JsonObject]>([
    ['no address', {}],
    ['a field that it does not know', { url: 'http://localhost/', verb: 'GET' }],
    ['a header that is ours', { url: 'http://localhost/', headers: { 'Idempotency-Key': 'x' } }],
    ['a header that would end the line', { url: 'http://localhost/', headers: { 'X-A': 'b\r\nX-C: d' } }],
    ['a method that there is not', { url: 'http://localhost/', method: 'FETCH' }],
  ])('refuses %s', async (_what, given_) => {
    expect(await failsWith('wrp:http:call', given_)).toMatchObject({ error: 'Wrp.InvalidArguments' });
  });
});

describe('wrp:resource:create', () => {
  test('stores a file of the workspace, and emits its event', async () => {
    const result = (await does('wrp:resource:create', { name: 'report.json', json: { a: ['ü'] } })) as {
      resourceId: string;
    };
    const { resourceId } = result;
    expect(result).toEqual({
      resourceId,
      resourcePath: `/resources/${resourceId}`,
      resourceName: 'report.json',
    });
    const response = await owner.fetch(`/resources/${resourceId}`);
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(await response.text()).toBe('{"a":["ü"]}');
    const [event] = (await eventsOfType('resource.created')).filter(
      ({ data }) => (data as { resourceId: string }).resourceId === resourceId,
    );
    expect(problemsOf(event as never)).toEqual([]);
    expect(event).toMatchObject({
      workspaceId: world.workspace.id,
      data: { sha256: createHash('sha256').update('{"a":["ü"]}').digest('hex') },
    });
  });

  test('accepts either text or base64', async () => {
    const made = (await does('wrp:resource:create', {
      name: 'a.bin',
      base64: 'AAEC',
      contentType: 'image/png',
    })) as { resourceId: string };
    const response = await owner.fetch(`/resources/${made.resourceId}`);
    expect(response.headers.get('Content-Type')).toBe('image/png');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 1, 2]));
    const both = { name: 'a', text: 'a', base64: 'AAEC' };
    expect(await failsWith('wrp:resource:create', both)).toMatchObject({ error: 'Wrp.InvalidArguments' });
  });
});

describe('wrp:attachment:create', () => {
  const attachments = async (recordId: string) =>
    (await owner.fetch(`/tables/${world.table.id}/records/${recordId}/attachments`)).json();

  test('attaches a file to the record of the execution, with tags', async () => {
    const record = await given.record({ table: world.table });
    const result = await does(
      'wrp:attachment:create',
      { name: 'note.txt', text: 'Grüße', tags: ['a', 'b'] },
      { recordId: record.id },
    );
    expect(await attachments(record.id)).toEqual([result]);
    expect(result).toMatchObject({
      recordId: record.id,
      name: 'note.txt',
      type: 'text/plain; charset=utf-8',
      size: 7,
      tags: ['a', 'b'],
    });
    const [event] = (await eventsOfType('attachment.created')).filter(
      ({ data }) => (data as { recordId: string }).recordId === record.id,
    );
    expect(problemsOf(event as never)).toEqual([]);
  });

  test('attaches a resource of the workspace, as a copy, any number of times', async () => {
    const record = await given.record({ table: world.table });
    const { resourceId } = (await does('wrp:resource:create', { name: 'r.txt', text: 'r' })) as {
      resourceId: string;
    };
    for (const tags of [['first'], ['second']]) {
      await does('wrp:attachment:create', { resourceId, recordId: record.id, tags });
    }
    expect(await attachments(record.id)).toMatchObject([
      { name: 'r.txt', tags: ['first'] },
      { name: 'r.txt', tags: ['second'] },
    ]);
  });

  test('fails for a record and a resource of another workspace', async () => {
    const elsewhere = await given.record({ table: await given.table({ workspace: world.otherWorkspace }) });
    const file = { name: 'a', text: 'a' };
    expect(await failsWith('wrp:attachment:create', { ...file, recordId: elsewhere.id })).toMatchObject({
      error: 'Wrp.RecordNotFound',
    });
    const { resourceId } = (await does('wrp:resource:create', file)) as { resourceId: string };
    await database
      .updateTable('resources')
      .set('workspace_id', world.otherWorkspace.id)
      .where('id', '=', resourceId)
      .execute();
    expect(await failsWith('wrp:attachment:create', { resourceId, recordId: world.record.id })).toMatchObject(
      { error: 'Wrp.ResourceNotFound' },
    );
    expect(await failsWith('wrp:attachment:create', file)).toMatchObject({ error: 'Wrp.InvalidArguments' });
  });
});

describe('wrp:mail:send', () => {
  test('queues and sends a message', async () => {
    const { readdir, readFile } = await import('node:fs/promises');
    const subject = `Claim ${world.record.id}`;
    expect(await does('wrp:mail:send', { to: 'ada@example.com', subject, text: 'Hello' })).toEqual({
      to: 'ada@example.com',
      subject,
    });
    const message = await until(async () => {
      const files = await readdir(`${dataDirectory}/outbox`, { recursive: true }).catch(() => []);
      const texts = await Promise.all(
        files.map((file) => readFile(`${dataDirectory}/outbox/${file}`, 'utf8').catch(() => '')),
      );
      return texts.find((text) => text.includes(world.record.id));
    });
    expect(message).toContain('ada@example.com');
  });

  test.each<[string, JsonObject]>([
    ['several addresses', { to: 'a@example.com, b@example.com', subject: 's', text: 't' }],
    ['a subject of two lines', { to: 'a@example.com', subject: 's\nBcc: b@example.com', text: 't' }],
  ])('refuses %s', async (_what, given_) => {
    expect(await failsWith('wrp:mail:send', given_)).toMatchObject({ error: 'Wrp.InvalidArguments' });
  });
});
