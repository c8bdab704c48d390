import { webhookVerifier } from '@wrp/client';
import { describe, expect, test, vi } from 'vitest';
import { exampleMock } from '../../scripts/mock/server.ts';
import { readWebhookOptions } from '../../scripts/mock/webhook/command-line.ts';
import { eventTypes, webhookMessage } from '../../scripts/mock/webhook/message.ts';
import { runWebhook } from '../../scripts/mock/webhook/run.ts';
import { webhookKeys } from '../../scripts/mock/webhook-keys.ts';
import { faultsOf } from '../support/events.ts';
import { inbox, served, theBundle } from './support.ts';

const contract = await theBundle();
const mock = await exampleMock(contract);
const baseUrl = await served(mock.listener);
/** The one that receivers use. */
const verify = webhookVerifier({ baseUrl });

describe('a simulated webhook', () => {
  test.each(eventTypes(contract))(
    '%s is what the contract declares, and verifies against the mock',
    async (type) => {
      const { body, headers, id } = webhookMessage(contract, { type });
      const event = await verify(body, new Headers(headers));
      expect(faultsOf(event as never)).toEqual([]);
      expect(event).toMatchObject({ type, id });
      expect(Math.abs(Date.parse(event.createdDateTime) - Date.now())).toBeLessThan(60_000);
    },
  );

  test('by the rotated key verifies by that key', async () => {
    const { body, headers, kid } = webhookMessage(contract, { type: 'link.used', rotatedKey: true });
    expect(kid).toBe(webhookKeys.rotated.kid);
    expect(kid).not.toBe(webhookKeys.current.kid);
    expect(await verify(body, new Headers(headers))).toMatchObject({ type: 'link.used' });
  });

  test.each([
    ['tampered', 'signature_wrong'],
    ['expired', 'outside_window'],
  ] as const)('that is %s is refused as %s', async (fault, reason) => {
    const { body, headers } = webhookMessage(contract, { type: 'user.updated', fault });
    expect(faultsOf(JSON.parse(body.toString())), 'only the signature can tell').toEqual([]);
    await expect(verify(body, new Headers(headers))).rejects.toMatchObject({ reason });
  });

  test('by an unknown key is refused: the mock answers 404 for it', async () => {
    const { body, headers, kid } = webhookMessage(contract, { type: 'user.updated', fault: 'unknown-key' });
    const answer = await fetch(`${baseUrl}/auth/webhooks/key/${kid}`);
    expect(answer.status).toBe(404);
    await expect(verify(body, new Headers(headers))).rejects.toMatchObject({ reason: 'key_unknown' });
  });

  test('has an id of its own, unless one is given to send it twice', () => {
    const ids = [1, 2].map(() => webhookMessage(contract, { type: 'user.updated' }).id);
    expect(ids[0]).not.toBe(ids[1]);
    expect(webhookMessage(contract, { type: 'user.updated', id: ids[0] }).id).toBe(ids[0]);
  });

  test('is marked as of the sandbox on request', () => {
    const { headers } = webhookMessage(contract, { type: 'user.updated', sandbox: true });
    expect(headers['Webhook-Sandbox']).toBe('true');
  });

  test('of no kind that the contract has is refused', () => {
    expect(() => webhookMessage(contract, { type: 'user.deleted' })).toThrow(
      'there is no event user.deleted',
    );
  });
});

describe('mock:webhook', () => {
  const send = (args: string[]) => {
    const options = readWebhookOptions(args);
    if (options.kind !== 'send') throw new Error('The arguments send nothing.');
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
    return runWebhook(options, contract)
      .then((code) => ({ code, text: lines.join('\n') }))
      .finally(() => vi.restoreAllMocks());
  };

  test('tells what the receiver answered: 0 for a message that it takes, 1 for one that it does not', async () => {
    const receiver = await inbox();
    const taken = await send(['workflow.completed', '--to', receiver.url]);
    expect(taken).toMatchObject({ code: 0, text: expect.stringContaining('answered with 204') });
    expect(receiver.messages[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
    receiver.answer(500);
    const refused = await send(['workflow.completed', '--to', receiver.url]);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('answered with 500') });
  });

  test('holds it against a receiver that it takes a tampered message', async () => {
    const receiver = await inbox();
    const taken = await send(['workflow.completed', '--tampered', '--to', receiver.url]);
    expect(taken).toMatchObject({ code: 1, text: expect.stringContaining('must refuse: tampered') });
    receiver.answer(400);
    expect(await send(['workflow.completed', '--tampered', '--to', receiver.url])).toMatchObject({ code: 0 });
  });

  test('prints JSON on request', async () => {
    const receiver = await inbox();
    const { text } = await send(['user.updated', '--json', '--to', receiver.url]);
    const [line = ''] = text.split('\n');
    expect(JSON.parse(line)).toMatchObject({
      sent: { type: 'user.updated' },
      answer: { status: 204 },
      right: true,
    });
  });

  test('says in one line that nobody is there', async () => {
    await expect(send(['user.updated', '--to', 'http://127.0.0.1:1/'])).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:1\/ cannot be reached: .+\.$/,
    );
  });

  test.each([
    [[], 'name an event'],
    [['user.updated'], '--to must be'],
    [['user.updated', '--to', 'ftp://x'], '--to must be'],
    [['user.updated', 'x', '--to', 'http://x'], 'one event at a time'],
    [['user.updated', '--to', 'http://x', '--id', '5'], '--id must be a UUID'],
    [['user.updated', '--to', 'http://x', '--expired', '--tampered'], 'choose one of'],
    [['user.updated', '--to', 'http://x', '--rotated-key', '--unknown-key'], 'choose one of'],
    [['--nope'], 'Unknown option'],
  ])('does not take %j', (args, message) => {
    expect(() => readWebhookOptions(args)).toThrow(message);
  });
});
