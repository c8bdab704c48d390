import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../server/json/index.ts';
import { checkArguments } from '../../server/src/manifest/check-arguments.ts';
import { type Mock, runDefinition } from '../../server/src/workflows/simulation/index.ts';
import { openTasks } from '../../server/src/workflows/tasks/index.ts';
import { catchFailure, type TaskFailure } from '../../server/src/workflows/tasks/task.ts';
import { definitionOf } from '../support/definitions.ts';

const id = '00000000-0000-4000-8000-000000000001';
const url = 'https://example.com';
const file = { name: 'a.txt', text: 'a' };
const mail = { to: 'ada@example.com', subject: 'a', text: 'a' };

const reached = new Error('The task used something outside.');
const outside = new Proxy({} as never, {
  get() {
    throw reached;
  },
});
const tasks = openTasks({
  database: outside,
  blobs: outside,
  jobs: outside,
  outbound: outside,
  baseUrl: url,
  storageQuota: 1,
});

/** The failure of the engine's task. The test fails if the task uses something before it reads all arguments. */
async function causeOf(resource: string, args: Json): Promise<string | undefined> {
  const task = tasks[resource];
  if (!task) throw new Error(`There is no task ${resource}.`);
  const attempt = { execution: { recordId: id }, idempotencyKey: '', now: new Date(0) } as never;
  const { signal } = new AbortController();
  const run = async (given: JsonObject): Promise<unknown> => {
    if (task.kind === 'change') return task.prepare(given, attempt);
    if (task.kind === 'call') return task.call(given, attempt, signal);
    return task.request(given, attempt, { signal, token: '' });
  };
  const outcome = await catchFailure(args, run).catch((error: unknown) => {
    if (error !== reached) throw error as TaskFailure;
    return undefined;
  });
  return outcome?.kind === 'failed' ? outcome.failure.cause : undefined;
}

const definition = (Resource: string, Arguments: Json) =>
  definitionOf({ A: { Type: 'Task', Resource: `wrp:${Resource}`, Arguments, End: true } });

const mockOf = (resource: string): Mock =>
  resource === 'callback:wait' ? { callback: { output: {} } } : { output: {} };

const eitherContent = 'The content must be one of ‘text’, ‘base64’ and ‘json’.';
const eitherFile = 'The file must be either a resource or content, not both.';

describe('arguments that a task refuses', () => {
  test.each<[resource: string, args: JsonObject, cause: string]>([
    ...['resource:create', 'attachment:create'].flatMap((resource): [string, JsonObject, string][] => [
      [resource, { ...file, json: {} }, eitherContent],
      [resource, { ...file, base64: '' }, eitherContent],
      [resource, { ...file, base64: '', json: null }, eitherContent],
      [resource, { name: 'a', json: 1, base64: '' }, eitherContent],
      [resource, { name: 'a.txt' }, eitherContent],
      [resource, { text: 'a' }, '‘name’ is missing.'],
      [resource, { ...file, name: 1 }, '‘name’ must be a string.'],
      [resource, { ...file, text: 1 }, 'The content must be a string.'],
      [resource, { name: 'a', base64: '%' }, '‘base64’ is not valid base64.'],
      [resource, { ...file, contentType: 'text' }, '‘contentType’ is not a media type.'],
    ]),
    ['attachment:create', { resourceId: id, text: 'a' }, eitherFile],
    ['attachment:create', { resourceId: id, base64: '' }, eitherFile],
    ['attachment:create', { resourceId: id, json: null }, eitherFile],
    ['attachment:create', { resourceId: 'a' }, '‘resourceId’ must be a UUID.'],
    ['attachment:create', { ...file, recordId: 'a' }, '‘recordId’ must be a UUID.'],
    ['attachment:create', { ...file, tags: [1] }, '‘tags’ must be an array of strings.'],
    ['mail:send', { ...mail, to: 'ada' }, '‘to’ is not an e-mail address.'],
    ['mail:send', { ...mail, subject: 'a\nb' }, '‘subject’ must be one line.'],
    ['mail:send', { ...mail, html: 1 }, '‘html’ must be a string.'],
    ['http:call', { url, headers: { Host: 'a' } }, 'The header ‘host’ is set by the platform.'],
    ['http:call', { url: 'a', query: { a: 'b' } }, '‘url’ is not a URL.'],
    [
      'http:call',
      { url, headers: { 'Content-Type': 'text/plain' }, body: {} },
      'A body of type text/plain must be a string.',
    ],
    ['callback:wait', { request: 1 }, '‘request’ must be an object.'],
  ])('are refused alike by engine, check and test: %s %j', async (resource, args, cause) => {
    expect(await causeOf(`wrp:${resource}`, args)).toBe(cause);
    const { errors } = await checkArguments(definition(resource, args));
    expect(errors.map(({ message }) => message)).toEqual([cause.replace(/\.$/, '')]);
    const run = await runDefinition(definition(resource, args), {
      mocks: { A: mockOf(resource) },
      context: { recordId: id },
    }).catch((error: Error) => error.message);
    expect(run).toMatchObject({ status: 'FAILED', error: 'Wrp.InvalidArguments', cause });
  });

  test.each<[resource: string, args: JsonObject]>([
    ['attachment:create', { resourceId: id }],
    ['attachment:create', { ...file, recordId: id, tags: 'a' }],
    ['attachment:create', { name: 'a', json: '{% $states.input %}' }],
    ['http:call', { url, headers: { 'Content-Type': '{% $states.input.type %}' }, body: { a: 1 } }],
    ['http:call', { url, headers: { 'Content-Type': '{% $states.input.type %}' }, body: 'a' }],
  ])('are not suspected: %s %j', async (resource, args) => {
    expect(await checkArguments(definition(resource, args))).toEqual({ errors: [], warnings: [] });
  });
});

describe('a URL that is never called', () => {
  test.each([
    ['nonsense', 'The address is not a valid URL.'],
    ['ftp://example.com', 'Only http and https are allowed.'],
    ['https://ada:secret@example.com', 'The address contains credentials.'],
  ])('fails a test as it fails an execution: %s', async (refused, cause) => {
    const context = { recordId: id };
    const expected = { status: 'FAILED', error: 'Http.Refused', cause };
    for (const value of [refused, `{% '${refused}' %}`]) {
      const call = definition('http:call', { url: value });
      expect(await runDefinition(call, { mocks: { A: mockOf('http:call') }, context })).toMatchObject(
        expected,
      );
      const wait = definition('callback:wait', { request: { url: value } });
      expect(await runDefinition(wait, { mocks: { A: mockOf('callback:wait') }, context })).toMatchObject(
        expected,
      );
    }
    const { errors, warnings } = await checkArguments(definition('http:call', { url: refused }));
    expect([errors, warnings.map(({ message }) => message)]).toEqual([
      [],
      [`The call fails with Http.Refused: ${cause.replace(/\.$/, '')}`],
    ]);
  });

  test('is not an address that only some platforms refuse', async () => {
    const mocks = { A: mockOf('http:call') };
    const call = definition('http:call', { url: '{% "http://127.0.0.1:1" %}' });
    expect(await runDefinition(call, { mocks })).toMatchObject({ status: 'COMPLETED' });
  });
});
