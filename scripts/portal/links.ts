/** Where the contract's own links, such as `#/errors` and `#/users/reinstateuser`, lead in the portal. */
export interface PortalLinks {
  /** On a page. */
  toPage(href: string): string;
  /** In a page's Markdown. */
  toMarkdown(href: string): string;
  /** In all links of a text. */
  inText(markdown: string, to: (href: string) => string): string;
}

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
    const [whole, page = ''] = inner.exec(href) ?? [];
    if (whole === undefined) return href;
    if (page === '') return '/docs/index.md';
    return isGuide.has(page) ? `/docs/${page}.md` : `/docs/reference/${page}.md`;
  }

  return {
    toPage,
    toMarkdown,
    inText: (markdown, to) =>
      markdown.replaceAll(/\]\((#\/[^)\s]*)\)/g, (_, href: string) => `](${to(href)})`),
  };
}

/** Where an operation stands in the reference. */
export function operationPage(tag: string, operationId: string): string {
  return `/docs/reference#/${tag}/${operationId.toLowerCase()}`;
}
