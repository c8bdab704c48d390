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

/** A YAML document whose parts know their position. */
export interface YamlSource {
  document: Document.Parsed;
  /** Line and column of an offset; both count from 1. */
  positionAt(offset: number): { line: number; column: number };
}

/** An entry of a mapping, which begins at its key, or an item of a sequence. */
export interface YamlEntry {
  offset: number;
  value: Node | null;
}

/** Parses a text; syntax errors are in `document.errors`. */
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

/** What a mapping has under a key, or a sequence at an index. An alias counts as what it refers to. */
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
