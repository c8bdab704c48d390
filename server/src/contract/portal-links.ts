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

const inner = /^#\/([^/#]*)(?:\/([^#]*))?(#.*)?$/;

/** @param guides names of the guides; all other tags are in the reference */
export function portalLinks(guides: Iterable<string>): PortalLinks {
  const isGuide = new Set(guides);

  function toPage(href: string): string {
    const [whole, page = '', , fragment = ''] = inner.exec(href) ?? [];
    if (whole === undefined) return href;
    if (page === '') return '/docs';
    return isGuide.has(page) ? `/docs/${page}${fragment}` : `/docs/reference${whole}`;
  }

  function toMarkdown(href: string): string {
    const [whole, page = '', operation] = inner.exec(href) ?? [];
    if (whole === undefined) return href;
    if (page === '') return '/docs/index.md';
    if (isGuide.has(page)) return `/docs/${page}.md`;
    return `/docs/reference/${page}.md${operation ? `#${operation}` : ''}`;
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
  const { 'x-tagGroups': tagGroups = [] } = contract as {
    'x-tagGroups'?: { name: string; tags: string[] }[];
  };
  const links = portalLinks(tagGroups.find(({ name }) => name === guideGroup)?.tags ?? []);
  return links.inText(text, links.toPage).replaceAll(/\]\(\/(?!\/)/g, () => `](${base}/`);
}

/** The anchor of an operation in the reference. */
export function operationPage(tag: string, operationId: string): string {
  return `/docs/reference#/${tag}/${operationId.toLowerCase()}`;
}
