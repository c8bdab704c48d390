import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  visit,
} from 'yaml';
import { PlatformFileError, type Problem, pathText } from './platform-file.ts';

/** A YAML document with the positions of its parts. */
export interface Source {
  name: string;
  /** The document as plain values, not validated. */
  value: unknown;
  /** The problems with line and column, counted from 1, in the order of the file. */
  located(problems: Problem[]): (Problem & { line: number; column: number })[];
  /** Creates an error that reports these problems, in the order of the file. */
  error(problems: Problem[]): PlatformFileError;
}

/**
 * @param name the name of the file in error messages
 * @throws PlatformFileError if the text is not valid YAML
 */
export function parseSource(text: string, name: string): Source {
  const yaml = parseYaml(text);
  const { document, positionAt } = yaml;
  const at = ({ line, column }: { line: number; column: number }) => `${name}:${line}:${column}`;
  const syntaxErrors = syntaxErrorsIn(yaml).map((error) => `${at(error)} ${error.message}`);
  if (syntaxErrors.length > 0) throw new PlatformFileError(syntaxErrors);

  const located = (problems: Problem[]) =>
    problems
      .map((problem) => ({ problem, offset: offsetOf(document, problem) }))
      .sort((a, b) => a.offset - b.offset)
      .map(({ problem, offset }) => ({ ...problem, ...positionAt(offset) }));
  const error = (problems: Problem[]) => {
    const lines = located(problems).map((problem) =>
      [at(problem), pathText(problem.path), problem.message].filter(Boolean).join(' '),
    );
    return new PlatformFileError([...new Set(lines)]);
  };
  try {
    return { name, value: document.toJS({ reviver: normalize }), located, error };
  } catch (cause) {
    // Aliases that would expand to too many values.
    throw new PlatformFileError([`${name}:1:1 ${(cause as Error).message}`]);
  }
}

/** With line and column, counted from 1. */
export function syntaxErrorsIn({ document, positionAt }: YamlSource) {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, alias) => void aliases.push(alias) });
  return [
    ...[...document.errors, ...document.warnings].map(({ code, pos, message }) => ({
      ...positionAt(pos[0]),
      // The library's message addresses developers.
      message:
        code === 'MULTIPLE_DOCS' ? 'starts a second document: the file must contain only one' : message,
    })),
    ...aliases
      .filter((alias) => !alias.resolve(document))
      .map(({ range, source }) => ({
        ...positionAt(range?.[0] ?? 0),
        message: `unknown anchor: &${source}`,
      })),
  ];
}

/** Normalizes strings to NFC, so that equal names are equal strings. */
const normalize = (_key: unknown, value: unknown) =>
  typeof value === 'string' ? value.normalize('NFC') : value;

/** The offset of a problem. If the path does not exist, the offset of its deepest part that does. */
function offsetOf(document: Document, { path, atKey }: Problem): number {
  let node = document.contents as Node | null;
  let offset = node?.range?.[0] ?? 0;
  for (const [index, part] of path.entries()) {
    const entry = entryOf(document, node, part);
    if (!entry) break;
    if (atKey && index === path.length - 1) return entry.offset;
    node = entry.value;
    offset = node?.range?.[0] ?? entry.offset;
  }
  return offset;
}

/** A YAML document with the positions of its parts. */
export interface YamlSource {
  document: Document.Parsed;
  /** Line and column of an offset, counted from 1. */
  positionAt(offset: number): { line: number; column: number };
}

/** An entry of a mapping, whose offset is that of its key, or an item of a sequence. */
interface YamlEntry {
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
