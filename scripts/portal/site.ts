import { readFile } from 'node:fs/promises';
import { type PortalLinks, portalLinks } from '../../server/contract/index.ts';
import { createIndex } from '../../server/src/pages/search-index.js';
import { applyOverlay, type Overlay } from '../contract/overlay.ts';
import { openRedocly, type Redocly } from '../contract/redocly/redocly.ts';
import type { Contract } from '../contract/source.ts';
import { collectAssets } from './assets.ts';
import { type ContractPages, contractPages } from './contract/contract-pages.ts';
import { sharedParts } from './contract/operation-parts.ts';
import { permissionsOverlay } from './contract/permissions.ts';
import { releaseHistory, withHistory } from './contract/release-history.ts';
import { changelogFeed } from './files/changelog-feed.ts';
import { crawlerFiles } from './files/crawlers.ts';
import { llmsFiles, standalone } from './files/llms.ts';
import { postmanCollection } from './files/postman.ts';
import { groupMarkdown, referenceOverview } from './files/reference-markdown.ts';
import { searchEntries } from './files/search-entries.ts';
import { clientTarball, mockTarball, statefulMockTarball } from './files/tarballs.ts';
import { type ChangelogEntry, changelog, changelogEntries, feedPath, foldLists } from './pages/changelog.ts';
import { clientText } from './pages/client.ts';
import { downloadsText, type PackagePaths } from './pages/downloads.ts';
import { markdownType, type Prose, prosePage } from './pages/guide-pages.ts';
import { homePage } from './pages/home.ts';
import { notFoundPath, type Site } from './pages/layout.ts';
import { redocPage } from './pages/redoc.ts';
import { referencePages } from './pages/reference-pages.ts';
import type { SiteFile } from './site-files.ts';

const generated = new URL('../../generated/', import.meta.url);
const frontends = new URL('pages/frontends.md', import.meta.url);
const clientReadme = () => readFile(new URL('../../client/README.md', import.meta.url), 'utf8');
const jsonType = 'application/json; charset=utf-8';

/** The body of a 404. */
const notFound: Prose = {
  path: notFoundPath,
  scripts: ['not-found.js'],
  title: 'Page not found',
  markdown:
    'It may have moved. Search for it, or start with the [introduction](/docs) or the [reference](/docs/reference).',
};

export interface SiteSources {
  contract: Contract;
  /** The code samples, as an overlay. Default: the portal shows none. */
  samples?: Overlay | undefined;
  /** The packed client of this contract. Default: the portal offers none. */
  client?: SiteFile | undefined;
  /** The packed mock of this contract. Default: the portal offers none. */
  mock?: SiteFile | undefined;
  /** Its stateful mode, which the packed mock installs from beside it. */
  statefulMock?: SiteFile | undefined;
  /** Default: one of its own. */
  redocly?: Redocly | undefined;
}

/** The contract and the samples in generated/. */
export async function generatedSources(): Promise<SiteSources> {
  const contract = JSON.parse(await readFile(new URL('openapi.json', generated), 'utf8'));
  const samples = await readFile(new URL('samples.overlay.json', generated), 'utf8').catch(() => undefined);
  return { contract, samples: samples === undefined ? undefined : JSON.parse(samples) };
}

async function allSources(): Promise<SiteSources> {
  const [sources, client, mock, statefulMock] = await Promise.all([
    ...([generatedSources(), clientTarball(), mockTarball(), statefulMockTarball()] as const),
  ]);
  return { ...sources, client, mock, statefulMock };
}

/** All files of the portal. @param sources default: generated/, and the client and the mock packed from it */
export async function siteFiles(sources?: SiteSources): Promise<SiteFile[]> {
  using own = openRedocly(new URL('../../', import.meta.url));
  const { contract, samples, client, mock, statefulMock, redocly = own } = sources ?? (await allSources());
  const sampled = samples ? applyOverlay(contract, samples) : contract;
  const described = applyOverlay(sampled, permissionsOverlay(sampled));
  const releases = await releaseHistory(contract, redocly);
  const entries = changelogEntries(releases, contract);
  const pages = withHistory(contractPages(sampled), releases);
  const links = portalLinks(contract);
  const texts = await prosePages(contract, pages, { client: client?.path, mock: mock?.path }, entries);
  const lay = (site: Site) => [homePage(site, links), ...texts.map((text) => prosePage(site, links, text))];
  // The search index needs the sections of the pages, and the URLs of the assets need the index: pages are laid out twice.
  const index = createIndex(searchEntries(sampled, pages, lay({ pages, asset: (name) => name })));
  const [redocAt, collection, assets] = await Promise.all([
    redocPage(described, links, redocly),
    postmanCollection(contract),
    collectAssets({ 'search-index.json': JSON.stringify(index) }),
  ]);
  const site: Site = { pages, asset: assets.address };
  const prose = lay(site);
  const redoc = redocAt(site);
  const markdown = [...prose.map((page) => page.markdown), ...referenceTexts(sampled, pages, links)].map(
    standalone,
  );
  const pagesToFind = [...prose.map(({ page }) => page), ...referencePages(site, sampled, links), redoc.page];
  return [
    ...pagesToFind,
    prosePage(site, links, notFound).page,
    ...markdown,
    changelogFeed(pages.title, entries, links),
    ...crawlerFiles(pagesToFind),
    ...llmsFiles(pages, markdown),
    { path: '/docs/postman-collection.json', type: jsonType, body: JSON.stringify(collection) },
    ...[client, mock, statefulMock].filter((file) => file !== undefined),
    ...[assets, ...redoc.assets].flatMap(({ files }) => files),
  ];
}

async function prosePages(
  contract: Contract,
  { guides, version }: ContractPages,
  packages: PackagePaths,
  entries: ChangelogEntry[],
): Promise<Prose[]> {
  return [
    ...guides.map(({ name, title, description }) => ({
      path: `/docs/${name}`,
      title,
      markdown: description,
    })),
    {
      path: '/docs/changelog',
      title: 'Changelog',
      markdown: changelog(entries),
      arrange: foldLists,
      contentsLevel: 2,
      feed: feedPath,
    },
    {
      path: '/docs/client',
      title: 'TypeScript client',
      markdown: clientText(contract, await clientReadme()),
    },
    {
      path: '/docs/frontends',
      title: 'Frontends in the browser',
      markdown: await readFile(frontends, 'utf8'),
    },
    { path: '/docs/downloads', title: 'Downloads', markdown: downloadsText(version, packages) },
  ];
}

function referenceTexts(contract: Contract, pages: ContractPages, links: PortalLinks): SiteFile[] {
  const file = (path: string, body: string) => ({ path, type: markdownType, body });
  const shared = sharedParts(contract, pages);
  return [
    file('/docs/reference.md', referenceOverview(contract, pages, shared)),
    // A page that is a program: what a reader who cannot run it uses instead.
    file(
      '/docs/redoc.md',
      '# The contract in Redoc\n\nThis page shows the whole contract. As text, it is the [reference](/docs/reference.md), and [OpenAPI 3.1](/openapi.yaml).\n',
    ),
    ...pages.groups.map((group) =>
      file(`/docs/reference/${group.name}.md`, groupMarkdown(contract, group, links, shared)),
    ),
  ];
}
