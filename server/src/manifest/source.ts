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
import { type Path, PlatformFileError, type Problem, pathText } from './platform-file.ts';

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
 * @param textOf writes a path in error messages
 * @throws PlatformFileError if the text is not valid YAML
 */
export function parseSource(text: string, name: string, textOf: (path: Path) => string = pathText): Source {
  const yaml = parseYaml(text);
  const { document, positionAt } = yaml;
  const at = ({ line, column }: { line: number; column: number }) => `${name}:${line}:${column}`;
  const syntaxErrors = syntaxErrorsIn(yaml, name).map((error) => `${at(error)} ${error.message}`);
  if (syntaxErrors.length > 0) throw new PlatformFileError(syntaxErrors);

  const located = (problems: Problem[]) =>
    problems
      .map((problem) => ({ problem, offset: offsetOf(document, problem) }))
      .sort((a, b) => a.offset - b.offset)
      .map(({ problem, offset }) => ({ ...problem, ...positionAt(offset) }));
  const error = (problems: Problem[]) => {
    const lines = located(problems).map((problem) =>
      [at(problem), textOf(problem.path), problem.message].filter(Boolean).join(' '),
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

/**
 * With line and column, counted from 1. A file with the ending `.json` must be JSON, which other programs can read, too.
 *
 * @param name the name of the file
 */
export function syntaxErrorsIn({ document, positionAt, text }: YamlSource, name: string) {
  if (isTemplate(document)) return [{ ...positionAt(0), message: templateMessage }];
  const errors = [...document.errors, ...document.warnings];
  const json = errors.length === 0 && name.endsWith('.json') ? jsonError(text) : undefined;
  if (json) return [{ ...positionAt(json.offset), message: json.message }];
  // Further errors on the line of an unquoted expression follow from it.
  const unquoted = new Set(
    errors.filter((each) => isUnquoted(each, text)).map(({ pos }) => positionAt(pos[0]).line),
  );
  const reported = errors.filter(
    (error) => isUnquoted(error, text) || !unquoted.has(positionAt(error.pos[0]).line),
  );
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, alias) => void aliases.push(alias) });
  return [
    ...reported.map((error) => ({
      ...positionAt(error.pos[0]),
      message: syntaxMessage(error, document, text),
    })),
    ...aliases
      .filter((alias) => !alias.resolve(document))
      .map(({ range, source }) => ({
        ...positionAt(range?.[0] ?? 0),
        message: `unknown anchor: &${source}`,
      })),
  ];
}

const templateMessage =
  'This is a CloudFormation template: put the Definition or DefinitionString of its state machine into a file of its own';

/** Whether a document is a template of CloudFormation or SAM, which declares resources of AWS. */
function isTemplate({ contents }: Document.Parsed): boolean {
  if (!isMap(contents)) return false;
  const resources = contents.get('Resources');
  const ofAws = (each: unknown) => isMap(each) && String(each.get('Type')).startsWith('AWS::');
  return (
    contents.has('AWSTemplateFormatVersion') ||
    (isMap(resources) && resources.items.some(({ value }) => ofAws(value)))
  );
}

type SyntaxError = Document.Parsed['errors'][number] | Document.Parsed['warnings'][number];

const isUnquoted = ({ code, pos }: SyntaxError, text: string) =>
  code === 'BAD_SCALAR_START' && text.slice(pos[0] - 1, pos[0] + 1) === '{%';

/** The library's message, or a better one: its own addresses developers. */
function syntaxMessage(error: SyntaxError, document: Document, text: string): string {
  if (isUnquoted(error, text)) return "Put the expression in quotes: '{% … %}'";
  switch (error.code) {
    case 'MULTIPLE_DOCS':
      return 'starts a second document: the file must contain only one';
    case 'TAG_RESOLVE_FAILED':
      return `The tag ${text.slice(...error.pos).split(/\s/, 1)} is not known: write the value that a deployment tool puts there`;
    case 'DUPLICATE_KEY':
      return `The key ${keyAt(document, error.pos[0])} is there twice`;
    default:
      return error.message;
  }
}

function keyAt(document: Document, offset: number): string {
  let found = '';
  visit(document, {
    Pair(_key, { key }) {
      if (isScalar(key) && key.range?.[0] === offset) found = `‘${key.value}’`;
    },
  });
  return found;
}

/** Why a text that is YAML is not JSON. */
function jsonError(text: string): { offset: number; message: string } | undefined {
  try {
    JSON.parse(text.replace(/^\u{FEFF}/u, ''));
    return undefined;
  } catch (error) {
    const outsideStrings = text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, (string) =>
      'x'.repeat(string.length),
    );
    const comma = /,\s*[}\]]/.exec(outsideStrings);
    if (comma) return { offset: comma.index, message: 'The file is not JSON: remove this comma' };
    const { message } = error as Error;
    const [, offset = 0] = / at position (\d+)/.exec(message) ?? [];
    const [reason] = message.split(/ in JSON at|, "/, 1);
    return { offset: Number(offset), message: `The file is not JSON: ${reason}` };
  }
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
  text: string;
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
    text,
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
