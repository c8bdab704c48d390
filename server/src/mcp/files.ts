import { type Outbound, OutboundFailed, OutboundRefused } from '../../outbound/index.ts';
import { entrances } from '../http/entrances.ts';

/** A file as an agent gives it. */
export type GivenFile = { fileName?: string; contentType?: string } & ({ url: string } | { base64: string });

const { fetched: limits } = entrances.agents;
const longest = { url: 2_000, fileName: 255, contentType: 255 };
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What a file must be. */
export const fileForm = '{url} or {base64, fileName}, with contentType if it is known';

export function isGivenFile(value: unknown): value is GivenFile {
  const given = Object(value) as Record<string, unknown>;
  const names = Object.keys(given);
  const isText = ([name, most]: [string, number]) => {
    const text = given[name];
    return text === undefined || (typeof text === 'string' && text.length > 0 && text.length <= most);
  };
  const isInline = typeof given['base64'] === 'string' && base64.test(given['base64']);
  return (
    names.every((name) => Object.hasOwn(longest, name) || name === 'base64') &&
    Object.entries(longest).every(isText) &&
    (names.includes('url') ? !names.includes('base64') : isInline && names.includes('fileName'))
  );
}

/** A file cannot be fetched. The message says why. */
export class FileNotFetchedError extends Error {}

/**
 * Opens files that agents give, and fetches those of URLs: from public addresses only, unless the operator allows an
 * origin. Few are fetched at the same time, because they are held in memory.
 */
export function fileOpener(outbound: Pick<Outbound, 'request'>) {
  let fetching = 0;
  const fetchFile = async (url: string, signal: AbortSignal) => {
    if (fetching >= limits.atOnce) throw new FileNotFetchedError('is not fetched now: try again later');
    fetching += 1;
    try {
      return await outbound.request({
        ...{ url, method: 'GET', signal, headers: { 'Accept-Encoding': 'identity' } },
        ...{ timeoutMilliseconds: limits.seconds * 1000, maximumBytes: limits.bytes },
      });
    } catch (error) {
      if (!(error instanceof OutboundFailed || error instanceof OutboundRefused)) throw error;
      throw new FileNotFetchedError(`cannot be fetched: ${error.message.replace(/\.$/, '')}`);
    } finally {
      fetching -= 1;
    }
  };
  /** @throws FileNotFetchedError */
  return async (given: GivenFile, signal: AbortSignal): Promise<File> => {
    const { fileName, contentType } = given;
    if ('base64' in given)
      return new File([Buffer.from(given.base64, 'base64')], fileName ?? '', { type: contentType ?? '' });
    const { status, headers, body } = await fetchFile(given.url, signal);
    if (status !== 200 || (headers['content-encoding'] ?? 'identity') !== 'identity')
      throw new FileNotFetchedError(
        `cannot be fetched: its URL must respond with 200 and the file, not with ${status} or a redirect`,
      );
    const type = contentType ?? String(headers['content-type'] ?? '');
    return new File([new Uint8Array(body)], fileName ?? nameIn(given.url), { type });
  };
}

/** The last segment of the path. */
function nameIn(url: string): string {
  const name = new URL(url).pathname.split('/').findLast((segment) => segment !== '') ?? 'file';
  try {
    return decodeURIComponent(name).slice(0, longest.fileName);
  } catch {
    return name.slice(0, longest.fileName);
  }
}
