import { descriptions, withoutCode } from './descriptions.js';

/**
 * Checks the Markdown of guides and descriptions: fences, code spans, emphasis and links are closed, table rows have as
 * many cells as their header, and there is no HTML, which the portal would show as text.
 */
export function MarkdownClosed() {
  const { visitor, texts } = descriptions();
  return {
    ...visitor,
    Root: {
      leave(_root, { report }) {
        for (const { text, locate } of texts)
          for (const { offset, message } of errorsIn(text)) report({ message, location: locate(offset) });
      },
    },
  };
}

function errorsIn(text) {
  const prose = withoutCode(text);
  // A remaining fence is not closed: everything after it would be shown as code.
  const fence = /^ {0,3}(?:`{3,}|~{3,})/m.exec(prose);
  if (fence)
    return [{ offset: fence.index, message: `The code block is not closed: add ${fence[0].trim()}.` }];
  const errors = [];
  for (const { 0: block, index } of prose.matchAll(/(?:^.*\S.*\n?)+/gm)) {
    const at = (offset, message) => errors.push({ offset: index + offset, message });
    const tick = block.indexOf('`');
    if (tick >= 0) at(tick, 'The code span is not closed: a backtick is missing.');
    for (const { 0: tag, index: offset } of block.matchAll(/<\/?[a-z][^\s>]*>?/gi)) {
      // `<https://…>` and `<a@b.example>` are links.
      if (/^<[a-z][a-z0-9+.-]*:|@/i.test(tag)) continue;
      at(
        offset,
        `\`${tag}\` is HTML, which the portal shows as text: use Markdown, or put it between backticks.`,
      );
    }
    const open = /\]\([^)\n]*$/m.exec(block);
    if (open) at(open.index, 'The link is not closed: `)` is missing.');
    for (const { text: part, offset } of isTable(block) ? cellsOf(block, at) : itemsOf(block)) {
      for (const mark of unclosed(part))
        at(offset + mark.offset, `The emphasis is not closed: \`${mark.text}\` is missing.`);
    }
  }
  return errors;
}

function isTable(block) {
  return /^ *\|?(?: *:?-+:? *\|)+ *(?::?-+:?)? *\|? *$/m.test(block);
}

/** The cells of a table. Reports each row whose number of cells differs from the header's. */
function cellsOf(block, report) {
  const cells = [];
  let width;
  for (const { 0: row, index } of block.matchAll(/^.*\S.*$/gm)) {
    const inner = row.replace(/\\\|/g, '  ').replace(/\|?\s*$/, '');
    const start = inner.search(/\S/) + (inner.trimStart().startsWith('|') ? 1 : 0);
    const parts = inner.slice(start).split('|');
    width ??= parts.length;
    if (parts.length !== width) report(index, `The row has ${parts.length} cells, the header ${width}.`);
    let offset = index + start;
    for (const part of parts) {
      cells.push({ text: part, offset });
      offset += part.length + 1;
    }
  }
  return cells;
}

/** The paragraphs of a block. A list item or a heading begins a new one. */
function itemsOf(block) {
  return [...block.matchAll(/^(?:.*\n?)(?:(?! *(?:[-*+]|\d+[.)]|#+|>) ).*\n?)*/gm)]
    .filter(([text]) => text !== '')
    .map(({ 0: text, index }) => ({
      text: text.replace(/^ *[-*+] /, (mark) => ' '.repeat(mark.length)),
      offset: index,
    }));
}

/** Emphasis marks that are not closed. Escaped marks and marks between spaces are text. */
function unclosed(text) {
  const open = [];
  const plain = text.replace(/\\./g, '  ').replace(/\]\([^)]*\)/g, (link) => ')'.repeat(link.length));
  for (const { 0: mark, index } of plain.matchAll(/\*{1,3}|~~|(?<!\w)_{1,2}(?=\S)|(?<=\S)_{1,2}(?!\w)/g)) {
    const opens = /\S/.test(plain[index + mark.length] ?? ' ');
    const closes = /\S/.test(plain[index - 1] ?? ' ');
    if (closes && open.at(-1)?.text === mark) open.pop();
    else if (opens) open.push({ text: mark, offset: index });
    else if (closes) open.push({ text: mark, offset: index });
  }
  return open;
}
