import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { closeAfterResponse, guardedServer, hasBody } from '../../http-server/index.ts';
import type { EnvironmentName } from '../config.ts';
import { html } from '../domain/html.ts';
import { isUuid } from '../domain/identifiers.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { privateHeaders } from '../pages/private-page.ts';
import { changeAsOperator } from '../store/audit.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { rememberedLayouts } from './execution/layout.ts';
import { pagePolicy, servedPage } from './layout.ts';
import type { ActionOutcome, Change, ChangeForm, ConsolePage, PageContent } from './page.ts';
import { pages as allPages, executionPath } from './pages/index.ts';
import { assertOwnRequest, Refusal, receiveForm, urlOf } from './request-checks.ts';
import { linkPrefix, newSession } from './session.ts';

export interface ConsoleOptions {
  database: Database;
  environment: EnvironmentName;
  /** What changes need; undefined: nothing can be changed. */
  actions?: { jobs: Jobs; originOf(command: string, at: Date): Change['origin'] } | undefined;
  /** Bytes that an organization may store; undefined: no limit. */
  quota?: number | undefined;
  /** Serves only the page of this execution. */
  only?: string | undefined;
  /** Called with what went wrong, for the operator. */
  report(error: unknown): void;
}

interface Console {
  server: Server;
  /** The path of the link that opens the console, once. */
  linkPath: string;
}

/** The server of the console, not listening yet. Only pages of this machine may call it (decision 45). */
export function createConsole({
  database,
  environment,
  actions,
  quota,
  only,
  report,
}: ConsoleOptions): Console {
  const session = newSession();
  const layouts = rememberedLayouts();
  const pages = only === undefined ? allPages : allPages.filter(({ path }) => path === executionPath);
  const start = only === undefined ? '/executions' : executionPath.replace(':id', only);

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    assertOwnRequest(request);
    const url = urlOf(request);
    const { pathname: path } = url;
    if (path.startsWith(linkPrefix)) {
      const cookie = request.method === 'GET' && session.redeem(path.slice(linkPrefix.length));
      if (!cookie)
        throw new Refusal(
          403,
          'This link was already used, or it belongs to another console. A link works once: start wrp console again for a new one.',
        );
      return redirect(response, start, { 'Set-Cookie': cookie });
    }
    if (!session.isSignedIn(request))
      throw new Refusal(
        403,
        'Open the console by the link that wrp console printed. It works once, in one browser.',
      );
    if (path === '/') return redirect(response, start);
    if (request.method === 'POST') return change(request, response, path);
    await show(response, url);
  };

  const show = async (response: ServerResponse, { pathname: path, searchParams: query }: URL) => {
    const { page, id } = pageAt(path);
    const shown = await page.show({
      ...{ database, environment, id, query, layouts, quota },
      now: await databaseTime(database),
      form: actions
        ? (action, form) => formPart(`${actionPath(page).replace(':id', form.id ?? id)}/${action}`, form)
        : undefined,
    });
    if (!shown) throw new Refusal(404, 'There is no such page.');
    send(response, 200, pageText(shown, page));
  };

  const change = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const { page, id, command, action } = actionAt(path);
    if (!actions)
      throw new Refusal(403, 'This console allows no changes. Start it with --actions to allow them.');
    const fields = await receiveForm(request);
    if (!session.isFormToken(path, fields.get('token') ?? ''))
      throw new Refusal(403, 'The form belongs to another console. Go back, reload the page, and try again.');
    const now = await databaseTime(database);
    const origin = actions.originOf(command, now);
    const outcome = await action({
      ...{ database, jobs: actions.jobs, id, fields, now, origin },
      change: (run) => changeAsOperator(database, origin, run),
    });
    if (!outcome) throw new Refusal(404, 'There is no such object.');
    send(response, 'done' in outcome ? 200 : 409, pageText(outcomePage(outcome, fields, page), page));
  };

  const pageAt = (path: string): { page: ConsolePage; id: string } => {
    for (const page of pages) {
      const id = idIn(page.path, path);
      if (id !== undefined && (only === undefined || id === only)) return { page, id };
    }
    throw new Refusal(404, 'There is no such page.');
  };

  const actionAt = (path: string) => {
    const [, base = '', name = ''] = /^(.*)\/([a-z-]+)$/.exec(path) ?? [];
    for (const page of pages) {
      const id = idIn(actionPath(page), base);
      if (id === undefined || !page.actions || (only !== undefined && id !== only)) continue;
      const action = Object.hasOwn(page.actions, name) ? page.actions[name] : undefined;
      if (action) return { page, id, command: `${page.command} ${name}`, action };
    }
    throw new Refusal(404, 'There is no such action.');
  };

  const formPart = (path: string, { name, of, effect, fields, button, isDangerous, back }: ChangeForm) =>
    html`<details data-key="${path}"><summary>${name}${of !== undefined && html`<span class="hidden"> ${of}</span>`}</summary><div>
<form method="post" action="${path}"><input type="hidden" name="token" value="${session.formToken(path)}"><input type="hidden" name="back" value="${back}"><p>${effect}</p>
<p class="actions">${fields}<button class="${isDangerous ? 'danger' : 'main'}">${button}</button></p></form>
</div></details>`;

  const pageText = (content: PageContent, current?: ConsolePage) => {
    const navigation = pages.flatMap(({ path, name }) =>
      name === undefined ? [] : [{ href: path, name, isCurrent: current?.path.startsWith(path) ?? false }],
    );
    return servedPage({ ...content, environment, navigation });
  };

  const listener: RequestListener = (request, response) => {
    respond(request, response).catch((error) => {
      if (!(error instanceof Refusal)) report(error);
      if (response.headersSent) return void response.destroy();
      const { status, message, headers } =
        error instanceof Refusal
          ? error
          : new Refusal(500, 'An error occurred. The terminal in which the console runs shows it.');
      if (hasBody(request)) closeAfterResponse(request, response);
      const content = {
        title: titles[status] ?? 'Refused',
        main: messagePart(titles[status] ?? 'Refused', message),
      };
      send(response, status, servedPage({ ...content, environment }), headers);
    });
  };
  return { server: guardedServer(listener), linkPath: session.path };
}

