import { groupPage, operationPage, type PortalLinks } from '../../../server/contract/index.ts';
import { type Html, html, trusted } from '../../../server/src/domain/html.ts';
import type { Contract } from '../../contract/source.ts';
import {
  type DescribedRoute,
  namedServers,
  permissionOf,
  type RouteHistory,
} from '../contract/contract-pages.ts';
import {
  type Body,
  type Header,
  type OperationParts,
  ownParts,
  type SharedParts,
  sharedParts,
} from '../contract/operation-parts.ts';
import type { Direction, Field } from '../contract/schema-fields.ts';
import { languageOf } from '../files/reference-markdown.ts';
import { breakable, markdownWith } from '../markdown/marked.ts';
import { codeFrame, renderMarkdown } from '../markdown/render.ts';
import type { SiteFile } from '../site-files.ts';
import { openingOf } from './guide-pages.ts';
import { onThisPage, pageMenu, pageOf, partOf, type Site, sidebar } from './layout.ts';
import { portalPolicy } from './policy.ts';
import { callable, tryItForm, tryItLink } from './try-it.ts';

const overviewPath = '/docs/reference';
const everyEventId = 'every-event';

/** `/docs/reference`, and a page for each resource: all operations and events, readable without scripts. */
export function referencePages(site: Site, contract: Contract, links: PortalLinks): SiteFile[] {
  const shared = sharedParts(contract, site.pages);
  const show = renderer(contract, links, shared);
  return [
    overviewPage(site, contract, shared, show),
    ...site.pages.groups.map((group) =>
      layOut(site, {
        path: groupPage(group.name),
        title: group.title,
        description: openingOf(group.description),
        content: html`<div class="resource"><p class="lead">${show.inline(group.description)}</p>
${endpoints(group.routes.filter(({ isEvent }) => !isEvent))}</div>
${onThisPage(group.routes.map(({ operation: { operationId, summary } }) => ({ id: operationId, title: summary })))}
${group.routes.map((route, index) => [
  route.isEvent && !group.routes[index - 1]?.isEvent && show.everyEvent(),
  show.route(route),
])}`,
      }),
    ),
  ];
}

function layOut(
  site: Site,
  { path, title, description, content }: { path: string; title: string; description: string; content: Html },
): SiteFile {
  const markdownPath = `${path}.md`;
  const isOverview = path === overviewPath;
  const body = pageOf(site, {
    path,
    title: isOverview ? title : `${title} reference`,
    description,
    markdownPath,
    styles: ['prose.css', 'reference.css', 'search.css'],
    scripts: ['samples.js', isOverview ? 'moved.js' : 'try-it.js'],
    body: html`<div class="prose-layout reference">
<aside class="side" aria-label="All pages">${sidebar(site.pages, path)}</aside>
<main id="content" tabindex="-1">
<article class="prose">
${!isOverview && partOf(html`<a href="${overviewPath}">Reference</a>`)}
<div class="title"><h1>${title}</h1>${pageMenu(markdownPath)}</div>
${content}
</article>
</main>
</div>`,
  });
  return {
    path,
    type: 'text/html; charset=utf-8',
    body,
    policy: portalPolicy(isOverview ? {} : { calls: callable }),
  };
}

type Renderer = ReturnType<typeof renderer>;

function overviewPage(site: Site, contract: Contract, shared: SharedParts, show: Renderer): SiteFile {
  const { title, groups } = site.pages;
  const routes = groups.flatMap((group) => group.routes);
  const events = routes.filter(({ isEvent }) => isEvent).length;
  const resources = groups.map(
    ({
      name,
      title: resource,
      description,
      routes: all,
    }) => html`<h2 id="${name}"><a href="${groupPage(name)}">${resource}</a></h2>
<p>${show.inline(description)}</p>
<ul class="operations">${all.map(overviewEntry)}</ul>`,
  );
  return layOut(site, {
    path: overviewPath,
    title: 'Reference',
    description: `All operations and events of the ${title}.`,
    content: html`<p class="lead">${routes.length - events} operations and ${events} events.</p>
<p data-markdown-ignore>New here? Start with <a href="/docs/quick-start">Quick start</a>: it also sets <a href="/docs/quick-start#variables-in-the-samples">the variables of the samples</a>. <a href="/docs/errors">Errors</a> explains every error code. The whole contract: <a href="/docs/redoc">in Redoc</a>, as <a href="/openapi.yaml">YAML</a> or <a href="/openapi.json">JSON</a>, or in <a href="/docs/downloads">other forms</a>.</p>
<dl class="servers">${namedServers(contract).map(({ url, description = '' }) => html`<div><dt>${show.inline(description)}</dt><dd><code>${url}</code></dd></div>`)}</dl>
${resources}
<h2 id="response-headers">Response headers</h2>
<p>Most responses have these headers. Each operation lists the others that it returns.</p>
<dl class="fields">${shared.headers.map(show.header)}</dl>`,
  });
}

