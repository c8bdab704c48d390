import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { frontendPath } from './controls.ts';

const folder = new URL('../../test/frontend/', import.meta.url);
const files: Record<string, { type: string; read(): Promise<string> }> = {
  'index.html': {
    type: 'text/html; charset=utf-8',
    read: () => readFile(new URL('index.html', folder), 'utf8'),
  },
  'style.css': {
    type: 'text/css; charset=utf-8',
    read: () => readFile(new URL('style.css', folder), 'utf8'),
  },
  'main.js': { type: 'text/javascript; charset=utf-8', read: bundled },
};

/**
 * Serves the example frontend: the page in `test/frontend/`, bundled with the client.
 *
 * @returns whether the request was for the frontend, and then has its response
 */
export async function exampleFrontend(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [path = ''] = url.split('?');
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (path === frontendPath.slice(0, -1)) {
    response.writeHead(308, { Location: frontendPath }).end();
    return true;
  }
  if (!path.startsWith(frontendPath)) return false;
  const file = files[path.slice(frontendPath.length) || 'index.html'];
  if (!file) return false;
  const text = await file.read();
  const headers = { 'Content-Type': file.type, 'Content-Security-Policy': "frame-ancestors 'none'" };
  response.writeHead(200, { ...headers, 'Cache-Control': 'no-cache' });
  response.end(method === 'HEAD' ? undefined : text);
  return true;
}

let bundle: Promise<string> | undefined;

/** The page's script and the client in one module, bundled once. */
function bundled(): Promise<string> {
  bundle ??= bundleFrontend();
  bundle.catch(() => {
    bundle = undefined;
  });
  return bundle;
}

async function bundleFrontend(): Promise<string> {
  // Loaded on demand: few runs of the mock need it.
  const { rolldown } = await import('rolldown');
  const build = await rolldown({ input: fileURLToPath(new URL('main.ts', folder)), platform: 'browser' });
  try {
    const { output } = await build.generate({ format: 'esm' });
    return output[0].code;
  } finally {
    await build.close();
  }
}
