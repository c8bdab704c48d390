import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
} from 'yaml';
import { keysOf } from '../../server/src/contract/document.ts';
import type { Place } from './report.ts';

/** Finds where something of the bundle was written: the place of the deepest of `keys` that there is. */
export type Locator = (keys: string[]) => Place;

type File = { path: string; lines: LineCounter; root: ParsedNode | null };
type Spot = { file: File; node: Node | null; offset: number };

const entry = 'spec/openapi.yaml';

/**
 * Follows `keys` of the bundle through the files of the source, over every `$ref`. What the bundle keeps under
 * `components` is found by its name, which no two components share.
 */
export function sourceLocator(root: URL): Locator {
  const files = new Map<string, File>();

  function open(path: string): File {
    const known = files.get(path);
    if (known) return known;
    const lines = new LineCounter();
    const text = readFileSync(new URL(path, root), 'utf8');
    const file = { path, lines, root: parseDocument(text, { lineCounter: lines }).contents };
    files.set(path, file);
    return file;
  }

  function follow(spot: Spot, depth = 0): Spot {
    const reference = isMap(spot.node) ? spot.node.get('$ref') : undefined;
    if (typeof reference !== 'string' || depth > 20 || /^[a-z]+:/.test(reference)) return spot;
    const [path = '', pointer = ''] = reference.split('#');
    const target = path ? posix.join(posix.dirname(spot.file.path), path) : spot.file.path;
    if (!/\.ya?ml$/.test(target)) return spot;
    const file = open(target);
    const keys = keysOf(pointer);
    let at: Spot = { file, node: file.root, offset: 0 };
    for (const key of keys) at = child(at, key) ?? at;
    return follow(at, depth + 1);
  }

  function component([, kind = '', name = '', ...rest]: string[]): [Spot, string[]] | undefined {
    const folder = `spec/${kind}/`;
    const inFolder = readdirSync(new URL('spec/', root)).includes(kind)
      ? readdirSync(new URL(folder, root)).map((file) => folder + file)
      : [`spec/${kind}.yaml`];
    for (const path of inFolder) {
      const file = open(path);
      const found = child({ file, node: file.root, offset: 0 }, name);
      if (found) return [found, rest];
    }
    return undefined;
  }

  return (keys) => {
    try {
      const file = open(entry);
      let spot: Spot = { file, node: file.root, offset: 0 };
      let rest = keys;
      if (keys[0] === 'components') [spot, rest] = component(keys) ?? [spot, rest];
      for (const key of rest) {
        const next = child(spot, key) ?? child(follow(spot), key);
        if (!next) break;
        spot = next;
      }
      const { line, col } = spot.file.lines.linePos(spot.offset);
      return { file: spot.file.path, line, column: col };
    } catch {
      // A file that is gone or does not parse: the linter says so.
      return { file: entry, line: 1, column: 1 };
    }
  };
}

function child({ file, node }: Spot, key: string): Spot | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key) as
      | Pair<ParsedNode, ParsedNode | null>
      | undefined;
    return pair && { file, node: pair.value, offset: pair.key.range[0] };
  }
  const item = isSeq(node) && /^\d+$/.test(key) ? (node.items[Number(key)] as ParsedNode) : undefined;
  return item && { file, node: item, offset: item.range[0] };
}
