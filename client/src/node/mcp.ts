#!/usr/bin/env node
/**
 * `wrp-mcp [URL]`: the MCP server of a platform over standard input and output, for agents that start servers as
 * processes. Passes each message to `/mcp` of the platform, and its response back, so that tools and rules are those of
 * the platform. URL defaults to `WRP_BASE_URL`; `WRP_TOKEN` is the Authorization header.
 */
import { createInterface } from 'node:readline';

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; _meta?: Record<string, unknown> };
}

const [baseUrl = process.env['WRP_BASE_URL']] = process.argv.slice(2);
if (baseUrl === undefined || !URL.canParse(baseUrl)) {
  console.error(
    'Usage: wrp-mcp URL, for example wrp-mcp https://sandbox.example.com. Set WRP_TOKEN to a token.',
  );
  process.exit(2);
}
const endpoint = `${baseUrl.replace(/\/+$/, '')}/mcp`;
const token = process.env['WRP_TOKEN'];
/** Of the protocol up to 2025-11-25, which names it once. Later revisions name it in each request. */
let negotiated: string | undefined;

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() !== '') void pass(line);
});

async function pass(line: string): Promise<void> {
  let message: Message = {};
  try {
    message = JSON.parse(line);
    for (const response of await send(line, message)) process.stdout.write(`${response}\n`);
  } catch (error) {
    const { message: reason, cause } = error as Error;
    const text = cause instanceof Error ? `${reason}: ${cause.message}` : reason;
    const failure = { code: -32603, message: `${endpoint}: ${text}` };
    // Only requests have a response.
    if (message.id !== undefined)
      console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: failure }));
    else console.error(failure.message);
  }
}

/** @returns the messages of the response, each in one line */
async function send(body: string, { method, params }: Message): Promise<string[]> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? negotiated;
  const headers = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  });
  if (token !== undefined) headers.set('Authorization', token);
  if (typeof version === 'string') headers.set('MCP-Protocol-Version', version);
  if (method !== undefined) headers.set('Mcp-Method', method);
  if (typeof params?.name === 'string') headers.set('Mcp-Name', params.name);
  const response = await fetch(endpoint, { method: 'POST', headers, body });
  const text = await response.text();
  if (text === '') return [];
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true;
  const texts = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data = '']) => data) : [text];
  return texts.map((each) => {
    const parsed = JSON.parse(each);
    if (parsed.jsonrpc !== '2.0') throw new Error(`status ${response.status}: ${each}`);
    if (method === 'initialize') negotiated = parsed.result?.protocolVersion;
    return JSON.stringify(parsed);
  });
}
