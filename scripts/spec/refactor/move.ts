import { posix } from 'node:path';
import { isMap, isScalar, type Pair, visit } from 'yaml';
import { routesOf } from '../../../server/contract/index.ts';
import { suggestion } from '../../../spec/rules/nearest.js';
import type { Contract } from '../../contract/source.ts';
import { ArgumentError, type Edits } from './edits.ts';
import { type Yaml, yamlOf } from './yaml.ts';

export const movable = ['schema', 'operation'] as const;

type Move = { edits: Edits; contract: Contract; name: string; file: string };

/** Plans the move of a schema, or of the path item of an operation, to another file of the same folder. */
export function planMove(kind: (typeof movable)[number], move: Move): void {
  const { edits, contract, name, file } = move;
  const folder = kind === 'schema' ? 'spec/schemas/' : 'spec/paths/';
  if (!new RegExp(`^${folder}[a-z0-9-]+\\.yaml$`).test(file))
    throw new ArgumentError(`${file} is not a file such as ${folder}invoices.yaml.`);
  const yaml = yamlOf(edits);
  const { from, key } = kind === 'schema' ? schemaNamed(yaml, name) : itemOf(yaml, contract, name);
  if (from === file) throw new ArgumentError(`${name} is in ${file} already.`);
  const own = yaml.files.includes(file) ? yaml.open(file).document.contents : undefined;
  if (isMap(own) && own.has(key)) throw new ArgumentError(`${file} has ${key} already.`);
  moveKey(edits, yaml, { from, key, file });
}

function schemaNamed(yaml: Yaml, name: string): { from: string; key: string } {
  const files = yaml.files.filter((file) => file.startsWith('spec/schemas/'));
  const names = (file: string) => {
    const { contents } = yaml.open(file).document;
    return isMap(contents) ? contents.items.map(({ key }) => String(key)) : [];
  };
  const from = files.find((file) => names(file).includes(name));
  if (from) return { from, key: name };
  throw new ArgumentError(`there is no schema ${name}.${suggestion(name, files.flatMap(names))}`);
}

/** The file and the key of the path item that has an operation. */
function itemOf(yaml: Yaml, contract: Contract, id: string): { from: string; key: string } {
  const routes = routesOf(contract);
  const path = routes.find(({ operation }) => operation.operationId === id)?.path;
  const names = routes.map(({ operation }) => operation.operationId);
  if (!path) throw new ArgumentError(`there is no operation ${id}.${suggestion(id, names)}`);
  const entry = yaml.open('spec/openapi.yaml').document.getIn(['paths', path]);
  const reference = yaml
    .references()
    .find(
      ({ file, scalar }) =>
        file === 'spec/openapi.yaml' && isMap(entry) && entry.get('$ref', true) === scalar,
    );
  if (!reference) throw new ArgumentError(`spec/openapi.yaml has ${path} itself; move it to a file by hand.`);
  return { from: reference.target, key: reference.keys[0] ?? '' };
}

type Key = { from: string; key: string; file: string };

/** Moves a top-level key of a file with its text. Anchors move along as their values, references keep their targets. */
function moveKey(edits: Edits, yaml: Yaml, { from, key, file }: Key): void {
  const text = edits.read(from);
  const [start, end] = extentOf(text, yaml, from, key);
  const relative = (at: string, target: string) => posix.relative(posix.dirname(at), target);
  const pointer = (at: string, target: string, keys: string[]) =>
    `${at === target ? '' : relative(at, target)}${keys.length > 0 ? `#/${keys.map(escaped).join('/')}` : ''}`;
  const texts = new Map<string, { start: number; end: number; text: string }[]>();
  for (const { file: at, scalar, target, keys } of yaml.references()) {
    const [first = 0, last = 0] = scalar.range ?? [];
    const isInside = at === from && first >= start && last <= end;
    const isMoved = target === from && keys[0] === key;
    if (!isInside && !isMoved) continue;
    const written = pointer(isInside ? file : at, isMoved ? file : target, keys);
    const list = texts.get(at) ?? [];
    texts.set(at, [
      ...list,
      { start: first, end: last, text: written.startsWith('#') ? `'${written}'` : written },
    ]);
  }
  const edited = (at: string, [low, high]: [number, number]) =>
    (texts.get(at) ?? [])
      .filter((one) => one.start >= low && one.end <= high)
      .sort((one, other) => other.start - one.start)
      .reduce(
        (all, one) => all.slice(0, one.start - low) + one.text + all.slice(one.end - low),
        edits.read(at).slice(low, high),
      );
  const rest = edited(from, [0, start]) + edited(from, [end, text.length]);
  const left = withAnchors(rest, text, yaml, from);
  edits.set(from, /^\s*[^#\s]/m.test(left) ? left : '');
  const isNew = !yaml.files.includes(file);
  edits.set(
    file,
    (isNew ? '' : `${edited(file, [0, edits.read(file).length]).trimEnd()}\n`) +
      withAnchors(edited(from, [start, end]), text, yaml, from),
  );
  for (const at of texts.keys())
    if (at !== from && at !== file) edits.set(at, edited(at, [0, edits.read(at).length]));
}

/** Writes the value of each anchor that stayed in the other part at its first alias, so that both files are complete. */
function withAnchors(part: string, text: string, yaml: Yaml, file: string): string {
  let all = part;
  for (let found = orphanIn(all); found; found = orphanIn(all)) {
    const { name, index } = found;
    let end = 0;
    visit(yaml.open(file).document, {
      Node: (_, node) => {
        if ((node as { anchor?: string }).anchor === name) end = node.range?.[1] ?? 0;
      },
    });
    const start = text.search(new RegExp(`&${name}(?!\\w)`));
    if (end === 0 || start < 0) throw new ArgumentError(`${file} has no anchor ${name}.`);
    const shift = indentAt(all, index) - indentAt(text, start);
    const value = text
      .slice(start, end)
      .trimEnd()
      .replace(/\n( *)/g, (_, spaces) => `\n${' '.repeat(Math.max(0, spaces.length + shift))}`);
    all = all.slice(0, index) + value + all.slice(index + name.length + 1);
  }
  return all;
}

/** The first alias without its anchor before it. */
function orphanIn(text: string): { name: string; index: number } | undefined {
  const aliases = [...text.matchAll(/(?<=[:[,-] )\*(\w+)/g)].map(({ 1: name = '', index }) => ({
    name,
    index,
  }));
  return aliases.find(({ name, index }) => !new RegExp(`&${name}(?!\\w)`).test(text.slice(0, index)));
}

function indentAt(text: string, offset: number): number {
  return /^ */.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0].length ?? 0;
}

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** From the key to the next key, comments above it included. */
function extentOf(text: string, yaml: Yaml, file: string, key: string): [number, number] {
  const { contents } = yaml.open(file).document;
  const items: Pair[] = isMap(contents) ? (contents.items as Pair[]) : [];
  const starts = items.map(({ key }) => (isScalar(key) ? (key.range?.[0] ?? 0) : 0));
  const index = items.findIndex((item) => String(item.key) === key);
  return [starts[index] ?? 0, starts[index + 1] ?? text.length];
}
