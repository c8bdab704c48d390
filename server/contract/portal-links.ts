/** Resolves links of the contract, such as `#/errors` and `#/users/reinstateuser`, to pages of the portal. */
export interface PortalLinks {
  /** On a page. */
  toPage(href: string): string;
  /** In a page's Markdown. */
  toMarkdown(href: string): string;
  /** In all links of a text. */
  inText(markdown: string, to: (href: string) => string): string;
}

export interface TagGroup {
  name: string;
  tags: string[];
}

interface LinkedContract {
  'x-tagGroups'?: TagGroup[];
  paths?: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
  webhooks?: LinkedContract['paths'];
}

const operationsOf = ({ paths = {}, webhooks = {} }: LinkedContract) =>
  [...Object.values(paths), ...Object.values(webhooks)].flatMap((item) => Object.values(item));

/** The tag groups whose tags are guides: none of them has an operation or event. */
export function guideGroups(contract: object): TagGroup[] {
  const { 'x-tagGroups': groups = [] } = contract as LinkedContract;
  const used = new Set(operationsOf(contract).flatMap(({ tags = [] }) => tags));
  return groups.filter(({ tags }) => !tags.some((tag) => used.has(tag)));
}

/** A tag, an operation of it in lower case, and a fragment of a guide. */
const inner = /^#\/([^/#]*)(?:\/([^#]*))?(#.*)?$/;

/** @param contract with its tags and operations, whose links are resolved */
export function portalLinks(contract: object): PortalLinks {
  const guides = new Set(guideGroups(contract).flatMap(({ tags }) => tags));
  const operationIds = new Map(
    operationsOf(contract).flatMap(({ operationId: id }) =>
      id === undefined ? [] : [[id.toLowerCase(), id]],
    ),
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
