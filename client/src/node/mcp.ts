#!/usr/bin/env node
/**
 * `wrp-mcp [URL]`: the MCP server of a platform over standard input and output, for agents that start servers as
 * processes. Passes each message to `/mcp` of the platform, and its response back, so that tools and rules are those of
 * the platform. URL defaults to `WRP_BASE_URL`; `WRP_TOKEN` is the Authorization header.
 */
import { createInterface } from 'node:readline';
import { endWithNpx } from './end-with-npx.ts';

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; _meta?: Record<string, unknown> };
}

const [baseUrl = process.env['WRP_BASE_URL'] ?? ''] = process.argv.slice(2);
/** Without credentials, which `fetch` refuses, and without a query, which would take in the path. */
const isUrl = URL.canParse(baseUrl) && /^https?:\/\/[^/@]+\/[^?#]*$/.test(new URL(baseUrl).href);
const token = process.env['WRP_TOKEN']?.trim();
if (!isUrl || (token !== undefined && /[^ -~]/.test(token))) {
  console.error(
    'Usage: wrp-mcp URL, for example wrp-mcp https://sandbox.example.com. Set WRP_TOKEN to a token.',
  );
  process.exit(2);
}
const endpoint = `${new URL(baseUrl).href.replace(/\/+$/, '')}/mcp`;
const maxShownCharacters = 500;
/** The negotiated version of the protocol. Revisions up to 2025-11-25 name it once, later ones in each request. */
let negotiated: string | undefined;

endWithNpx();
createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() !== '') void pass(line);
});

async function pass(line: string): Promise<void> {
  const parsed = parse(line);
  if (parsed === undefined) return fail(null, -32700, 'Parse error: the line is not JSON.');
  // The platform reports whatever is not a message.
  const message: Message = Object(parsed);
  try {
    for (const response of await send(line, message)) process.stdout.write(`${response}\n`);
  } catch (error) {
    const { message: reason, cause } = error as Error;
    const text = `${endpoint}: ${cause instanceof Error ? `${reason}: ${cause.message}` : reason}`;
    // Only requests have a response.
    if (message.id !== undefined) fail(message.id, -32603, text);
    else console.error(text);
  }
}

function fail(id: unknown, code: number, message: string): void {
  console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
}

/** @returns undefined for what is not JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns the messages of the response, each in one line */
async function send(body: string, { method, params }: Message): Promise<string[]> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? negotiated;
  const headers = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  });
  if (token) headers.set('Authorization', token);
  const described = { 'MCP-Protocol-Version': version, 'Mcp-Method': method, 'Mcp-Name': params?.name };
  for (const [name, value] of Object.entries(described))
    if (typeof value === 'string') headers.set(name, headerValue(value));
  // A message is for the platform only.
  const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'error' });
  const text = await response.text();
  if (text === '') return [];
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  const texts = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data) : [text];
  return texts.map((each) => {
    const parsed = Object(parse(each));
    if (parsed.jsonrpc !== '2.0')
      throw new Error(`status ${response.status}: ${each.slice(0, maxShownCharacters)}`);
    if (method === 'initialize') negotiated = parsed.result?.protocolVersion;
    return JSON.stringify(parsed);
  });
}

/** A text that is no header value is sent as base64 (Model Context Protocol, transports, "Value Encoding"). */
function headerValue(text: string): string {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
