import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { api } from '../support/api.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { send } from '../support/raw-requests.ts';
import { nextConnection, until } from '../support/waiting.ts';

const { ports, baseUrl, world, log } = await api();

function open(...requests: string[]): Socket {
  const socket = connect({ port: ports.production, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(requests.join(''));
  return socket;
}

const get = (path: string, ...headers: string[]) =>
  ['GET', path, 'HTTP/1.1\r\nHost: test\r\n'].join(' ') +
  headers.map((each) => `${each}\r\n`).join('') +
  '\r\n';

/** Reads until `count` responses with a Content-Length have arrived. */
async function responses(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const statuses = () => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
  await until(() => statuses().length >= count, { interval: 10 });
  return statuses().map((line) => line.slice(9));
}

describe('a client that sends many requests at once and reads no response', () => {
  test.each(['/openapi.json', '/openapi.yaml', '/healthz', '/nowhere', '/organizations/users'])(
    'gets one response of %s at a time, and others do not wait',
    async (path) => {
      await send(baseUrl, { method: 'GET', target: path });
      const before = process.memoryUsage().rss;
      await expectShortStretches(async () => {
        const arrived = nextConnection();
        open(...Array.from({ length: 1_300 }, () => get(path)));
        const connection = await arrived;
        for (let asked = 0; asked < 5; asked++)
          expect(await send(baseUrl, { method: 'GET', target: '/healthz' })).toMatchObject({ status: 200 });
        // A response that the kernel does not take yet is one document.
        expect(connection.writableLength).toBeLessThan(1 << 20);
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(50 << 20);
    },
  );
});

test('decision 44: a client that sends many requests at once gets all responses, in their order', async () => {
  const paths = Array.from({ length: 400 }, (_, at) =>
    at % 3 === 0 ? '/nowhere' : at % 3 === 1 ? '/healthz' : '/mcp',
  );
  const statuses = await responses(open(...paths.map((path) => get(path))), paths.length);
  const expected = { '/nowhere': '404', '/healthz': '200', '/mcp': '405' };
  expect(statuses).toEqual(paths.map((path) => expected[path as keyof typeof expected]));
});

test('a request with a body waits for its turn and is read then', async () => {
  const body = JSON.stringify({ key: 'a'.repeat(40_000), secret: 'b' });
  const post = `POST /auth/authorize HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const list = get('/organizations/users', `Authorization: ${world.owner.token}`);
  const socket = open(list, list, post, body.slice(0, 100));
  await once(socket, 'readable');
  socket.write(body.slice(100));
  socket.write(get('/healthz'));
  expect(await responses(socket, 4)).toEqual(['200', '200', '400', '200']);
});

test('requests that still wait when their connection closes are not carried out', async () => {
  const path = '/healthz';
  const arrived = nextConnection();
  const socket = open(get('/organizations/users'), ...Array.from({ length: 200 }, () => get(path)));
  const connection = await arrived;
  socket.destroy();
  await new Promise((resolve) => connection.once('close', resolve));
  // Nothing of them is left that could delay the end of the platform: see `api`.
  expect(log.filter(({ entrance }) => entrance === 'health').length).toBeLessThan(200);
});

test('a request behind one that closes the connection is neither carried out nor logged', async () => {
  const create = `POST /parameters HTTP/1.1\r\nHost: test\r\nAuthorization: ${world.owner.token}\r\nContent-Type: application/json\r\n`;
  const body = JSON.stringify({ workflowDefinitionId: world.workflowDefinition.id, parameters: 1 });
  const post = `${create}Content-Length: ${body.length}\r\n\r\n${body}`;
  const before = log.length;
  for (let client = 0; client < 10; client++) {
    const socket = open(`GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n`, post);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    expect(await responses(socket, 1)).toEqual(['400']);
    await closed;
  }
  // The last of these comes after whatever the others caused.
  await send(baseUrl, { method: 'GET', target: '/organizations/users' });
  await until(() => log.slice(before).some(({ operationId }) => operationId === 'listUsers'));
  expect(log.slice(before).filter(({ operationId }) => operationId === 'createParameterSet')).toEqual([]);
});
