import { posix } from 'node:path';
import { isAlias, isMap, isScalar, type Node, type Pair, type Scalar, visit } from 'yaml';
import { keysOf } from '../../../server/contract/index.ts';
import { entryOf, parseYaml, type YamlSource } from '../../../server/src/manifest/source.ts';
import type { Edits } from './edits.ts';

/** A part of a YAML file; `offset` is that of its key or list item. */
export type Spot = { file: string; node: Node | null | undefined; offset?: number };

/** A reference in a YAML file, with the file and the keys to which it leads. */
export type Reference = { file: string; scalar: Scalar; target: string; keys: string[] };

/** The YAML files of spec/, with positions. */
export function yamlOf(edits: Pick<Edits, 'files' | 'read'>) {
  const files = edits.files.filter((file) => /^spec\/.*\.ya?ml$/.test(file));
  const parsed = new Map<string, YamlSource>();
  const open = (file: string): YamlSource => {
    const source = parsed.get(file) ?? parseYaml(edits.read(file));
    parsed.set(file, source);
    return source;
  };
  const child = ({ file, node }: Spot, key: string): Spot | undefined => {
    const entry = entryOf(open(file).document, node, key);
    return entry && { file, node: entry.value, offset: entry.offset };
  };
  const at = (file: string, keys: readonly string[]): Spot | undefined => {
    const start: Spot | undefined = { file, node: open(file).document.contents };
    return keys.reduce<Spot | undefined>((spot, key) => spot && child(spot, key), start);
  };
  /** The entries of a mapping; none of anything else. */
  const entries = (spot: Spot | undefined): (Spot & { key: string })[] =>
    isMap(spot?.node)
      ? spot.node.items.flatMap(({ key }) => {
          const entry = child(spot, String(key));
          return entry ? { ...entry, key: String(key) } : [];
        })
      : [];
  /** Follows aliases and references to the part that they stand for. */
  const follow = (spot: Spot, depth = 0): Spot => {
    const node = isAlias(spot.node) ? spot.node.resolve(open(spot.file).document) : spot.node;
    const text = isMap(node) ? node.get('$ref') : undefined;
    if (typeof text !== 'string' || depth > 20) return { file: spot.file, node };
    const { target, keys } = targetOf(spot.file, text);
    if (!files.includes(target)) return { file: spot.file, node };
    const end = at(target, keys);
    return end ? follow(end, depth + 1) : { file: spot.file, node };
  };
  return {
    files,
    open,
    at,
    child,
    entries,
    follow,
    references: () => files.flatMap((file) => referencesIn(file, open(file))),
  };
}

export type Yaml = ReturnType<typeof yamlOf>;

export function targetOf(file: string, reference: string): { target: string; keys: string[] } {
  const [path = '', pointer = ''] = reference.split('#');
  return {
    target: path ? posix.join(posix.dirname(file), path) : file,
    keys: pointer ? keysOf(pointer) : [],
  };
}

function referencesIn(file: string, { document }: YamlSource): Reference[] {
  const found: Reference[] = [];
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== '$ref' || !isScalar(value) || typeof value.value !== 'string')
        return;
      found.push({ file, scalar: value, ...targetOf(file, value.value) });
    },
  });
  return found;
}

/** Replaces a part of the text of a scalar. */
export function replaceIn(edits: Edits, file: string, node: unknown, from: string, to: string): void {
  const [start = 0, end = 0] = (node as Node | null)?.range ?? [];
  const at = edits.read(file).slice(start, end).lastIndexOf(from);
  if (at >= 0) edits.replace(file, start + at, start + at + from.length, to);
}

/** Every pair of a document, with the keys of the mappings around it. */
export function pairsIn({ document }: YamlSource): { pair: Pair; path: string[] }[] {
  const found: { pair: Pair; path: string[] }[] = [];
  visit(document, {
    Pair(_, pair, around) {
      const path = around.flatMap((one) => {
        const key = (one as Partial<Pair>).key;
        return isScalar(key) ? String(key.value) : [];
      });
      found.push({ pair, path });
    },
  });
  return found;
}
