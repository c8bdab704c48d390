import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { isMap, isScalar, visit, type YAMLMap } from 'yaml';
import { parseYaml } from '../../server/src/manifest/source.ts';
import type { ReportedFinding } from '../contract/lint/finding.ts';
import type { Sources } from './sources.ts';

type Change = { start: number; end: number; text: string };
/** The place of a finding: its offset, and the rest of the line. */
type Spot = { message: string; text: string; offset: number; rest: string };

/** The edit that makes a finding go away, at all of its places; undefined if there is not exactly one. */
export function quickFixOf(
  finding: ReportedFinding,
  { document }: Sources,
): { title: string; edit: WorkspaceEdit } | undefined {
  const edits: Record<string, TextEdit[]> = {};
  let title = '';
  for (const { file, line, column } of [finding, ...(finding.also ?? [])]) {
    const { uri } = document(file);
    const text = document(file).getText();
    const offset = document(file).offsetAt({ line: line - 1, character: column - 1 });
    const spot = { message: finding.message, text, offset, rest: text.slice(offset).split('\n', 1).join() };
    const changes = quotedNull(spot) ?? withNullType(spot) ?? suggested(spot) ?? added(spot);
    if (!changes?.[0]) return undefined;
    title = `${changes[0].start === changes[0].end ? 'Add' : 'Change to'} \`${changes[0].text.trim()}\``;
    const at = (offset: number) => document(file).positionAt(offset);
    edits[uri] ??= [];
    for (const { start, end, text: newText } of changes)
      edits[uri].push({ range: { start: at(start), end: at(end) }, newText });
  }
  return { title, edit: { changes: edits } };
}

/** `type: [string, null]`: the type is the text 'null'. */
function quotedNull({ message, rest, offset }: Spot): Change[] | undefined {
  const isNull = message.startsWith('`type` can be one of') && /^null\b/.test(rest);
  return isNull ? [{ start: offset, end: offset + 4, text: "'null'" }] : undefined;
}

/** `nullable: true` of OpenAPI 3.0, with a single type beside it. */
function withNullType({ message, text, offset, rest }: Spot): Change[] | undefined {
  if (!message.startsWith('Property `nullable` is not') || !/^nullable: *true/.test(rest)) return undefined;
  const type = mappingAt(text, offset)?.get('type', true);
  if (!isScalar(type) || !type.range) return undefined;
  const [start, end] = type.range;
  const [before = ''] = /(?:\n *|, *|)$/.exec(text.slice(0, offset)) ?? [];
  const [pair = ''] = (before === '' ? /^[^\n,}]*,? */ : /^[^\n,}]*[^\s,}]/).exec(rest) ?? [];
  const removal = { start: offset - before.length, end: offset + pair.length, text: '' };
  return [{ start, end, text: `[${text.slice(start, end)}, 'null']` }, removal];
}

/** Did you mean `…`? What was written is the last name before, or the value itself. */
function suggested({ message, text: whole, offset, rest }: Spot): Change[] | undefined {
  const [asked, text = ''] = /Did you mean `([^`]+)`\?/.exec(message) ?? [];
  if (!asked || mappingAt(message.startsWith('Property') ? whole : '', offset)?.has(text)) return undefined;
  const named = message.slice(0, message.indexOf(asked)).matchAll(/`([^`]+)`|([^\s/]+)(?=\. $)/g);
  const names = [...named].map(([, name, file]) => name ?? file ?? '').reverse();
  for (const name of [...names, ...(/^[\w.-]+(?=\s*$)/.exec(rest) ?? [])]) {
    const at = rest.search(new RegExp(`(?<![\\w-])${name.replaceAll(/\W/g, '\\$&')}(?![\\w-])`));
    if (at >= 0) return [{ start: offset + at, end: offset + at + name.length, text }];
  }
  return undefined;
}

/** Add `format: int64`: after a value, or to the mapping below a key. */
function added({ message, text, offset, rest }: Spot): Change[] | undefined {
  const pair = /\badd `([\w-]+: [\w-]+)`/i.exec(message)?.[1];
  const isKey = /^['"]?[\w-]+['"]?:\s*$/.test(rest);
  if (!pair || !(isKey || /^[\w-]+\s*$/.test(rest))) return undefined;
  const end = offset + rest.trimEnd().length;
  const likewise = isKey ? offset + rest.length + 1 : text.lastIndexOf('\n', offset) + 1;
  return [{ start: end, end, text: `\n${/^ */.exec(text.slice(likewise))?.[0]}${pair}` }];
}

/** The mapping with a key that begins at an offset. */
function mappingAt(text: string, offset: number): YAMLMap | undefined {
  let found: YAMLMap | undefined;
  visit(parseYaml(text).document, {
    Pair(_, { key }, around) {
      const map = around.at(-1);
      if (isScalar(key) && key.range?.[0] === offset && isMap(map)) found = map;
    },
  });
  return found;
}
