import { webhookVerifier } from '@wrp/client';
import { describe, expect, test, vi } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { webhookCommand } from '../../scripts/mock/webhook/main.ts';
import { eventTypes, webhookMessage } from '../../scripts/mock/webhook/message.ts';
import { sendWebhook } from '../../scripts/mock/webhook/send.ts';
import { webhookKeys } from '../../scripts/mock/webhook-keys.ts';
import { problemsOf } from '../support/events.ts';
import { inbox, served, theBundle } from './support.ts';

const contract = await theBundle();
const mock = await exampleMock(contract);
const baseUrl = await served(mock.listener);
/** The verifier that receivers use. */
const verify = webhookVerifier({ baseUrl });

describe('a simulated webhook', () => {
  test.each(eventTypes(contract))(
    '%s is valid by the contract, and verifies against the mock',
    async (type) => {
      const { body, headers, id } = webhookMessage(contract, { type });
      const event = await verify(body, new Headers(headers));
      expect(problemsOf(event as never)).toEqual([]);
      expect(event).toMatchObject({ type, id });
      expect(Math.abs(Date.parse(event.createdDateTime) - Date.now())).toBeLessThan(60_000);
    },
  );

  test('signed with the rotated key verifies', async () => {
    const { body, headers, kid } = webhookMessage(contract, { type: 'link.used', rotatedKey: true });
    expect(kid).toBe(webhookKeys.rotated.kid);
    expect(kid).not.toBe(webhookKeys.current.kid);
    expect(await verify(body, new Headers(headers))).toMatchObject({ type: 'link.used' });
  });

  test.each([
    ['tampered', 'signature_wrong'],
    ['expired', 'outside_window'],
  ] as const)('that is %s is rejected as %s', async (defect, reason) => {
    const { body, headers } = webhookMessage(contract, { type: 'user.updated', defect });
    expect(problemsOf(JSON.parse(body.toString())), 'only the signature reveals it').toEqual([]);
    await expect(verify(body, new Headers(headers))).rejects.toMatchObject({ reason });
  });

  test('signed with an unknown key is rejected: the mock responds with 404', async () => {
    const { body, headers, kid } = webhookMessage(contract, { type: 'user.updated', defect: 'unknown-key' });
    const response = await fetch(`${baseUrl}/auth/webhooks/key/${kid}`);
    expect(response.status).toBe(404);
    await expect(verify(body, new Headers(headers))).rejects.toMatchObject({ reason: 'key_unknown' });
  });

  test('has a new id, or the requested one to send it twice', () => {
    const ids = [1, 2].map(() => webhookMessage(contract, { type: 'user.updated' }).id);
    expect(ids[0]).not.toBe(ids[1]);
    expect(webhookMessage(contract, { type: 'user.updated', id: ids[0] }).id).toBe(ids[0]);
  });

  test('has the header of the sandbox on request', () => {
    const { headers } = webhookMessage(contract, { type: 'user.updated', sandbox: true });
    expect(headers['Webhook-Sandbox']).toBe('true');
  });

  test('of an undeclared event type is an error', () => {
    expect(() => webhookMessage(contract, { type: 'user.deleted' })).toThrow(
      'there is no event type user.deleted',
    );
  });
});

describe('mock:webhook', () => {
  const send = async (args: string[]) => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
    let code = -1;
    const cli = webhookCommand(
      async (options) => {
        code = await sendWebhook(options, contract);
        return 0;
      },
      async () => 0,
    ).configureOutput({ writeErr() {} });
    try {
      await cli.parseAsync(args, { from: 'user' });
      return { code, text: lines.join('\n') };
    } finally {
      vi.restoreAllMocks();
    }
  };

  test('prints the status: exit code 0 if the receiver accepts a valid message, else 1', async () => {
    const receiver = await inbox();
    const accepted = await send(['workflow.completed', '--to', receiver.url]);
    expect(accepted).toMatchObject({ code: 0, text: expect.stringContaining('status 204') });
    expect(receiver.messages[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
    receiver.respondWith(500);
    const rejected = await send(['workflow.completed', '--to', receiver.url]);
    expect(rejected).toMatchObject({ code: 1, text: expect.stringContaining('status 500') });
  });

  test('fails for a receiver that accepts a tampered message', async () => {
    const receiver = await inbox();
    const accepted = await send(['workflow.completed', '--tampered', '--to', receiver.url]);
    expect(accepted).toMatchObject({ code: 1, text: expect.stringContaining('must reject: tampered') });
    receiver.respondWith(400);
    expect(await send(['workflow.completed', '--tampered', '--to', receiver.url])).toMatchObject({ code: 0 });
  });

  test('prints JSON on request', async () => {
    const receiver = await inbox();
    const { text } = await send(['user.updated', '--json', '--to', receiver.url]);
    const [line = ''] = text.split('\n');
    expect(JSON.parse(line)).toMatchObject({
      request: { type: 'user.updated' },
      response: { status: 204 },
      correct: true,
    });
  });

  test('reports in one line that the receiver cannot be reached', async () => {
    await expect(send(['user.updated', '--to', 'http://127.0.0.1:1/'])).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1\/ cannot be reached: .+\.$/,
    );
  });

  test.each([
    [[], 'name an event'],
    [['user.updated'], '--to must be'],
    [['user.updated', '--to', 'ftp://x'], 'It takes an http or https URL'],
    [['user.updated', 'x', '--to', 'http://x'], 'too many arguments'],
    [['user.updated', '--to', 'http://x', '--id', '5'], 'It takes a UUID'],
    [['user.updated', '--to', 'http://x', '--expired', '--tampered'], 'cannot be used with'],
    [['user.updated', '--to', 'http://x', '--expired', '--unknown-key'], 'cannot be used with'],
    [['user.updated', '--to', 'http://x', '--rotated-key', '--unknown-key'], 'cannot be used with'],
    [['--nope'], 'unknown option'],
  ])('rejects %j', async (args, message) => {
    await expect(send(args)).rejects.toThrow(message);
  });
});
