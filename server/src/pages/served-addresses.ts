import type { EnvironmentName } from '../config.ts';

/** The addresses of this platform, as one of its environments tells them. */
export interface ServedAddresses {
  /** Which environment tells them: what a reader is to call without further ado. */
  environment: EnvironmentName;
  /** Without a slash at the end. */
  baseUrls: Record<EnvironmentName, string>;
}

/** What spec/openapi.yaml and the guides name, for a platform that was started without settings. */
export const documentedAddresses: Record<EnvironmentName, string> = {
  production: 'http://127.0.0.1:8080',
  sandbox: 'http://127.0.0.1:8081',
};

/**
 * `BASE_URL` is whatever the reader tries out, also where `=` or `process.env` and marks of HTML stand between it and
 * the address; on a line of its own.
 */
const address = /(BASE_URL[^\n\\]{0,60}?)?http:\/\/127\.0\.0\.1:(8080|8081)(?!\d)/g;
/** Which token of `demo.json` is read: `require('./.data/demo.json').production.organizationToken`. */
const demoToken = /(demo\.json(?:'|&#39;)\)\.)production\b/g;

/** Whether a text says something that differs from platform to platform. */
export function namesAddresses(text: string): boolean {
  return text.search(address) >= 0 || text.search(demoToken) >= 0;
}

/**
 * Returns a function that replaces the documented addresses with the real ones, and in the sandbox the token of the
 * demo with the sandbox's.
 */
export function addressing({ environment, baseUrls }: ServedAddresses): (text: string) => string {
  // In the serialization of a URL no quote or bracket could end what it is inserted into.
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
