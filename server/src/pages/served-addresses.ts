import type { EnvironmentName } from '../config.ts';

/** The base URLs of this platform, as one of its environments presents them. */
export interface ServedAddresses {
  /** The environment that presents them, which examples call. */
  environment: EnvironmentName;
  /** Without a slash at the end. */
  baseUrls: Record<EnvironmentName, string>;
  /** The path of `demo.json`, if the platform has a demo. Only pages at a loopback address name it. */
  demoFile?: string | undefined;
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
/** Matches an expression that reads a token: `readFileSync(process.env.DEMO)).production.organizationToken`. */
const demoToken = /(process\.env\.DEMO\)\)\.)production\b/g;
/** The path of the demo file in the documents: that of a platform with default settings, from its directory. */
const documentedDemoFile = '.data/demo.json';
/** A path that needs no escaping in a double-quoted shell string, JSON or HTML. */
const plainPath = /^[\w./@+ -]+$/;
const loopback = /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/;

/** Whether a text contains documented base URLs, or reads the demo file. */
export function namesAddresses(text: string): boolean {
  return text.search(address) >= 0 || text.search(demoToken) >= 0 || text.includes(documentedDemoFile);
}

/**
 * Returns a function that replaces the documented base URLs and the path of the demo file in a text with those of the
 * platform, and in the sandbox also production's demo token with the sandbox's.
 */
export function urlRewriter({ environment, baseUrls, demoFile }: ServedAddresses): (text: string) => string {
  // A serialized URL contains no quote or bracket that could end the string around it.
  const serialized = (name: EnvironmentName) => new URL(baseUrls[name]).href.replace(/\/$/, '');
  const [own, production, sandbox] = [environment, 'production' as const, 'sandbox' as const].map(serialized);
  const isLocal = loopback.test(new URL(baseUrls[environment]).hostname);
  const file = demoFile && isLocal && plainPath.test(demoFile) ? demoFile : documentedDemoFile;
  return (text) =>
    text
      .replaceAll(documentedDemoFile, () => file)
      .replaceAll(address, (_, before: string | undefined, port: string) => {
        const other = port === '8081' ? sandbox : production;
        return before === undefined ? `${other}` : `${before}${port === '8080' ? own : other}`;
      })
      .replaceAll(demoToken, (_, before: string) => `${before}${environment}`);
}
