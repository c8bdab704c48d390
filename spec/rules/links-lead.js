import { descriptions, withoutCode } from './descriptions.js';
import { suggestion } from './nearest.js';

const links = /\]\(\s*<?([^)\s>]*)|^ {0,3}\[[^\]\n]+\]:\s*(\S+)/gm;
const insidePortal = /^#\/([^/#]*)(?:\/([^#]*))?/;

/**
 * Every link has a target. `#/errors` is a tag, which may be a guide; `#/users/reinstateuser` is an operation of the tag,
 * by its operationId in lower case. A path must be a page of the portal. A relative path has no target, because the
 * guides are not served as files.
 *
 * Option `pages`: the pages of the portal that are neither a tag nor an operation, by their path.
 */
export function LinksLead({ pages: portalPages = [] }) {
  const tags = new Map();
  const { visitor, texts } = descriptions();
  return {
    ...visitor,
    Root: {
      enter(root) {
        for (const { name } of root.tags ?? []) tags.set(name, new Set());
      },
      leave(_root, { report }) {
        for (const { text, locate } of texts) {
          for (const { 0: whole, 1: inlineTarget, 2: definition, index } of withoutCode(text).matchAll(
            links,
          )) {
            const target = inlineTarget ?? definition;
            const error = errorOf(target, tags, portalPages);
            const location = locate(index + (inlineTarget === undefined ? whole.indexOf(definition) : 0));
            if (error) report({ message: `\`${target}\` leads nowhere: ${error}`, location });
          }
        }
      },
    },
    Operation(operation, context) {
      for (const tag of operation.tags ?? []) tags.get(tag)?.add(String(operation.operationId).toLowerCase());
      visitor.Operation(operation, context);
    },
  };
}

function errorOf(target, tags, portalPages) {
  if (/^(?:[a-z][a-z0-9+.-]*:|#(?!\/))/i.test(target)) return undefined;
  if (target.startsWith('/')) {
    const page = target.replace(/[#?].*/, '');
    if (portalPages.includes(page)) return undefined;
    return `the portal has no page \`${page}\`.${suggestion(page, portalPages)}`;
  }
  const [, page, anchor] = insidePortal.exec(target) ?? [];
  if (page === '') return undefined;
  if (page === undefined) {
    const name = target.replace(/^(?:\.{0,2}\/)*|\.md(?:#.*)?$/g, '');
    return `a relative link has no target in the portal.${suggestion(name, tags.keys()).replace(/`(.+)`/, '`#/$1`')}`;
  }
  const operations = tags.get(page);
  if (!operations) return `there is no tag \`${page}\`.${suggestion(page, tags.keys())}`;
  if (!anchor || operations.has(anchor.split('/').at(-1))) return undefined;
  return `\`${page}\` has no operation \`${anchor}\`.${suggestion(anchor, operations)}`;
}
