import { variable } from '#environment';

/**
 * The platform's URL without a slash at its end. Default: the environment variable `WRP_BASE_URL`. A path is valid only on
 * a web page, relative to its URL.
 *
 * @throws {TypeError} if there is none, or if it is not a URL or has credentials or a query
 */
export function baseUrlOf(given: string | undefined): string {
  const baseUrl = given ?? variable?.('WRP_BASE_URL');
  if (baseUrl == null) throw new TypeError('baseUrl is missing. Pass it, or set WRP_BASE_URL.');
  const page = (globalThis as { location?: { href: string } }).location?.href;
  // Programs that run a page outside a browser, such as jsdom, cannot resolve a path themselves.
  let href = '';
  try {
    href = new URL(baseUrl || '/', page).href;
  } catch {
    // It is refused below.
  }
  if (!/^https?:\/\/[^/@]+\/[^?#]*$/.test(href)) {
    const shown = baseUrl.replace(/.*@|[?#].*/gs, '***');
    throw new TypeError(`baseUrl must be a URL such as https://api.example.com, but is "${shown}".`);
  }
  return href.replace(/\/$/, '');
}
