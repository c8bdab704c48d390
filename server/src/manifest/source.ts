import { readFile } from 'node:fs/promises';
import { type Alias, type Document, type Node, visit } from 'yaml';
import { reasonOf } from '../postgres/start-error.ts';
import { type Path, PlatformFileError, type Problem, pathText } from './problems.ts';
import { entryOf, parseYaml } from './yaml.ts';

/** A YAML document that still knows where everything stands. */
export interface Source {
  name: string;
  /** The document as plain values; nothing is checked but its being YAML. */
  value: unknown;
  /** The error that tells of these problems, in the order of the file. */
  error(problems: Problem[]): PlatformFileError;
}

/** @throws PlatformFileError when the file cannot be read or is no YAML */
export async function readSource(file: string, name = file): Promise<Source> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new PlatformFileError([`${name}: cannot be read: ${reasonOf(error)}.`]);
  }
  return parseSource(text, name);
}

/**
 * @param name what errors call the file
 * @throws PlatformFileError when the text is no YAML
 */
export function parseSource(text: string, name: string): Source {
  const { document, positionAt } = parseYaml(text);
  const at = (offset: number) => {
    const { line, column } = positionAt(offset);
    return `${name}:${line}:${column}`;
  };
  const faults = [...faultsOf(document)].map(({ offset, message }) => `${at(offset)} ${message}`);
  if (faults.length > 0) throw new PlatformFileError(faults);

  const error = (problems: Problem[]) => {
    const placed = problems.map((problem) => ({ ...problem, offset: offsetOf(document, problem) }));
    placed.sort((a, b) => a.offset - b.offset);
    const told = placed.map(({ offset, path, message }) =>
      [at(offset), pathText(path), message].filter(Boolean).join(' '),
    );
    return new PlatformFileError([...new Set(told)]);
  };
  try {
    return { name, value: document.toJS({ reviver }), error };
  } catch (fault) {
    // Aliases that would unfold without end.
    throw new PlatformFileError([`${name}:1:1 ${(fault as Error).message}`]);
  }
}

function* faultsOf(document: Document.Parsed): Generator<{ offset: number; message: string }> {
  for (const { code, pos, message } of [...document.errors, ...document.warnings]) {
    // The library's own words are for whoever calls it.
    yield {
      offset: pos[0],
      message: code === 'MULTIPLE_DOCS' ? 'begins a second document: a file holds one' : message,
    };
  }
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, alias) => void aliases.push(alias) });
  for (const alias of aliases) {
    if (alias.resolve(document)) continue;
    yield { offset: alias.range?.[0] ?? 0, message: `There is no anchor &${alias.source} before this` };
  }
}

/** Names are kept exactly but for their normal form, so that equal names are equal texts. */
const reviver = (_key: unknown, value: unknown) =>
  typeof value === 'string' ? value.normalize('NFC') : value;

/** The offset of a problem; something that is missing is reported where it would belong. */
function offsetOf(document: Document, { path, atKey }: { path: Path; atKey?: boolean }): number {
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