const titles: Record<number, string> = {
  400: 'Bad request',
  403: 'Not permitted',
  404: 'Not found',
  405: 'Method not allowed',
  413: 'Too large',
  414: 'Too long',
  415: 'Unsupported media type',
  500: 'Error',
};

const messagePart = (title: string, message: string) => html`<h1>${title}</h1>
<p>${message}</p>`;

function outcomePage(outcome: ActionOutcome, fields: URLSearchParams, page: ConsolePage): PageContent {
  const title = 'done' in outcome ? 'Done' : 'Not done';
  const message = 'done' in outcome ? outcome.done : outcome.refused;
  const back = returnPath(fields.get('back') ?? '') ?? page.path.replace(/\/:id.*/, '');
  return {
    title,
    main: html`<h1>${title}</h1>
<p class="notice ${'done' in outcome ? 'done' : 'error'}" role="status">${message}</p>
<p class="actions"><a class="button" href="${back}">Continue</a></p>`,
  };
}

/** A path of the console: neither another site nor a script. */
function returnPath(text: string): string | undefined {
  return /^\/[a-z][\w/?&=%.:+-]*$/.test(text) ? text : undefined;
}

/** The identifier in a path, empty if it has none; undefined if it is not a path of the page. */
function idIn(pattern: string, path: string): string | undefined {
  const [before, after] = pattern.split(':id');
  if (after === undefined) return path === pattern ? '' : undefined;
  if (before === undefined || !path.startsWith(before) || !path.endsWith(after)) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  return isUuid(id) && id === id.toLowerCase() ? id : undefined;
}

/** The path of an object whose page, or the list that it is on, has actions. */
const actionPath = ({ path }: ConsolePage) => (path.includes(':id') ? path : `${path}/:id`);

/** The pages contain inputs and outputs: no cache keeps them, and no other page may show them. */
const headers = privateHeaders(pagePolicy, 'same-origin');

function send(
  response: ServerResponse,
  status: number,
  text: string,
  more: Record<string, string> = {},
): void {
  const bytes = Buffer.from(text);
  const content = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': bytes.length };
  response.writeHead(status, { ...headers, ...more, ...content }).end(bytes);
}

function redirect(response: ServerResponse, location: string, more: Record<string, string> = {}): void {
  response.writeHead(303, { ...headers, ...more, Location: location, 'Content-Length': 0 }).end();
}
