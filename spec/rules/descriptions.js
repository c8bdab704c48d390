/**
 * Collects every Markdown text: the descriptions of the document, its tags (the guides), operations, parameters,
 * responses and schemas.
 *
 * @returns `visitor`, to spread into the rule's visitor, and `texts`, complete when `Root` is left
 */
export function descriptions() {
  const texts = [];
  const collect = (node, { resolve, location }) => {
    const raw = node.description;
    const { node: text, location: at } = raw?.$ref ? resolve(raw) : { node: raw };
    if (typeof text !== 'string') return;
    /** The location of an offset: in a guide, which is a separate file, its line and column. */
    const locate = (offset) => (at ? placeIn(text, offset, at.source) : location.child(['description']));
    texts.push({ text, locate });
  };
  const visitor = {
    Info: collect,
    Tag: collect,
    Operation: collect,
    Parameter: collect,
    Response: collect,
    Schema: collect,
  };
  return { visitor, texts };
}

function placeIn(text, offset, source) {
  const lines = text.slice(0, offset).split('\n');
  // Without a pointer, Redocly uses the line and the column as they are.
  return { source, pointer: undefined, start: { line: lines.length, col: lines.at(-1).length + 1 } };
}

const fenced = /^( {0,3})(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)??\1?[ ]{0,3}\2[`~]*[ ]*$/gm;
const inline = /(?<!`)(`+)(?!`)((?:(?!\n\s*\n)[\s\S])*?[^`])\1(?!`)/g;

/** The text with its code blocks and code spans blanked out: offsets and lines stay the same. */
export function withoutCode(text) {
  const blank = (code) => code.replaceAll(/[^\n]/g, ' ');
  return text.replaceAll(fenced, blank).replaceAll(inline, blank);
}
