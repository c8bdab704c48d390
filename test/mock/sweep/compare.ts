import type { Received } from '../../support/raw-requests.ts';
import { type ErrorBody, parsed } from '../../sweeps/support/refusals.ts';
import type { Case } from './cases.ts';

/** Headers of the connection, and those that only a mock sends. CORS has cases of its own. */
const ignored = /^(connection|keep-alive|date|transfer-encoding|preference-applied|access-control-.*)$/;
/** Headers whose values do not depend on the data. */
const fixed = [
  'content-type',
  'cache-control',
  'vary',
  'x-content-type-options',
  'www-authenticate',
  'allow',
  'accept-ranges',
  'content-security-policy',
];

/**
 * What a client would notice if it sent the request to the platform instead of the mock: another status, error, header,
 * media type, or a body in one of them only. If the statuses differ, nothing else is compared.
 */
export async function differencesOf({ operation, what, ask }: Case): Promise<string[]> {
  const { mock, platform } = await ask();
  const isFile = operation.responses.get(200)?.media.some(({ type }) => type.includes('*'));
  // An example shows the same error at another place.
  const withPlaces = !what.startsWith('Prefer: example=');
  if (mock.status !== platform.status) return [`status ${mock.status} instead of ${platform.status}`];
  const found: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    if (one !== other) found.push(`${what} ${one} instead of ${other}`);
  };
  if (mock.status >= 400) compare('errors', errorsOf(mock, withPlaces), errorsOf(platform, withPlaces));
  compare('a body:', mock.text !== '', platform.text !== '');
  for (const name of namesOf(mock)) if (!(name in platform.headers)) found.push(`an additional ${name}`);
  for (const name of namesOf(platform)) if (!(name in mock.headers)) found.push(`no ${name}`);
  // The platform's file is another.
  for (const name of fixed.filter((one) => one in mock.headers && one in platform.headers))
    if (!(isFile && name === 'content-type'))
      compare(name, constantOf(mock, name), constantOf(platform, name));
  return found;
}

const namesOf = ({ headers }: Received) => Object.keys(headers).filter((name) => !ignored.test(name));

const constantOf = ({ headers }: Received, name: string) =>
  name === 'allow' ? headers[name]?.split(', ').sort().join(', ') : headers[name];

/** The code and the place of each error. Its message may name a fact of the data. */
function errorsOf({ text }: Received, withPlaces: boolean): string {
  const { errors = [] } = (parsed(text) as ErrorBody | undefined) ?? { errors: [] };
  const shown = errors.map(({ code, pointer, parameter }) =>
    [code, withPlaces && (pointer ?? parameter)].filter(Boolean).join(' '),
  );
  return [...new Set(shown)].join(', ');
}
