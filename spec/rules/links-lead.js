import { suggestion } from './nearest.js';

const links = /\]\(#\/([^/#)\s]*)(?:\/([^#)\s]*))?(?:#[^)\s]*)?\)/g;

/**
 * A link inside the portal leads somewhere: `#/errors` to a tag, which may be a guide, and `#/users/reinstateuser`
 * to an operation of the tag, by its operationId in lower case.
 */
export function LinksLead() {
  const pages = new Map();
  const texts = [];
  const collect = (node, { resolve, location }) => {
    const raw = node.description;
    const { node: text, location: at } = raw?.$ref ? resolve(raw) : { node: raw };
    if (typeof text === 'string') texts.push({ text, at: at ?? location.child(['description']), own: !at });
  };
  return {
    Root: {
      enter(root) {
        for (const { name } of root.tags ?? []) pages.set(name, new Set());
      },
      leave(_root, { report }) {
        for (const { text, at, own } of texts) {
          for (const { 0: whole, 1: page, 2: anchor, index } of text.matchAll(links)) {
            const fault = faultOf(page, anchor, pages);
            const message = `\`${whole.slice(2, -1)}\` leads nowhere: ${fault}`;
            if (fault) report({ message, location: own ? at : placeIn(text, index, at.source) });
          }
        }
      },
    },
    Info: collect,
    Tag: collect,
    Operation(operation, context) {
      for (const tag of operation.tags ?? [])
        pages.get(tag)?.add(String(operation.operationId).toLowerCase());
      collect(operation, context);
    },
    Parameter: collect,
    Response: collect,
    Schema: collect,
  };
}

function faultOf(page, anchor, pages) {
  if (page === '') return undefined;
  const operations = pages.get(page);
  if (!operations) return `there is no tag \`${page}\`.${suggestion(page, pages.keys())}`;
  if (!anchor || operations.has(anchor.split('/').at(-1))) return undefined;
  return `\`${page}\` has no operation \`${anchor}\`.${suggestion(anchor, operations)}`;
}

/** A guide is a file of its own, so an offset in it is a line and a column. */
function placeIn(text, offset, source) {
  const lines = text.slice(0, offset).split('\n');
  // Without a pointer Redocly takes the line and the column as they are.
  return { source, pointer: undefined, start: { line: lines.length, col: lines.at(-1).length + 1 } };
}
