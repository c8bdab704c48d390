/** Resolves links of the contract, such as `#/errors` and `#/users/reinstateuser`, to pages of the portal. */
export interface PortalLinks {
  /** On a page. */
  toPage(href: string): string;
  /** In a page's Markdown. */
  toMarkdown(href: string): string;
  /** In all links of a text. */
  inText(markdown: string, to: (href: string) => string): string;
}

/** The tag group of guides. All other groups contain operations or events. */
export const guideGroup = 'Guides';

interface LinkedContract {
  'x-tagGroups'?: { name: string; tags: string[] }[];
  paths?: Record<string, Record<string, { operationId?: string }>>;
  webhooks?: LinkedContract['paths'];
}

/** A tag, an operation of it in lower case, and a fragment of a guide. */
const inner = /^#\/([^/#]*)(?:\/([^#]*))?(#.*)?$/;

/** @param contract with its tags and operations, whose links are resolved */
export function portalLinks(contract: object): PortalLinks {
  const { 'x-tagGroups': tagGroups = [], paths = {}, webhooks = {} } = contract as LinkedContract;
  const guides = new Set(tagGroups.find(({ name }) => name === guideGroup)?.tags);
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(Object.values);
  const operationIds = new Map(
    operations.flatMap(({ operationId: id }) => (id === undefined ? [] : [[id.toLowerCase(), id]])),
  );

  function toPage(href: string): string {
    const [whole, page = '', operation = '', fragment = ''] = inner.exec(href) ?? [];
    if (whole === undefined) return href;
    if (page === '') return '/docs';
    if (guides.has(page)) return `/docs/${page}${fragment}`;
    return operation ? operationPage(page, operationIds.get(operation) ?? operation) : groupPage(page);
  }

  function toMarkdown(href: string): string {
    const [whole, page = ''] = inner.exec(href) ?? [];
    if (whole === undefined) return href;
    if (page === '') return '/docs/index.md';
    if (guides.has(page)) return `/docs/${page}.md`;
    return toPage(href).replace(/(?=#|$)/, '.md');
  }

  return {
    toPage,
    toMarkdown,
    inText: (markdown, to) =>
      markdown.replaceAll(/\]\((#\/[^()\s]*)\)/g, (_, href: string) => `](${to(href)})`),
  };
}

/**
 * Makes the links of the contract absolute, so that they work wherever the document is read.
 *
 * @param text the contract, or text made from it
 * @param base the URL of the portal, without a trailing slash
 */
export function absoluteLinks(text: string, contract: object, base: string): string {
  const links = portalLinks(contract);
  return links.inText(text, links.toPage).replaceAll(/\]\(\/(?!\/)/g, () => `](${base}/`);
}

/** The page of a resource in the reference. */
export function groupPage(tag: string): string {
  return `/docs/reference/${tag}`;
}

/** The anchor of an operation in the reference. */
export function operationPage(tag: string, operationId: string): string {
  return `${groupPage(tag)}#${operationId}`;
}
