import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Yaml, yamlOf } from '../spec/refactor/yaml.ts';

/**
 * The contract as the editor shows it, unsaved texts included. Paths are relative to the root. It is for one request,
 * because it reads and parses each file once.
 */
export type Sources = {
  yaml: Yaml;
  /** Files that are open in the editor. */
  open: ReadonlyMap<string, TextDocument>;
  /** A file that does not exist is empty. */
  document(file: string): TextDocument;
};

/** @param opened the documents of the editor, of other projects too */
export function sourcesOf(root: URL, opened: readonly TextDocument[]): Sources {
  const open = new Map(opened.map((one) => [fileOf(root, one.uri) ?? '', one]));
  open.delete('');
  const read = (url: URL) => (existsSync(url) ? readFileSync(url, 'utf8') : '');
  const documents = new Map(open);
  const document = (file: string) => {
    const url = new URL(file, root);
    const known = documents.get(file) ?? TextDocument.create(url.href, 'yaml', 0, read(url));
    documents.set(file, known);
    return known;
  };
  const names = readdirSync(new URL('spec/', root), { recursive: true, encoding: 'utf8' });
  const files = new Set([...names.map((name) => `spec/${name.replaceAll(sep, '/')}`), ...open.keys()]);
  return { yaml: yamlOf({ files: [...files], read: (file) => document(file).getText() }), open, document };
}

/** The path of a URI; undefined if it is not a file of the contract. */
export function fileOf(root: URL, uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  const path = fileURLToPath(uri);
  // The editor may reach the project by a symbolic link.
  const real = existsSync(path) ? realpathSync(path) : path;
  const file = relative(fileURLToPath(root), real).replaceAll(sep, '/');
  return file.startsWith('spec/') || file === 'redocly.yaml' ? file : undefined;
}
