import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { isAlias, isMap, type Node } from 'yaml';
import { keysOf } from '../../server/contract/index.ts';
import { entryOf, parseYaml, type YamlSource } from '../../server/src/manifest/source.ts';

/** A position in a file. The path is relative to the project's root; lines and columns count from 1. */
export type Place = { file: string; line: number; column: number };

/** `file:line:column`, which terminals and editors turn into a link. */
export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** Finds the position in the source of a part of the bundle. */
export type Locator = {
  /** The place of the deepest of `keys` that exists. */
  at(keys: readonly string[]): Place;
  /**
   * The place of the schema that a value inside an example must match.
   * @param media the media type that has the example: a file, and a pointer in it
   * @param path from the example to the value
   */
  schemaOf(media: { file: string; pointer: string }, path: readonly string[]): Place | undefined;
};

type File = YamlSource & { path: string };
type Spot = { file: File; node: Node | null; offset: number };

const entry = 'spec/openapi.yaml';

/**
 * Follows keys of the bundle through the files of the source, over every `$ref`. What the bundle has under
 * `components` is found by its name, which no two components share.
 */
export function sourceLocator(root: URL): Locator {
  const files = new Map<string, File>();

  function open(path: string): Spot {
    const known = files.get(path);
    const file = known ?? { path, ...parseYaml(readFileSync(new URL(path, root), 'utf8')) };
    files.set(path, file);
    return { file, node: file.document.contents, offset: 0 };
  }

  /** The end of a chain of references and aliases. */
  function follow(spot: Spot, depth = 0): Spot {
    const anchored = isAlias(spot.node) && spot.node.resolve(spot.file.document);
    if (anchored)
      return follow({ ...spot, node: anchored, offset: anchored.range?.[0] ?? spot.offset }, depth);
    const reference = isMap(spot.node) ? spot.node.get('$ref') : undefined;
    if (typeof reference !== 'string' || depth > 20 || /^[a-z]+:/.test(reference)) return spot;
    const [path = '', pointer = ''] = reference.split('#');
    const target = path ? posix.join(posix.dirname(spot.file.path), path) : spot.file.path;
    if (!/\.ya?ml$/.test(target)) return spot;
    return follow(deepest(open(target), keysOf(pointer)), depth + 1);
  }

  function deepest(spot: Spot, keys: readonly string[]): Spot {
    let at = spot;
    for (const key of keys) {
      const next = child(at, key) ?? child(follow(at), key);
      if (!next) break;
      at = next;
    }
    return at;
  }

  function component(kind: string, name: string): Spot | undefined {
    const folder = `spec/${kind}/`;
    const paths = readdirSync(new URL('spec/', root)).includes(kind)
      ? readdirSync(new URL(folder, root)).map((file) => folder + file)
      : [`spec/${kind}.yaml`];
    return paths.map((path) => child(open(path), name)).find((spot) => spot !== undefined);
  }

  /** The schema of a property or an item. */
  function subschema(schema: Spot, key: string): Spot | undefined {
    const properties = child(schema, 'properties');
    const own = properties && child(properties, key);
    if (own) return own;
    const items = child(schema, 'items');
    if (items && /^\d+$/.test(key)) return items;
    for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
      for (let index = 0, part = next(schema, keyword, index); part; part = next(schema, keyword, ++index)) {
        const found = subschema(follow(part), key);
        if (found) return found;
      }
    }
    return undefined;
  }

  function next(schema: Spot, keyword: string, index: number): Spot | undefined {
    const parts = child(schema, keyword);
    return parts && child(parts, String(index));
  }

  return {
    at(keys) {
      try {
        const [section, kind = '', name = '', ...rest] = keys;
        const found = section === 'components' ? component(kind, name) : undefined;
        return placeOf(found ? deepest(found, rest) : deepest(open(entry), keys));
      } catch {
        // A file that is gone or does not parse: the linter reports that.
        return { file: entry, line: 1, column: 1 };
      }
    },
    schemaOf(media, path) {
      try {
        const declared = child(deepest(open(media.file), keysOf(media.pointer)), 'schema');
        if (!declared) return undefined;
        let schema = follow(declared);
        for (const key of path) {
          const inner = subschema(schema, key);
          if (!inner) break;
          schema = follow(inner);
        }
        return placeOf(schema);
      } catch {
        return undefined;
      }
    },
  };
}

function placeOf({ file, offset }: Spot): Place {
  return { file: file.path, ...file.positionAt(offset) };
}

function child({ file, node }: Spot, key: string): Spot | undefined {
  const found = entryOf(file.document, node, key);
  return found && { file, node: found.value, offset: found.offset };
}