function overviewEntry({ operation, method, path, isEvent }: DescribedRoute): Html {
  const { tags, operationId, summary } = operation;
  return html`<li><a href="${operationPage(tags[0] ?? '', operationId)}">${summary}</a>
<span class="endpoint">${isEvent ? html`<code>${path}</code>` : endpoint(method, path)}</span>
${!isEvent && html`<span class="permission">${permissionText(operation)}</span>`}</li>`;
}

/** The operations of a page by method and path, beside its opening. Narrower screens list them in the navigation, or under "On this page". */
function endpoints(routes: DescribedRoute[]): Html {
  if (routes.length < 2) return html``;
  const links = routes.map(
    ({ operation, method, path }) =>
      html`<li><a href="#${operation.operationId}">${endpoint(method, path)}</a></li>`,
  );
  return html`<nav class="endpoints" aria-label="Endpoints" data-markdown-ignore><p class="part">Endpoints</p><ul>${links}</ul></nav>`;
}

function endpoint(method: string, path: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code>`;
}

function permissionText(operation: DescribedRoute['operation']): Html {
  const permission = permissionOf(operation);
  if (permission === 'public') return html`No token needed`;
  if (permission.length === 0) return html`Any valid token`;
  return html`${permission.map((one, index) => html`${index > 0 && ', '}<code>${breakable(one)}</code>`)}`;
}

const depthOf = ({ path }: Field) => path.split('.').length - 1;

/** Renders the parts of operations, with links of the contract resolved. */
function renderer(contract: Contract, links: PortalLinks, shared: SharedParts) {
  const inlineMarkdown = markdownWith({
    link({ href, tokens }) {
      return html`<a href="${links.toPage(href)}">${trusted(this.parser.parseInline(tokens))}</a>`.markup;
    },
  });
  const inline = (text: string) => trusted(inlineMarkdown.parseInline(text, { async: false }));
  const prose = (text: string) => renderMarkdown(text, { title: '', linkTo: links.toPage }).body;

  function route(described: DescribedRoute): Html {
    const { operation, method, path, isEvent, history } = described;
    const { operationId, summary, description, tags, deprecated } = operation;
    const direction = isEvent ? 'received' : 'sent';
    const parts = ownParts(contract, described, shared);
    return html`<section class="operation" aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary}<a class="anchor" data-markdown-ignore href="#${operationId}" aria-label="Link to ${summary}">#</a></h2>
<p class="endpoint">${isEvent ? html`<span class="method event">Event</span> <code>${path}</code>` : endpoint(method, path)} <a class="redoc" data-markdown-ignore href="/docs/redoc#/${tags[0]}/${operationId.toLowerCase()}" aria-label="In Redoc: ${summary}">In Redoc</a></p>
<div class="columns">
<div class="summary">
${deprecated && html`<p><strong>Deprecated.</strong></p>`}
${prose(description)}
${(history?.added || history?.changed) && versions(history)}
${!isEvent && html`<p class="facts"><span><a href="/docs/authentication">Permission</a>: ${permissionText(operation)}</span> ${tryItLink(groupPage(tags[0] ?? ''), operationId)}</p>`}
</div>
<div class="samples">
${!isEvent && tryItForm(contract, described, parts.bodies)}
${samples(described, parts)}
</div>
<div class="details">
${parameters(parts.parameters, direction)}
${parts.bodies.map((body) => bodyFields(body, direction))}
${isEvent && shared.fields.length > 0 && html`<p data-markdown-ignore>And the headers and fields of <a href="#${everyEventId}">every event</a>.</p>`}
${responses(parts, isEvent)}
</div>
</div>
</section>`;
  }

  /** When an operation came; what a later release changed is folded. */
  function versions({ added, changed }: RouteHistory): Html {
    return html`<div class="versions">${added && html`<p class="history">${inline(added)}</p>`}
${changed && html`<details class="history"><summary data-markdown-ignore>${changed.heading}</summary><p>${inline(changed.text)}</p></details>`}</div>`;
  }

  /** What all events have, listed once. */
  function everyEvent(): Html {
    return html`<section class="operation shared" aria-labelledby="${everyEventId}">
<h2 id="${everyEventId}">Every event<a class="anchor" data-markdown-ignore href="#${everyEventId}" aria-label="Link to Every event">#</a></h2>
<p>Every event has these headers and fields. Each event lists the others that it has.</p>
${parameters(shared.parameters, 'received')}
<h3>Body</h3>
${fieldList(shared.fields, 'received')}
</section>`;
  }

  function parameters(described: OperationParts['parameters'], direction: Direction): Html {
    if (described.length === 0) return html``;
    return html`<h3>${direction === 'received' ? 'Headers' : 'Parameters'}</h3>
