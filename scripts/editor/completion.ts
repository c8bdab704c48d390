import { posix } from 'node:path';
import type { CompletionItem, Position } from 'vscode-languageserver/node';
import { pointerTo } from '../../server/json/index.ts';
import { targetOf } from '../spec/refactor/yaml.ts';
import type { Sources } from './sources.ts';
import { errorCodes, eventTypes, operations, permissions, type Term, terms } from './vocabulary.ts';

/** What can stand at a position. Works with a file that does not parse, which is usual while typing. */
export function completionsAt(sources: Sources, file: string, position: Position): CompletionItem[] {
  const lines = sources.document(file).getText().split('\n');
  const before = (lines[position.line] ?? '').slice(0, position.character);
  const [, quote, reference] = /\$ref['"]?: *(['"]?)([^\s'",}]*)$/.exec(before) ?? [];
  const [name = ''] = /[\w.]*$/.exec(before) ?? [];
  const written = reference ?? name;
  const declared =
    reference === undefined
      ? declaredAt(file, before.slice(0, before.length - name.length), keysAround(lines, position.line))
      : () => references(sources, file, reference).map((label) => ({ name: label, text: '' }));
  const start = { ...position, character: position.character - written.length };
  return declared(sources).map(({ name: label, text }) => ({
    label,
    ...(text && { detail: text }),
    // Without quotes, a reference to the same file is a comment.
    textEdit: { range: { start, end: position }, newText: label[0] === '#' && !quote ? `'${label}'` : label },
  }));
}

type Declared = (sources: Sources) => Pick<Term, 'name' | 'text'>[];

/** @param around the keys of the mappings around the line, innermost first */
function declaredAt(file: string, before: string, around: readonly string[]): Declared {
  const onLine = [...before.matchAll(/([\w-]+)['"]?: /g)].map(([, key = '']) => key).reverse();
  const keys = [...onLine, ...around];
  const [own, outer] = keys;
  if (before.endsWith('`')) return terms;
  if (!/(?:[-[,:] *|^ *)['"]?$/.test(before)) return () => [];
  if (own === 'operationId' && (keys.includes('links') || file.startsWith('spec/arazzo/'))) return operations;
  if (outer === 'security') return permissions;
  if (own === 'code' || keys.includes('contract/error-codes')) return errorCodes;
  const isEvent = file.startsWith('spec/examples/') ? own === 'type' : own === 'enum' && outer === 'type';
  return isEvent ? eventTypes : () => [];
}

/** Files, or after `#` the names in a file. */
function references({ yaml }: Sources, file: string, written: string): string[] {
  if (!written.includes('#')) {
    const others = yaml.files.filter((one) => one !== file && !one.startsWith('spec/arazzo/'));
    return others.map((one) => `${posix.relative(posix.dirname(file), one)}#/`);
  }
  const parent = written.replace(/\/[^/]*$/, '');
  const { target, keys } = targetOf(file, parent);
  return yaml.entries(yaml.at(target, keys)).map(({ key }) => parent + pointerTo(key));
}

function keysAround(lines: readonly string[], at: number): string[] {
  const keys: string[] = [];
  // An entry of a list may be as deep as the key of the list.
  const depthOf = (line = '') => /^ *-?/.exec(line)?.[0].length ?? 0;
  let depth = depthOf(lines[at]);
  for (const line of lines.slice(0, at).reverse()) {
    const [, spaces = '', key] = /^( *)(?:- +)*['"]?([^\s'"#-][^'":]*)['"]?:(?:\s|$)/.exec(line) ?? [];
    if (key === undefined || spaces.length >= depth) continue;
    keys.push(key);
    depth = depthOf(line);
  }
  return keys;
}
