import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
} from 'yaml';

/** A YAML document with the positions of its parts. */
export interface YamlSource {
  document: Document.Parsed;
  /** Line and column of an offset, counted from 1. */
  positionAt(offset: number): { line: number; column: number };
}

/** An entry of a mapping, whose offset is that of its key, or an item of a sequence. */
export interface YamlEntry {
  offset: number;
  value: Node | null;
}

/** Parses a text. Syntax errors are in `document.errors`. */
export function parseYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  return {
    document,
    positionAt(offset) {
      const { line, col } = lines.linePos(offset);
      return { line: Math.max(line, 1), column: Math.max(col, 1) };
    },
  };
}

/** Returns the entry of a mapping at a key, or the item of a sequence at an index. Resolves aliases. */
export function entryOf(
  document: Document,
  node: Node | null | undefined,
  key: string | number,
): YamlEntry | undefined {
  const owner = isAlias(node) ? node.resolve(document) : node;
  if (isMap(owner)) {
    const pair = owner.items.find(({ key: own }) => isScalar(own) && String(own.value) === String(key));
    return pair && { offset: startOf(pair.key), value: (pair.value ?? null) as Node | null };
  }
  const item = isSeq(owner) ? (owner.items[Number(key)] as Node | undefined) : undefined;
  return item && { offset: startOf(item), value: item };
}

function startOf(node: unknown): number {
  return (node as ParsedNode | undefined)?.range?.[0] ?? 0;
}
