import { runtime } from '#files';
import { version } from '../../generated/version.ts';

/** A header that names the client, the runtime and the retry. Browsers do not let scripts set `User-Agent`. */
export function identification(retryCount: number): [name: string, value: string] {
  const name = runtime?.();
  return [
    name ? 'User-Agent' : 'X-Wrp-Client',
    `wrp-client/${version} (${name ?? 'browser'}; retry ${retryCount})`,
  ];
}
