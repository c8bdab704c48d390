// biome-ignore-all lint/style/noNonNullAssertion: readers set the variables before they run a sample
import { createClient, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import type { SampleStage } from './stage.ts';

export async function auth({ demo, owner, given, language, run }: SampleStage): Promise<void> {
  const pair = {
    accessToken: expect.stringMatching(/^ey/),
    refreshToken: expect.any(String),
    tokenType: 'Bearer',
    expiryDuration: 300,
  };
  const signIn = () =>
    unwrap(owner.POST('/auth/authorize', { body: { key: demo.apiKey, secret: demo.apiSecret } }));

  describe('exchangeApiKey', () => {
    test('TypeScript', async () => {
      //#region exchangeApiKey
      const client = createClient({ baseUrl: process.env.WRP_BASE_URL! });

      // createClient does this on its own when it is given token: apiKey({ key, secret }).
      const tokens = await unwrap(
        client.POST('/auth/authorize', {
          body: { key: process.env.WRP_API_KEY!, secret: process.env.WRP_API_SECRET! },
        }),
      );
      console.log(tokens.expiryDuration);
      //#endregion
      expect(tokens).toEqual(pair);
    });

    test(language, async () => {
      expect(await run('exchangeApiKey')).toEqual(pair);
    });
  });

  describe('refreshTokens', () => {
    test('TypeScript', async () => {
      given({ REFRESH_TOKEN: (await signIn()).refreshToken });
      //#region refreshTokens
      const client = createClient({ baseUrl: process.env.WRP_BASE_URL! });

      // Each use gives a new refresh token: keep that one.
      const tokens = await unwrap(
        client.POST('/auth/refresh', { body: { refreshToken: process.env.REFRESH_TOKEN! } }),
      );
      console.log(tokens.expiryDuration);
      //#endregion
      expect(tokens).toMatchObject({ tokenType: 'Bearer', expiryDuration: 300 });
      expect(tokens.refreshToken).not.toBe(process.env['REFRESH_TOKEN']);
    });

    test(language, async () => {
      given({ REFRESH_TOKEN: (await signIn()).refreshToken });
      expect(await run('refreshTokens')).toEqual(pair);
    });
  });
}
