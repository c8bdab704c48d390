import { createHmac, createSecretKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';

/** What a forger may know. */
export interface ForgeryMaterial {
  /** A valid access token. */
  access: string;
  /** A valid refresh token of the same sign-in. */
  refresh: string;
  /** The key of the tokens, for tokens that only the platform itself could have signed. */
  key: KeyObject;
  /** The key of the other environment. */
  otherKey: KeyObject;
  /** A public key of the platform, in PEM. */
  publicKey: string;
  now: Date;
}

type Claims = Record<string, unknown>;

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;

/** Access tokens that must be refused, each with a name. */
export async function forgedTokens(material: ForgeryMaterial): Promise<[name: string, token: string][]> {
  const { access, refresh, key, otherKey, publicKey, now } = material;
  const [head = '', body = '', signature = ''] = access.split('.');
  const claims = decoded(body);
  const { exp: _, ...withoutEnd } = claims;
  const { sid: __, ...withoutFamily } = claims;
  const second = Math.floor(now.getTime() / 1000);
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = await exportJWK(pair.publicKey);
  /** Signed with HMAC-SHA-256 by any secret, whatever the header says. */
  const hmac = (secret: string | Buffer, header: Claims, content: Claims = claims) => {
    const input = `${encoded(header)}.${encoded(content)}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const own = key.export();
  const hs256 = { alg: 'HS256', typ: 'JWT' };
  /** Signed by the platform's own key: only a check of the claims or the header can refuse it. */
  const signed = (content: Claims, header: Claims = hs256) => hmac(own, header, content);
  const es256 = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', jwk }).sign(pair.privateKey);
  const hs512 = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS512' })
    .sign(createSecretKey(randomBytes(64)));
  const der = publicKey.replace(/-----[^-]+-----|\s/g, '');
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  return [
    ...['none', 'None', 'NONE', 'nOnE', ''].map((alg): [string, string] => [
      `alg "${alg}"`,
      `${encoded({ alg, typ: 'JWT' })}.${body}.`,
    ]),
    ['alg none with the old signature', `${encoded({ alg: 'none' })}.${body}.${signature}`],
    ['no alg', `${encoded({ typ: 'JWT' })}.${body}.${signature}`],
    ['alg HS256 with an empty signature', `${head}.${body}.`],
    ['two parts only', `${head}.${body}`],
    ['a signature cut in half', `${head}.${body}.${signature.slice(0, 20)}`],
    ['a changed signature', `${head}.${body}.${flipped}`],
    ['a part too many', `${access}.${signature}`],
    ['a signature with padding', `${access}=`],
    ['a signature in base64', `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}=`],
    ['a later end', `${head}.${encoded({ ...claims, exp: 9_999_999_999 })}.${signature}`],
    [
      'another sign-in',
      `${head}.${encoded({ ...claims, sid: '00000000-0000-4000-8000-000000000000' })}.${signature}`,
    ],
    ['the public key as the secret', hmac(publicKey, hs256)],
    ['the public key in DER as the secret', hmac(Buffer.from(der, 'base64'), hs256)],
    ['the public key in base64 as the secret', hmac(der, hs256)],
    ['an empty secret', hmac('', hs256)],
    ['a zero byte as the secret', hmac('\0', hs256)],
    ['a random secret', hmac(randomBytes(32), hs256)],
    ['HS512 with a random secret', await hs512],
    ['ES256 with its own key in the header', await es256],
    [
      'ES256 with r and s of zero',
      `${encoded({ alg: 'ES256' })}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    ],
    ['ES256 with an empty signature', `${encoded({ alg: 'ES256' })}.${body}.`],
    ['a symmetric key in the header', hmac('x', { ...hs256, jwk: { kty: 'oct', k: 'eA' } })],
    ['jku', hmac('x', { ...hs256, jku: 'http://127.0.0.1:9/jwks.json', kid: '1' })],
    ['x5u', hmac('x', { ...hs256, x5u: 'http://127.0.0.1:9/cert.pem' })],
    ['x5c', hmac('x', { ...hs256, x5c: [der] })],
    ['kid of an empty file', hmac('', { ...hs256, kid: '../../../../dev/null' })],
    ['kid of a query', hmac('x', { ...hs256, kid: "' union select 'x' --" })],
    ['kid of another type', hmac('x', { ...hs256, kid: { toString: 1 } })],
    ['alg of another type', hmac('x', { ...hs256, alg: ['HS256'] })],
    ['alg twice', `${Buffer.from('{"alg":"HS256","alg":"none"}').toString('base64url')}.${body}.`],
    ['a header that is not JSON', `${Buffer.from('{').toString('base64url')}.${body}.${signature}`],
    ['a header of null', `${encoded(null)}.${body}.${signature}`],
    ['five parts', `${encoded({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`],
    ['JSON serialization', JSON.stringify({ protected: head, payload: body, signature })],
    ['the key of the other environment', hmac(otherKey.export(), hs256)],
    ['the refresh token', refresh],
    ['critical extensions', signed(claims, { ...hs256, crit: ['x'], x: 1 })],
    ['critical extensions of the standard', signed(claims, { ...hs256, crit: ['exp'], exp: 1 })],
    ['an unencoded payload', signed(claims, { ...hs256, crit: ['b64'], b64: false })],
    ['an end that has passed', signed({ ...claims, iat: second - 600, exp: second - 300 })],
    ['an end now', signed({ ...claims, exp: second })],
    ['a start in the future', signed({ ...claims, nbf: second + 120 })],
    ['no end', signed(withoutEnd)],
    ['an end that is text', signed({ ...claims, exp: '9999999999' })],
    ['no sign-in', signed(withoutFamily)],
    ['another issuer', signed({ ...claims, iss: 'somebody' })],
    ['issuers', signed({ ...claims, iss: ['wrp'] })],
    ['another audience', signed({ ...claims, aud: 'refresh' })],
    ['other audiences', signed({ ...claims, aud: ['refresh', 'other'] })],
    ['claims that are a list', signed([claims] as never)],
  ];
}

/** Tokens of the platform's own key with sign-ins that are not identifiers. */
export function malformedFamilies({
  access,
  key,
}: Pick<ForgeryMaterial, 'access' | 'key'>): [string, string][] {
  const claims = decoded(access.split('.')[1] ?? '');
  const sids: [string, unknown][] = [
    ['a sign-in that is no identifier', 'x'],
    ['a sign-in with NUL', 'a\0b'],
    ['a sign-in of a query', "' or true --"],
    ['a sign-in that is a number', 1],
    ['a sign-in that is null', null],
    ['a sign-in that is a list', [claims['sid']]],
    ['a sign-in that is an object', { sid: claims['sid'] }],
    ['a long sign-in', 'a'.repeat(8_000)],
  ];
  return sids.map(([name, sid]) => {
    const input = `${encoded({ alg: 'HS256' })}.${encoded({ ...claims, sid })}`;
    return [name, `${input}.${createHmac('sha256', key.export()).update(input).digest('base64url')}`];
  });
}
