import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, parseAllDocuments, visit } from 'yaml';

/**
 * What a reader is shown in a fence, and how it is proven:
 *
 *   sh, bash         run in order, one shell a page, with `SnippetVariables` in the environment; an HTTP status of
 *                    400 or more fails the block
 *   ts, js           one program a page, compiled and run by Node: a block sees the names of the blocks above it
 *   python, go       a receiver of webhooks, started and called in test/webhooks/receivers.slow.test.ts
 *   ts, python, go, java  with the name of a generator: calls that `npm run client:generators` compiles and runs
 *   json, yaml, http held against what they claim to be: see snippets/documents.ts
 *   mermaid, text    shown as they are: nothing claims to work
 *
 * The addresses of a fresh installation (127.0.0.1:8080, :8081 and :4010) are replaced by those of the test.
 */
export interface Snippet {
  /** Relative to the project. */
  file: string;
  /** The line number of its first line of code, from 1. */
  line: number;
  /** What follows the fence, in lower case; may be empty. */
  language: string;
  /** What follows the language on the fence, such as the name of a schema. */
  claim: string;
  code: string;
}

/** The error of a snippet; undefined if it succeeded. */
export interface SnippetError {
  snippet: Snippet;
  message: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const fence = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)[ \t]*([^\n`]*)\n([\s\S]*?)\n?^[ \t]*\2[ \t]*$/gm;

/** Every fenced block of a Markdown text, without the indentation of the list that it may stand in. */
export function snippetsOf(markdown: string, file: string, firstLine = 1): Snippet[] {
  return [...markdown.matchAll(fence)].map((match) => {
    const [, indentation = '', , language = '', claim = '', body = ''] = match;
    const before = markdown.slice(0, match.index).split('\n').length;
    const code = body
      .split('\n')
      .map((line) => (line.startsWith(indentation) ? line.slice(indentation.length) : line.trimStart()))
      .join('\n');
    return { file, line: firstLine + before, language: language.toLowerCase(), claim: claim.trim(), code };
  });
}

/** The snippets of a Markdown page. @param path relative to the project */
export async function snippetsOfPage(path: string): Promise<Snippet[]> {
  return snippetsOf(await readFile(join(root, path), 'utf8'), path);
}

/** The snippets in the texts of YAML files: descriptions, for the most part. @param folder relative to the project */
export async function snippetsOfYaml(folder: string): Promise<Snippet[]> {
  const names = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'));
  const found = await Promise.all(files.map(({ parentPath, name }) => ofYaml(join(parentPath, name))));
  return found.flat();
}

async function ofYaml(path: string): Promise<Snippet[]> {
  const text = await readFile(path, 'utf8');
  // Parsing a document costs much more than searching for a fence.
  if (!/```|~~~/.test(text)) return [];
  const snippets: Snippet[] = [];
  for (const document of parseAllDocuments(text)) {
    visit(document as Document, {
      Scalar(key, { value, range }) {
        if (key === 'key' || typeof value !== 'string') return;
        const line = text.slice(0, range?.[0] ?? 0).split('\n').length;
        snippets.push(...snippetsOf(value, relative(root, path), line));
      },
    });
  }
  return snippets;
}

/** The location of a snippet, as editors and terminals understand it. */
export const placeOf = ({ file, line }: Snippet): string => `${file}:${line}`;

/** Groups of one page each, in the order of the pages. */
export function byPage(snippets: Snippet[]): Snippet[][] {
  return Object.values(Object.groupBy(snippets, ({ file }) => file)) as Snippet[][];
}
