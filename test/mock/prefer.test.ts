import { describe, expect, test } from 'vitest';
import { type Preference, readPreferences } from '../../scripts/mock/examples/prefer.ts';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { served, statefulMock, theBundle } from './support.ts';

describe('a Prefer header is read by RFC 7240, section 2:', () => {
  test.each<[rule: string, header: string, read: Preference]>([
    ['one preference', 'code=404', { code: '404' }],
    ['several, separated by commas', 'code=404, wait=2', { code: '404', wait: '2' }],
    [
      'commas without whitespace',
      'code=404,wait=2,dynamic=true',
      { code: '404', wait: '2', dynamic: 'true' },
    ],
    ['tabs as whitespace', '\tcode=404\t,\twait=2\t', { code: '404', wait: '2' }],
    ['whitespace around the equals sign', 'code = 404, wait\t=\t2', { code: '404', wait: '2' }],
    ['a quoted value', 'code="404"', { code: '404' }],
    ['a quoted value after whitespace', 'example = "userNotFound"', { example: 'userNotFound' }],
    ['an escaped character in quotes', String.raw`example="user\NotFo\und"`, { example: 'userNotFound' }],
    ['an escaped quote', String.raw`foo="a\", code=404", wait=2`, { wait: '2' }],
    ['an escaped backslash at the end of quotes', String.raw`foo="a\\", code=404`, { code: '404' }],
    ['a comma in quotes, which separates nothing', 'foo="a, code=404, b", wait=2', { wait: '2' }],
    ['a semicolon in quotes, which separates nothing', 'foo="a; code=404", wait=2', { wait: '2' }],
    ['the first of two equal preferences', 'code=404, code=503', { code: '404' }],
    ['the first, whatever the case of the names', 'CODE=404, code=503, Code=409', { code: '404' }],
    ['the first, even without a value', 'code, code=503', { code: '' }],
    ['the first, which follows a malformed one', 'code=4=04, code=503', { code: '503' }],
    ['a name in any case', 'Code=404, RETRY-AFTER=5', { code: '404', 'retry-after': '5' }],
    ['the case of a value', 'example=UserNotFound', { example: 'UserNotFound' }],
    ['no value', 'wait', { wait: '' }],
    ['an empty value as none', 'code=, dynamic=""', { code: '', dynamic: '' }],
    ['parameters, which are no preferences', 'foo; code=404; wait=2', {}],
    ['a parameter without its preference', ';code=404, ; wait=2', {}],
    ['a parameter of a known preference', 'code=404; wait=2', { code: '404' }],
    ['whitespace around the semicolon', 'code=404 ; foo = bar ;, wait=2', { code: '404', wait: '2' }],
    ['a quoted parameter', 'code=404; foo="; , wait=3", dynamic=true', { code: '404', dynamic: 'true' }],
    ['unknown preferences, which are ignored', 'respond-async, handling=lenient, return=minimal', {}],
    ['a name that contains a known one', 'x-code=404, codes=404, code-x=404', {}],
    ['a value that looks like a preference', 'foo=code=404, bar="code=404"', {}],
    ['empty elements of a list (RFC 9110, section 5.6.1)', ', ,code=404,,', { code: '404' }],
    ['an empty header', '', {}],
    [
      'a space between two preferences, which is malformed',
      'code=404 wait=2, dynamic=true',
      { dynamic: 'true' },
    ],
    ['text after a quoted value, which is malformed', 'code="404"5, wait=2', { wait: '2' }],
    ['a quote without an end, which is malformed', 'wait=2, foo="bar, code=404', { wait: '2' }],
    [
      'a value that is no token, which is malformed',
      'code=40/4, example=a b, wait=(2), dynamic=true',
      { dynamic: 'true' },
    ],
    ['names of every object', '__proto__=1, constructor=2, toString=3', {}],
  ])('%s: %j', (_, header, read) => {
    expect(readPreferences(header)).toEqual(read);
  });

  test('a header of 16 KiB of separators takes no time', () => {
    const startedAt = performance.now();
    for (const text of [',', ' ;', '\t', '"', '\\', 'a=', 'a ', '";', '"\\'])
      readPreferences(text.repeat(16_384 / text.length));
    expect(performance.now() - startedAt).toBeLessThan(100);
  });
});

const bundle = await theBundle();
const mocks = [
  { name: 'without state', base: await served((await exampleMock(bundle)).listener) },
  { name: 'with state', base: (await statefulMock()).baseUrl },
];

describe.each(mocks)('the mock $name', ({ base }) => {
  const roles = '/organizations/roles';
  const user = '/organizations/users/5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
  const ask = async (path: string, prefer: string | string[], init: RequestInit = {}) => {
    const headers = new Headers([
      ['Authorization', 'any'],
      ...[prefer].flat().map((line) => ['Prefer', line] as [string, string]),
    ]);
    const response = await fetch(base + path, { ...init, headers });
    await response.body?.cancel();
    return [response.status, response.headers.get('Preference-Applied')];
  };

  test.each<[what: string, prefer: string | string[], status: number, applied: string | null]>([
    ['the first of two equal preferences', 'code=404, code=503', 404, 'code=404'],
    [
      'preferences of several lines',
      ['respond-async', 'code=503', 'retry-after=5'],
      503,
      'code=503, retry-after=5',
    ],
    ['a quoted status', 'Code = "404"', 404, 'code=404'],
    ['a delay only', 'wait="0.01"; strict', 200, 'wait=0.01'],
    [
      'a status and no Retry-After, which its response does not have',
      'code=404, retry-after=5',
      404,
      'code=404',
    ],
    ['no generated body, because an error is not generated', 'code=404, dynamic=true', 404, 'code=404'],
    ['a generated body', 'dynamic=true, code=200', 200, 'code=200, dynamic=true'],
    ['nothing that it does not know', 'return=minimal, handling="a, code=404"', 200, null],
    ['no parameter', 'respond-async; code=404', 200, null],
  ])('applies %s', async (_, prefer, status, applied) => {
    expect(await ask(user, prefer)).toEqual([status, applied]);
  });

  test.each([
    'code=',
    'code=""',
    'code',
    'example',
    'dynamic',
    'wait',
    'code=99',
    'dynamic=yes',
    'code=503, retry-after=soon',
  ])('refuses a known preference without a valid value, %s: 400', async (prefer) => {
    expect(await ask(roles, prefer)).toEqual([400, null]);
  });

  test.each(['code=429', 'code=503', 'example=rateLimitExceeded'])(
    'responds to %s with a Retry-After for which a test can wait',
    async (prefer) => {
      const response = await fetch(base + roles, { headers: { Authorization: 'any', Prefer: prefer } });
      expect(response.headers.get('Retry-After')).toBe('1');
    },
  );

  test('confirms only the delay if the request is refused', async () => {
    expect(await ask(`${user}?surplus=1`, 'wait=0.01, code=200')).toEqual([400, 'wait=0.01']);
    expect(await ask('/nowhere', 'wait=0.01, code=200')).toEqual([404, 'wait=0.01']);
  });
});
