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
 * Matches a documented base URL. After `BASE_URL` on the same line, possibly with `=`, `process.env` or HTML tags
 * between them, it is the URL of the environment that the reader tries out.
 */
const address = /(BASE_URL[^\n\\]{0,60}?)?http:\/\/127\.0\.0\.1:(8080|8081)(?!\d)/g;
/** Matches an expression that reads a token: `require('./.data/demo.json').production.organizationToken`. */
const demoToken = /(demo\.json(?:'|&#39;)\)\.)production\b/g;

/** Whether a text contains documented base URLs or reads a token of the demo. */
export function namesAddresses(text: string): boolean {
  return text.search(address) >= 0 || text.search(demoToken) >= 0;
}

/**
 * Returns a function that replaces the documented base URLs in a text with those of the platform, and in the sandbox
 * also production's demo token with the sandbox's.
 */
export function addressing({ environment, baseUrls }: ServedAddresses): (text: string) => string {
  // A serialized URL contains no quote or bracket that could end the string around it.
  const serialized = (name: EnvironmentName) => new URL(baseUrls[name]).href.replace(/\/$/, '');
  const [own, production, sandbox] = [environment, 'production' as const, 'sandbox' as const].map(serialized);
  return (text) =>
    text
      .replaceAll(address, (_, before: string | undefined, port: string) => {
        const other = port === '8081' ? sandbox : production;
        return before === undefined ? `${other}` : `${before}${port === '8080' ? own : other}`;
      })
      .replaceAll(demoToken, (_, before: string) => `${before}${environment}`);
}