<dl class="fields">${described.map((one) => field(one, direction, { place: one.in }))}</dl>`;
  }

  /** What is nested deeper than one level is folded. Browsers open it where they find text. */
  function fieldList(fields: Field[], direction: Direction): Html {
    const shown: { one: Field; nested: Field[] }[] = [];
    for (const one of fields) {
      const holder = depthOf(one) > 1 && shown.at(-1);
      if (holder) holder.nested.push(one);
      else shown.push({ one, nested: [] });
    }
    return html`<dl class="fields">${shown.map(({ one, nested }) => field(one, direction, { nested }))}</dl>`;
  }

  /** What is sent is marked if it is required, what is received if it can be missing. */
  function field(
    one: Field,
    direction: Direction,
    { place = '', nested = [] }: { place?: string; nested?: Field[] } = {},
  ): Html {
    const { path, type, required, description } = one;
    const at = path.lastIndexOf('.') + 1;
    return html`<div class="depth-${Math.min(3, depthOf(one))}"><dt><code>${at > 0 && html`<span class="within">${path.slice(0, at)}</span>`}${path.slice(at)}</code>
<span class="type">${place && `${place}, `}${inline(type)}</span>${required && direction === 'sent' && html` <span class="required">required</span>`}${!required && direction === 'received' && html` <span class="type">optional</span>`}</dt>
${description && html`<dd>${inline(description)}</dd>`}
${nested.length > 0 && html`<dd><details><summary data-markdown-ignore>${nested.length} nested fields</summary><dl class="fields">${nested.map((inner) => field(inner, direction))}</dl></details></dd>`}</div>`;
  }

  function bodyFields({ mediaType, fields }: Body, direction: Direction): Html {
    if (fields.length === 0) return html``;
    return html`<h3>${direction === 'received' ? 'Body' : 'Request body'} <span class="media">${mediaType}</span></h3>
${fieldList(fields, direction)}`;
  }

  function responses({ responses: others, errors, headers }: OperationParts, isEvent: boolean): Html {
    return html`${others.map(
      ({
        status,
        description,
        bodies,
      }) => html`<h3>${isEvent ? 'Your response' : 'Response'} <span class="status">${status}</span></h3>
<p>${inline(description)}</p>
${bodies.map(
  ({ mediaType, fields }) => html`
${(bodies.length > 1 || fields.length === 0) && html`<p class="media">${mediaType === '*/*' ? 'Any media type' : mediaType}</p>`}
${fields.length > 0 && fieldList(fields, 'received')}`,
)}`,
    )}
${
  errors.length > 0 &&
  html`<h3>Errors</h3>
<dl class="errors">${errors.map(
    ({ status, codes }) =>
      html`<div><dt class="status">${status}</dt>${codes.map(
        ({ code, meaning }) =>
          html`<dd><a href="/docs/errors#${code}"><code>${code}</code></a> ${Number(status) < 500 && inline(meaning)}</dd>`,
      )}</div>`,
  )}</dl>`
}
${
  !isEvent &&
  html`<h3>Response headers</h3>
${headers.length > 0 && html`<dl class="fields">${headers.map(header)}</dl>`}
<p data-markdown-ignore>${headers.length > 0 ? 'And' : 'The'} <a href="${overviewPath}#response-headers">common headers</a>.</p>`
}`;
  }

  function header({ name, description, statuses }: Header): Html {
    return html`<div><dt><code>${name}</code>${statuses.length < 4 && html` <span class="type">${statuses.join(', ')}</span>`}</dt><dd>${inline(description)}</dd></div>`;
  }

  return { route, everyEvent, inline, header };
}

function samples({ operation, isEvent }: DescribedRoute, { bodies, responses }: OperationParts): Html {
  const id = operation.operationId;
  const code = (operation['x-codeSamples'] ?? []).map(({ lang, label = lang, source }) => ({
    name: label,
    language: languageOf(lang),
    text: source.trim(),
  }));
  const json = ({ examples }: Body) =>
    examples.map(({ name, text, isJson }) => ({ name, language: isJson ? 'json' : '', text }));
  // The Markdown of a page has all samples, but only the first example.
  return html`${codeFrame('Sample', code, { name: `${id}-sample` })}
${codeFrame(isEvent ? 'Example' : 'Example body', bodies.flatMap(json), { name: `${id}-body`, inMarkdown: 1 })}
${responses.map(({ status, bodies: returned }) =>
  codeFrame(`Example response ${status}`, returned.flatMap(json), { name: `${id}-${status}`, inMarkdown: 1 }),
)}`;
}
