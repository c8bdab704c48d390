// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createPublicKey } from 'node:crypto';
import { createClient, unwrap, webhookVerifier } from '@wrp/client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function webhooks({ message, enterSandbox, language, run }: SampleStage): Promise<void> {
  let body = '';
  let headers: Record<string, string> = {};
  beforeAll(async () => {
    ({ body, headers } = await message());
  });
  const isPublicKey = (base64: unknown) => {
    const der = Buffer.from(String(base64), 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  };

  describe('getWebhookKey', () => {
    test('TypeScript', async () => {
      //#region getWebhookKey
      const client = createClient({ baseUrl: process.env.WRP_BASE_URL! });
      const keyId = process.env.KEY_ID!;

      const key = await unwrap(
        client.GET('/auth/webhooks/key/{keyId}', {
          params: { path: { keyId } },
          parseAs: 'text',
        }),
      );
      console.log(key);

      // To verify events there is no need to fetch keys: this one does, and keeps them.
      const verifyWebhook = webhookVerifier({ baseUrl: process.env.WRP_BASE_URL! });
      //#endregion
      expect(isPublicKey(key)).toBe(true);
      expect(await verifyWebhook(body, headers)).toEqual(JSON.parse(body));
    });

    test(language, async () => {
      expect(isPublicKey(await run('getWebhookKey'))).toBe(true);
    });
  });

  describe('pollWebhookEvents', () => {
    beforeAll(enterSandbox);

    test('TypeScript', async () => {
      //#region pollWebhookEvents
      const client = createClient({ baseUrl: process.env.WRP_BASE_URL!, token: process.env.WRP_TOKEN! });

      const { events, nextCursor } = await unwrap(
        client.GET('/webhooks/events', { params: { query: { since: 3600, wait: 20 } } }),
      );
      for (const { type, id } of events) console.log(type, id);
      console.log(`Continue with cursor=${nextCursor}`);
      //#endregion
      expect(events.at(-1)?.id).toBe(nextCursor);
    });

    test(language, async () => {
      const { events } = (await run('pollWebhookEvents')) as { events: { headers: object }[] };
      expect(events[0]?.headers).toMatchObject({ 'Webhook-Sandbox': 'true' });
    });
  });
}
