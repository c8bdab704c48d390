/** Where the contract's own links, such as `#/errors` and `#/users/reinstateuser`, lead in the portal. */
export interface PortalLinks {
  /** On a page. */
  toPage(href: string): string;
  /** In a page's Markdown. */
  toMarkdown(href: string): string;
  /** In all links of a text. */
  inText(markdown: string, to: (href: string) => string): string;
}

/** The tag group whose tags are guides: pages of prose. Every other group is of operations or events. */
export const guideGroup = 'Guides';

const inner = /^#\/([^/#]*)(?:\/([^#]*))?(#.*)?$/;

/** @param guides the names of the guides; everything else is in the reference */
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
 * The texts of a contract with links that lead to the portal from wherever they are read.
 *
 * @param text the contract, or what was made of it
 * @param base where the portal is, without a slash at the end
 */
export function absoluteLinks(text: string, contract: object, base: string): string {
  const { 'x-tagGroups': tagGroups = [] } = contract as {
    'x-tagGroups'?: { name: string; tags: string[] }[];
  };
  const links = portalLinks(tagGroups.find(({ name }) => name === guideGroup)?.tags ?? []);
  return links.inText(text, links.toPage).replaceAll(/\]\(\/(?!\/)/g, () => `](${base}/`);
}

/** Where an operation stands in the reference. */
export function operationPage(tag: string, operationId: string): string {
  return `/docs/reference#/${tag}/${operationId.toLowerCase()}`;
}
