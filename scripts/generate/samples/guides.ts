import type { Route } from '../../../server/contract/index.ts';
import { CommandError } from '../../command-line/command.ts';
import { type CurlRequest, parseCurl } from './curl.ts';
import { type CodeSample, inOtherLanguages, responseBodyOf } from './overlay.ts';

/** `NAME=$(curl …)`, with the lines after it. */
const captured = /^(\w+)=\$\((curl [\s\S]*?)\n?\)(?:\n|$)([\s\S]*)$/;

/**
 * The shell block of a guide in other languages, if it is one request to an operation, or to a URL that a response
 * contained. After the request, it may only show its response, and save values of it for other blocks: the programs show
 * the response. Anything else stays in the shell: commands that install something, loops, several requests.
 */
export function guideSamples(block: string, routes: readonly Route[]): CodeSample[] {
  const request = requestOf(block);
  if (!request) return [];
  const route = routes.find(({ path, method }) => {
    const url = new RegExp(`^\\$WRP_BASE_URL${path.replaceAll(/\{\w+\}/g, '\\$\\w+')}$`);
    return method === request.method.toLowerCase() && url.test(request.url);
  });
  if (route) return inOtherLanguages(request, responseBodyOf(route.operation));
  return /^\$\w+$/.test(request.url) && request.output ? inOtherLanguages(request, 'none') : [];
}

function requestOf(block: string): CurlRequest | undefined {
  const [, name = '', command = block, rest = ''] = captured.exec(block) ?? [];
  const isUse = new RegExp(`^(?:echo "\\$${name}"|export \\w+=\\$\\(node -p '[^']*' "\\$${name}"\\))$`);
  if (!command.startsWith('curl ') || !rest.split('\n').every((line) => line === '' || isUse.test(line)))
    return undefined;
  try {
    return parseCurl(command);
  } catch (error) {
    if (error instanceof CommandError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
