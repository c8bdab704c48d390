import type { EnvironmentName } from '../config.ts';

/** The base URLs of this platform, as one of its environments presents them. */
export interface ServedAddresses {
  /** The environment that presents them, which examples call. */
  environment: EnvironmentName;
  /** Without a slash at the end. */
  baseUrls: Record<EnvironmentName, string>;
}

/** The base URLs in spec/openapi.yaml and the guides: those of a platform with default settings. */
export const documentedAddresses: Record<EnvironmentName, string> = {
  production: 'http://127.0.0.1:8080',
  sandbox: 'http://127.0.0.1:8081',
};

/**
 * What the build writes for the URL of an environment: of the one that serves the text, or of a certain one. The contract
 * has the documented URLs, which `address` tells apart.
 */
export const namedAddresses: Record<EnvironmentName | 'own', string> = {
  own: 'http://own.invalid',
  production: 'http://production.invalid',
  sandbox: 'http://sandbox.invalid',
};

/**
 * Matches a documented base URL. Production's stands for the environment that serves the text, unless the word
 * "production" or the sandbox's URL precede it in the line: such a text describes both.
 */
const address =
  /http:\/\/127\.0\.0\.1:(?:(8081)|(?<=(?:\bproduction\b|:8081)[^\n\\]{0,80}:)(8080)|8080)(?!\d)/gi;
const named = /http:\/\/(own|production|sandbox)\.invalid\b/g;

/** Where a text is read: in an environment, or in a mock, the design loop or static files. */
export type Place = EnvironmentName | 'elsewhere';

/** Text of the build that is only shown in these places. It contains no comment. */
export function shownIn(places: Place[], text: string): string {
  return `<!--in:${places.join()}-->${text}<!--/in-->`;
}
const shown = /<!--in:([a-z,]+)-->([^<]*(?:<(?!!--)[^<]*)*)<!--\/in-->/g;

/**
 * The type of a workspace as a value in an example, as JSON, in a string of JSON, or highlighted. The sandbox has no such
 * workspaces.
 */
const liveWorkspace = /(?<=": ?"|\\": ?\\"|&quot;(?:<\/span>)?: (?:<span[^>]*>)?&quot;)LIVE\b/g;

/** Whether a text differs between the environments of a platform. */
export function namesAddresses(text: string): boolean {
  return [address, named, shown, liveWorkspace].some((one) => text.search(one) >= 0);
}

/**
 * Returns a function that replaces the documented base URLs in a text with those of the platform, and removes what is for
 * other places. In the sandbox, workspaces in examples are of its type. Without a platform, the documented URLs remain.
 */
export function urlRewriter(addresses?: ServedAddresses): (text: string) => string {
  const { environment, baseUrls } = addresses ?? {
    environment: 'production',
    baseUrls: documentedAddresses,
  };
  // A serialized URL contains no quote or bracket that could end the string around it.
  const serialized = (name: EnvironmentName) => new URL(baseUrls[name]).href.replace(/\/$/, '');
  const [own, production, sandbox] = [environment, 'production' as const, 'sandbox' as const].map(serialized);
  // A stateful mock is neither: both have its URL.
  const place: Place = addresses && production !== sandbox ? environment : 'elsewhere';
  return (text) =>
    text
      .replaceAll(shown, (_, places: string, inner: string) =>
        places.split(',').includes(place) ? inner : '',
      )
      .replaceAll(liveWorkspace, (type) => (place === 'sandbox' ? 'SANDBOX' : type))
      .replaceAll(address, (_, isSandbox?: string, isProduction?: string) =>
        String(isSandbox ? sandbox : isProduction ? production : own),
      )
      .replaceAll(named, (_, name: string) => String({ own, production, sandbox }[name]));
}
