import { CommandError } from '../../command-line/command.ts';

/** A request that a cURL sample sends. Its texts may contain variables of the environment, such as `$USER_ID`. */
export interface CurlRequest {
  method: string;
  /** Without the query. */
  url: string;
  query: [name: string, value: string][];
  /** Without `Content-Type`, which follows from the body. */
  headers: [name: string, value: string][];
  json?: Json;
  form?: FormField[];
  /** The file that the response is written to. */
  output?: string;
}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A text, or a file with its media type. */
export type FormField = { name: string; text: string } | { name: string; file: string; type: string };

/** What the response to a sample contains. */
export type ResponseBody = 'json' | 'text' | 'none';

/** A variable of a text, or the text between two. */
export type Part = { variable: string } | { text: string };

const variable = /\$(\w+)/;
/** `${NAME:?}`, which ends the command if the variable is empty. */
const requiredVariable = /\$\{(\w+):\?\}/g;
/** Without progress, following redirects, and with the path as it is: as the programs in other languages do. */
const plainOptions = /^(?:-(?:s|L|sL)|--path-as-is)$/;

/** `photo-$RANDOM` → the text `photo-` and the variable `RANDOM`. */
export function partsOf(text: string): Part[] {
  return text
    .split(variable)
    .map((part, at) => (at % 2 === 0 ? { text: part } : { variable: part }))
    .filter((part) => !('text' in part) || part.text !== '');
}

/** The variables of a request that its environment must have, `WRP_BASE_URL` and `WRP_TOKEN` first. */
export function variablesOf(request: CurlRequest): string[] {
  const names = [...JSON.stringify(request).matchAll(new RegExp(variable, 'g'))].map(([, name = '']) => name);
  const first = ['WRP_BASE_URL', 'WRP_TOKEN'].filter((name) => names.includes(name));
  return [...new Set([...first, ...names])].filter((name) => name !== 'RANDOM');
}

/** The variables of a request's path: identifiers, which are UUIDs in the contract. */
export function pathVariablesOf({ url }: CurlRequest): string[] {
  const [, ...path] = partsOf(url);
  return path.flatMap((part) => ('variable' in part ? [part.variable] : []));
}

/**
 * Reads a cURL sample: one command with `-X`, `-H`, `-d`, `-F`, `-o`, `-s`, `-L` and `--path-as-is`. A body is JSON, in quotes or in a here document.
 *
 * @throws {CommandError} for anything else, which the samples in other languages would lack
 */
export function parseCurl(sample: string): CurlRequest {
  const { words, heredoc } = wordsOf(sample.replaceAll(requiredVariable, '$$$1'));
  if (words.shift() !== 'curl') throw new CommandError('A sample must begin with "curl".');
  const request: CurlRequest = { method: '', url: '', query: [], headers: [] };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-')) {
      if (request.url) throw new CommandError(`A sample is one request, without "${word}".`);
      const [url = '', query = ''] = word.split('?');
      request.url = url;
      request.query = query.split('&').flatMap((pair) => (pair ? [pair.split('=') as [string, string]] : []));
      continue;
    }
    if (plainOptions.test(word)) continue;
    const value = words.shift() ?? '';
    if (word === '-X') request.method = value;
    else if (word === '-o') request.output = value;
    else if (word === '-H') request.headers.push(headerOf(value));
    else if (word === '-F') request.form = [...(request.form ?? []), formFieldOf(value)];
    else if (word === '-d') request.json = JSON.parse(value === '@-' ? heredoc : value);
    else
      throw new CommandError(`A sample cannot have the option ${word}: add it to ${import.meta.filename}.`);
  }
  request.headers = request.headers.filter(([name]) => name !== 'Content-Type');
  request.method ||= request.json !== undefined || request.form ? 'POST' : 'GET';
  return request;
}

function headerOf(value: string): [string, string] {
  const [name = '', ...rest] = value.split(': ');
  return [name, rest.join(': ')];
}

function formFieldOf(value: string): FormField {
  const [, name = '', file, type = 'application/octet-stream', text = ''] =
    /^(\w+)=(?:@([^;]+)(?:;type=(.+))?|(.*))$/.exec(value) ?? [];
  return file === undefined ? { name, text } : { name, file, type };
}

/** The words of a command, without their quotes, and its here document. */
function wordsOf(sample: string): { words: string[]; heredoc: string } {
  const [, command = '', , heredoc = ''] =
    /^([\s\S]*?)(?: <<(\w+)\n([\s\S]*)\n\2)?$/.exec(sample.trim()) ?? [];
  const word = /'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s"'\\]+)|\\([^\n])|(\s+|\\\n)/y;
  const words = [''];
  while (word.lastIndex < command.length) {
    const at = word.lastIndex;
    const [, literal, quoted, bare, escaped, gap] = word.exec(command) ?? [];
    if (gap !== undefined) {
      if (words.at(-1) !== '') words.push('');
      continue;
    }
    const text = literal ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? escaped;
    if (text === undefined || literal?.includes('$') || quoted?.includes('$('))
      throw new CommandError(`A sample cannot be read from "${command.slice(at, at + 30)}" on.`);
    words[words.length - 1] += text;
  }
  return { words: words.filter(Boolean), heredoc };
}
