/**
 * The blocks of a Markdown text, as far as the guides use them: headings, paragraphs, lists, tables, fenced code
 * and quotes, in the form that CommonMark and GitHub give them. Raw HTML is text like any other.
 */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; language: string; code: string }
  | { kind: 'list'; ordered: boolean; items: Block[][] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'quote'; blocks: Block[] };

const fence = /^(`{3,}|~{3,})\s*(\S*)/;
const heading = /^(#{1,6})\s+(.+?)(?:\s+#+)?\s*$/;
const bullet = /^([-*+]|\d{1,9}[.)])\s+/;
const tableRule = /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/;
const quoted = /^>\s?/;

/** @throws where a fence is not closed: everything after it would be shown as code. */
export function parseBlocks(markdown: string): Block[] {
  return blocksOf(markdown.replaceAll('\r\n', '\n').split('\n'));
}

function blocksOf(lines: string[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1;
      continue;
    }
    const [block, next] = blockAt(lines, at);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines: string[], at: number): [Block, number] {
  const line = lines[at] ?? '';
  const title = heading.exec(line);
  if (title) return [{ kind: 'heading', level: title[1]?.length ?? 1, text: title[2] ?? '' }, at + 1];
  if (fence.test(line)) return fencedCode(lines, at);
  if (bullet.test(line)) return list(lines, at);
  if (quoted.test(line)) return quote(lines, at);
  if (isTable(lines, at)) return table(lines, at);
  return paragraph(lines, at);
}

function fencedCode(lines: string[], at: number): [Block, number] {
  const [, marks = '```', language = ''] = fence.exec(lines[at] ?? '') ?? [];
  const end = lines.findIndex((line, index) => index > at && line.trimEnd() === marks);
  if (end < 0) throw new Error(`The fence of line ${at + 1} is not closed.`);
  return [{ kind: 'code', language, code: lines.slice(at + 1, end).join('\n') }, end + 1];
}

/** An item goes on as long as lines are indented to its text, blank ones included. */
function list(lines: string[], at: number): [Block, number] {
  const ordered = /^\d/.test(lines[at] ?? '');
  const items: Block[][] = [];
  let next = at;
  while (next < lines.length) {
    const marker = bullet.exec(lines[next] ?? '');
    if (!marker || /^\d/.test(marker[0]) !== ordered) break;
    const indent = marker[0].length;
    const item = [(lines[next] ?? '').slice(indent)];
    next += 1;
    while (next < lines.length && belongs(lines, next, indent)) {
      item.push((lines[next] ?? '').slice(indent));
      next += 1;
    }
    items.push(blocksOf(item));
    while (isBlank(lines[next]) && bullet.test(lines[next + 1] ?? '')) next += 1;
  }
  return [{ kind: 'list', ordered, items }, next];
}

function belongs(lines: string[], at: number, indent: number): boolean {
  const line = lines[at] ?? '';
  if (isBlank(line)) return indentOf(lines[at + 1] ?? '') >= indent && !isBlank(lines[at + 1]);
  return indentOf(line) >= indent;
}

function quote(lines: string[], at: number): [Block, number] {
  let next = at;
  while (quoted.test(lines[next] ?? '')) next += 1;
  const inner = lines.slice(at, next).map((line) => line.replace(quoted, ''));
  return [{ kind: 'quote', blocks: blocksOf(inner) }, next];
}

function isTable(lines: string[], at: number): boolean {
  return (lines[at] ?? '').startsWith('|') && tableRule.test((lines[at + 1] ?? '').trim());
}

function table(lines: string[], at: number): [Block, number] {
  const head = cells(lines[at] ?? '');
  const rows: string[][] = [];
  let next = at + 2;
  while ((lines[next] ?? '').startsWith('|')) {
    const row = cells(lines[next] ?? '');
    rows.push(head.map((_, column) => row[column] ?? ''));
    next += 1;
  }
  return [{ kind: 'table', head, rows }, next];
}

function cells(row: string): string[] {
  const inner = row.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function paragraph(lines: string[], at: number): [Block, number] {
  let next = at + 1;
  while (next < lines.length && !isBlank(lines[next]) && !interrupts(lines, next)) next += 1;
  const text = lines.slice(at, next).map((line) => line.trim());
  return [{ kind: 'paragraph', text: text.join('\n') }, next];
}

function interrupts(lines: string[], at: number): boolean {
  const line = lines[at] ?? '';
  return [heading, fence, bullet, quoted].some((start) => start.test(line)) || isTable(lines, at);
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && line.trim() === '';
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
