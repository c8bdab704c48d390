import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { entrances } from '../../server/src/http/entrances.ts';
import { api } from '../support/api.ts';
import { atEnd } from '../support/temporary.ts';
import { until } from '../support/waiting.ts';
import { agentOf } from './support.ts';

/** A server of files, and the paths that it was asked for. */
async function fileServer(respond: (path: string, response: ServerResponse) => void) {
  const paths: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    paths.push(url);
    respond(url, response);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

const pdf = Buffer.from('%PDF-1.7 a report');
const { fetched } = entrances.agents;
const waiting: ServerResponse[] = [];
const files = await fileServer((path, response) => {
  if (path === '/slow') return void waiting.push(response);
  if (path === '/moved') return void response.writeHead(302, { Location: '/report.pdf' }).end();
  if (path === '/zipped') return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x');
  if (path === '/large') return void response.writeHead(200).end(Buffer.alloc(fetched.bytes + 1));
  if (path === '/missing') return void response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': 'application/pdf' }).end(pdf);
});
const internal = await fileServer((_path, response) => void response.end('secret'));

// A build takes longer than the client waits.
await freshPortal();
const platform = await api({ mcpCalls: ['production'], allowPrivateTargets: [files.origin] });
const { baseUrl, owner, member, world } = platform;
const agent = await agentOf(baseUrl, owner.token);
const upload = (file: object, { parameters = {}, by = agent } = {}) =>
  by.call('uploadResource', { parameters, body: { file } });
const stored = async (body: unknown) => {
  const { resourceId } = body as { resourceId: string };
  const response = await owner.fetch(`/resources/${resourceId}`);
  return { type: response.headers.get('Content-Type'), bytes: Buffer.from(await response.arrayBuffer()) };
};
const messageOf = ({ body }: { body: unknown }) =>
  (body as { errors: { message: string }[] }).errors[0]?.message;

beforeEach(() => {
  files.paths.length = 0;
});

describe('an upload by an agent', () => {
  test('takes a file as base64, with its name and type', async () => {
    const file = {
      base64: pdf.toString('base64'),
      fileName: 'Bericht "ä".pdf',
      contentType: 'application/pdf',
    };
    const { isError, body } = await upload(file);
    expect({ isError, body }).toMatchObject({ isError: false, body: { resourceName: 'Bericht "ä".pdf' } });
    expect(await stored(body)).toEqual({ type: 'application/pdf', bytes: pdf });
  });

  test('fetches a file from a URL, with the name in its path and its type', async () => {
    const { isError, body } = await upload({ url: `${files.origin}/reports/final%20report.pdf?x=1` });
    expect({ isError, body }).toMatchObject({ isError: false, body: { resourceName: 'final report.pdf' } });
    expect(await stored(body)).toEqual({ type: 'application/pdf', bytes: pdf });
    const named = { url: `${files.origin}/x`, fileName: 'a.txt', contentType: 'text/plain' };
    expect((await upload(named)).body).toMatchObject({ resourceName: 'a.txt' });
  });

  test('sends the other fields of the form, and is made once for an Idempotency-Key', async () => {
    const parameters = {
      ...{ tableId: world.table.id, recordId: world.record.id },
      'Idempotency-Key': randomUUID(),
    };
    const request = { parameters, body: { file: { url: `${files.origin}/a.pdf` }, tags: ['one', 'two'] } };
    const first = await agent.call('createAttachment', request);
    expect(first).toMatchObject({ isError: false, body: { name: 'a.pdf', tags: ['one', 'two'] } });
    expect((await agent.call('createAttachment', request)).body).toEqual(first.body);
  });

  test.each([
    ['/moved', '302'],
    ['/missing', '404'],
    ['/zipped', 'must respond with 200'],
    ['/large', 'cannot be fetched'],
  ])('is refused if the URL responds with %s', async (path, reason) => {
    const refused = await upload({ url: files.origin + path });
    expect(refused).toMatchObject({ isError: true, body: { errors: [{ pointer: '/file' }] } });
    expect(messageOf(refused)).toContain(reason);
    expect(files.paths).toEqual([path]);
  });

  test.each([
    ['a private address', () => `${internal.origin}/secret`],
    ['a name of this machine', () => internal.origin.replace('127.0.0.1', 'localhost')],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data'],
    ['another scheme', () => 'file:///etc/passwd'],
    ['credentials', () => files.origin.replace('//', '//user:secret@')],
    ['no URL', () => 'report.pdf'],
  ])('does not call %s', async (_what, url) => {
    const refused = await upload({ url: url() });
    expect(messageOf(refused)).toMatch(/^file cannot be fetched: .*[^.]$/);
    expect([...internal.paths, ...files.paths]).toEqual([]);
  });

  test('fetches nothing for a caller without the permission, or if another value is wrong', async () => {
    const url = `${files.origin}/a.pdf`;
    const anyone = await agentOf(baseUrl);
    expect((await upload({ url }, { by: anyone })).body).toMatchObject({
      errors: [{ code: 'credentials_missing' }],
    });
    const parameters = { tableId: world.table.id, recordId: world.record.id };
    const attach = async (token: string | undefined, body: object, path = parameters) =>
      (await agentOf(baseUrl, token)).call('createAttachment', { parameters: path, body });
    const unknown = { ...parameters, recordId: randomUUID() };
    const refusals = [
      await attach(platform.stranger.token, { file: { url } }),
      await attach(owner.token, { file: { url } }, unknown),
      await attach(owner.token, { file: { url }, tags: ['x'.repeat(65)] }),
    ];
    expect(refusals.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(files.paths).toEqual([]);
    expect(member.token).not.toBe(owner.token);
  });

  test.each([
    ['a text', 'report.pdf'],
    ['an empty object', {}],
    ['base64 without a name', { base64: 'QQ==' }],
    ['a text that is not base64', { base64: 'not base64!', fileName: 'a' }],
    ['both', { url: 'https://example.com/a', base64: 'QQ==', fileName: 'a' }],
    ['an unknown field', { url: 'https://example.com/a', headers: { Authorization: 'x' } }],
    ['a URL that is too long', { url: `https://example.com/${'x'.repeat(2_000)}` }],
  ])('names the file if it is %s', async (_what, file) => {
    const refused = await upload(file as object);
    expect(refused).toMatchObject({
      isError: true,
      body: { errors: [{ code: 'body_invalid', pointer: '/file' }] },
    });
    expect(messageOf(refused)).toContain('must be {url} or {base64, fileName}');
  });

  test('is refused while as many files are fetched as may be at once', async () => {
    const pending = Array.from({ length: fetched.atOnce }, () => upload({ url: `${files.origin}/slow` }));
    await until(() => waiting.length === fetched.atOnce);
    expect(messageOf(await upload({ url: `${files.origin}/slow` }))).toContain('try again later');
    for (const response of waiting.splice(0)) response.writeHead(200).end('x');
    expect((await Promise.all(pending)).map(({ isError }) => isError)).not.toContain(true);
    expect((await upload({ url: `${files.origin}/a.pdf` })).isError).toBe(false);
  });
});
