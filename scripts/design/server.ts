import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { guardedServer, type LocalAccess } from '../../server/http-server/index.ts';
import { urlRewriter } from '../../server/src/pages/served-addresses.ts';
import type { SiteFile } from '../portal/site-files.ts';
import type { Report } from './report.ts';

export type DesignServer = {
  /** Not listening yet. */
  server: Server;
  /** Shows a report in every open page. */
  show(report: Report): void;
  /** Sets the URL of the mock, which pages show from the next report on. */
  announce(mockUrl: string): void;
  /** Serves another portal. @returns its version, which counts from 1 */
  replacePortal(files: SiteFile[]): number;
  close(): void;
};

export type DesignServerParts = {
  root: URL;
  /** Default: programs and pages of this machine. */
  access?: LocalAccess;
  /** Called when a browser has drawn a version of the portal. `openFor`: milliseconds that its page has been open. */
  onShown(version: number, openFor: number): void;
  /** Opens `file:line:column`, relative to the root, in the user's editor. @returns why it cannot, if it cannot */
  openInEditor(place: string): Promise<string | undefined>;
};

const assets: Record<string, [name: string, type: string]> = {
  '/': ['page.html', 'text/html; charset=utf-8'],
  '/design/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/design/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/design/verdict.js': ['verdict.js', 'text/javascript; charset=utf-8'],
};
const documents: Record<string, string> = { '/openapi.json': 'generated/openapi.json' };
/** What is for the environments of a platform is left out. */
const rewrite = urlRewriter();
const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `connect-src 'self'`,
  `frame-src 'self'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** The page of the design loop: the report of the last save, above the portal of the last accepted one. */
export function designServer({ root, access, onShown, openInEditor }: DesignServerParts): DesignServer {
  const listeners = new Set<ServerResponse>();
  let last: Report | undefined;
  let mock = '';
  let portal = new Map<string, SiteFile>();
  let version = 0;
  const server = guardedServer((request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    // Nothing here is for pages of other origins, which may call the mock.
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    respond(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  }, access);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://design');
    if (request.method === 'POST' && pathname === '/design/shown') {
      onShown(Number(searchParams.get('version')), Number(searchParams.get('openFor')));
      return void response.writeHead(204).end();
    }
    if (request.method === 'POST' && pathname === '/design/open')
      return openPlace(request, response, searchParams.get('place') ?? '');
    if (pathname === '/design/events') return listen(response);
    if (pathname === '/design/report.json')
      return send(response, 'application/json', JSON.stringify(last ?? null));
    const asset = assets[pathname];
    if (asset) {
      const [name, type] = asset;
      return send(response, type, await readFile(new URL(`page/${name}`, import.meta.url)), policy);
    }
    const document = documents[pathname];
    if (document) return send(response, 'application/json', await readFile(new URL(document, root)));
    const file = portal.get(pathname.replace(/(.)\/$/, '$1'));
    if (!file) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n');
    // Elsewhere no page may frame the portal; here the design page does.
    const framed = file.policy?.replace(`frame-ancestors 'none'`, `frame-ancestors 'self'`);
    send(response, file.type, file.body, framed);
  }

  /** Opens a place in the editor, if our own page asks for it and it is inside the project. */
  async function openPlace(request: IncomingMessage, response: ServerResponse, place: string) {
    const [, file] = /^([\w@./-]+):\d+:\d+$/.exec(place) ?? [];
    const isOwn = request.headers['sec-fetch-site'] === 'same-origin';
    if (!isOwn || !file || file.startsWith('/') || file.split('/').includes('..'))
      return void response.writeHead(403).end();
    const error = await openInEditor(place);
    response.writeHead(error ? 500 : 204, { 'Content-Type': 'text/plain; charset=utf-8' }).end(error);
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
    response.write(eventOf(last));
  }

  function eventOf(report: Report | undefined): string {
    return `data: ${JSON.stringify({ report: report ?? null, portal: version, mock })}\n\n`;
  }

  return {
    server,
    show(report) {
      last = report;
      for (const listener of listeners) listener.write(eventOf(report));
    },
    announce(mockUrl) {
      mock = mockUrl;
    },
    replacePortal(files) {
      const served = ({ body }: SiteFile) => (typeof body === 'string' ? rewrite(body) : body);
      portal = new Map(files.map((file) => [file.path, { ...file, body: served(file) }]));
      return ++version;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(response: ServerResponse, type: string, body: string | Buffer, contentPolicy?: string): void {
  response.writeHead(200, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    ...(contentPolicy && { 'Content-Security-Policy': contentPolicy }),
  });
  response.end(body);
}
