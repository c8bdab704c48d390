import type { Route } from '../../../server/contract/index.ts';
import { CommandError } from '../../command-line/command.ts';
import { type CurlRequest, parseCurl } from './curl.ts';
import { type CodeSample, inOtherLanguages, responseBodyOf } from './overlay.ts';

/** `NAME=$(curl …)`, with the lines after it. */
const captured = /^(\w+)=\$\((curl [\s\S]*?)\n?\)(?:\n|$)([\s\S]*)$/;

/** How a shell runs a program in a language. */
const programs: Record<string, [file: string, command: string]> = {
  Python: ['request.py', 'python3 request.py'],
  Go: ['request.go', 'go run request.go'],
};

/**
 * The shell block of a guide with its request in other languages, if it has one request, to an operation, or to a URL
 * that a response contained. After the request, it may only show its response, and save values of it for other blocks.
 * Anything else stays as it is: commands that install something, loops, several requests.
 */
export function guideSamples(block: string, routes: readonly Route[]): CodeSample[] {
  const [, name = '', command = block, rest = ''] = captured.exec(block) ?? [];
  const isUse = new RegExp(`^(?:echo "\\$${name}"|export \\w+=\\$\\(node -p '[^']*' "\\$${name}"\\))$`);
  const request = rest.split('\n').every((line) => line === '' || isUse.test(line)) && requestOf(command);
  if (!request) return [];
  return programsOf(request, routes).map((sample) => {
    const [file, run] = programs[sample.label] ?? [];
    const uses = name ? `${name}=$(${run})\n${rest}` : run;
    return { ...sample, source: `cat > ${file} <<'EOF'\n${sample.source}\nEOF\n${uses}` };
  });
}

function programsOf(request: CurlRequest, routes: readonly Route[]): CodeSample[] {
  const route = routes.find(({ path, method }) => {
    const url = new RegExp(`^\\$WRP_BASE_URL${path.replaceAll(/\{\w+\}/g, '\\$\\w+')}$`);
    return method === request.method.toLowerCase() && url.test(request.url);
  });
  if (route) return inOtherLanguages(request, responseBodyOf(route.operation));
  return /^\$\w+$/.test(request.url) && request.output ? inOtherLanguages(request, 'none') : [];
}

function requestOf(command: string): CurlRequest | undefined {
  if (!command.startsWith('curl ')) return undefined;
  try {
    return parseCurl(command);
  } catch (error) {
    if (error instanceof CommandError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
