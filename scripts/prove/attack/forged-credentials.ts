import { setTimeout as sleep } from 'node:timers/promises';
import { deriveKey, openServerKey } from '../../../server/src/security/server-key.ts';
import { type Attack, expectRefusal, type Group } from './attack.ts';
import { forgedTokens, malformedFamilies } from './inputs/tokens.ts';
import { send } from './send.ts';
import { changeProfile, type Target } from './target.ts';

const path = '/organizations/workspaces';

/** Access tokens that the platform did not issue, and other credentials that are not valid. */
export const forgedCredentials: Group = { tried: 'forged tokens', attacks };

async function attacks(target: Target): Promise<Attack[]> {
  const { demo, elsewhere, dataDirectory, name, request, baseUrl } = target;
  const signIn = await request('POST', '/auth/authorize', { key: demo.apiKey, secret: demo.apiSecret }, '');
  if (signIn.status !== 200) throw new Error(`/auth/authorize returned ${signIn.status} ${signIn.text}`);
  const tokens = JSON.parse(signIn.text) as { accessToken: string; refreshToken: string };
  const { accessToken: access, refreshToken: refresh } = tokens;
  const serverKey = await openServerKey({ dataDirectory });
  const key = deriveKey(serverKey, name, 'bearer-tokens');
  const otherKey = deriveKey(serverKey, name === 'production' ? 'sandbox' : 'production', 'bearer-tokens');
  const material = { access, refresh, key, otherKey, publicKey: await publicKey(target), now: new Date() };
  const refused = (what: string, authorization: string): Attack => ({
    name: what,
    run: async () => {
      const response = await send(baseUrl, {
        ...{ method: 'GET', target: path },
        headers: { Authorization: authorization },
      });
      return expectRefusal(response, { statuses: [401] });
    },
  });
  const refusedExchange = (what: string, at: string, body: object): Attack => ({
    name: what,
    run: async () => expectRefusal(await request('POST', at, body, ''), { statuses: [401] }),
  });
  const forged = await forgedTokens(material);
  return [
    {
      name: 'the genuine token is accepted',
      run: async () => {
        const { status } = await request('GET', path, undefined, `Bearer ${access}`);
        return status === 200 ? undefined : `expected 200, got ${status}`;
      },
    },
    ...[...forged, ...malformedFamilies(material)].map(([what, token]) => refused(what, `Bearer ${token}`)),
    ...forged
      .slice(0, 20)
      .map(([what, token]) =>
        refusedExchange(`${what}, as a refresh token`, '/auth/refresh', { refreshToken: token || 'x' }),
      ),
    refused('the access token without a scheme', access),
    refused('the access token twice', `Bearer ${access} ${access}`),
    refused('two tokens in a list', `Bearer ${access}, Bearer ${access}`),
    refused('an organization token with a scheme', `Bearer ${demo.organizationToken}`),
    refused('the access token after an organization token', `${demo.organizationToken} Bearer ${access}`),
    refused('an organization token of the other environment', elsewhere.organizationToken),
    refused('an organization token with a changed checksum', `${demo.organizationToken.slice(0, -1)}!`),
    refused('an organization token in another case', demo.organizationToken.toUpperCase()),
    refused(
      'basic authentication',
      `Basic ${Buffer.from(`${demo.apiKey}:${demo.apiSecret}`).toString('base64')}`,
    ),
    refusedExchange('an access token as a refresh token', '/auth/refresh', { refreshToken: access }),
    refusedExchange('a wrong secret', '/auth/authorize', { key: demo.apiKey, secret: `${demo.apiSecret}x` }),
    refusedExchange('an API key of the other environment', '/auth/authorize', {
      key: elsewhere.apiKey,
      secret: elsewhere.apiSecret,
    }),
  ];
}

/** The public key of webhooks, the only one that a stranger can get. The first event of an organization creates it. */
async function publicKey({ database, request }: Target): Promise<string> {
  await changeProfile(request);
  for (;;) {
    const known = await database.selectFrom('webhook_keys').select('id').executeTakeFirst();
    if (known) return (await request('GET', `/auth/webhooks/key/${known.id}?pem=true`, undefined, '')).text;
    await sleep(100);
  }
}
