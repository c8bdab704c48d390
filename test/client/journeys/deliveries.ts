import { WebhookVerificationError, webhookVerifier } from '@wrp/client';
import { describe, expect, test, vi } from 'vitest';
import { startReceiver } from '../../webhooks/receiver.ts';
import { givenEndpoint, makeEvents } from '../../webhooks/support.ts';
import { platform } from './platform.ts';

describe('webhookVerifier', () => {
  test("verifies the platform's deliveries and rejects another environment's", async () => {
    const receiver = await startReceiver();
    await givenEndpoint(platform.database, {
      url: receiver.url,
      organizationId: platform.world.organization.id,
    });
    const ids = await makeEvents(platform, 2);
    await receiver.hasTaken(ids);
    const fetched = vi.fn(fetch);
    const verify = webhookVerifier({ baseUrl: platform.baseUrl, fetch: (request) => fetched(request) });
    for (const { body, headers, event: delivered } of receiver.received) {
      expect(await verify(body, headers)).toEqual(delivered);
    }
    expect(fetched).toHaveBeenCalledOnce();
    const [one] = receiver.received;
    const sandbox = webhookVerifier({ baseUrl: platform.sandboxUrl });
    const refused = sandbox(one?.body ?? '', one?.headers ?? {});
    await expect(refused).rejects.toThrow(WebhookVerificationError);
    await expect(refused).rejects.toMatchObject({ reason: 'key_unknown' });
  });
});
