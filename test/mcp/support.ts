import type { CallToolResult } from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { atEnd } from '../support/temporary.ts';

/** An agent: the official client, connected. */
export interface Agent {
  client: Client;
  search(query: string): Promise<{ title: string; in: string; name: string; excerpt: string }[]>;
  describe(name: string): Promise<string>;
  /** The texts of a result, the first of them parsed if it is JSON. */
  call(operationId: string, given?: { parameters?: object; body?: object }): Promise<Called>;
}

export interface Called {
  isError: boolean;
  body: unknown;
  texts: string[];
}

/** `legacy` is the protocol up to 2025-11-25, `auto` the one of 2026-07-28. */
export type Mode = 'legacy' | 'auto';

/** @param token the Authorization header; default: none */
export function agentOf(baseUrl: string, token?: string, mode?: Mode): Promise<Agent> {
  const headers = token === undefined ? {} : { Authorization: token };
  return agentOver(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }),
    mode,
  );
}

export async function agentOver(transport: Transport, mode: Mode = 'auto'): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  atEnd(() => client.close());
  const run = async (name: string, given: object) => {
    const result = (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;
    const texts = result.content.map((each) => (each.type === 'text' ? each.text : ''));
    return { isError: result.isError === true, texts };
  };
  const first = async (name: string, given: object) => (await run(name, given)).texts[0] ?? '';
  return {
    client,
    search: async (query) => JSON.parse(await first('search', { query })).results,
    describe: (name) => first('describe', { name }),
    async call(operationId, given = {}) {
      const { isError, texts } = await run('call', { operationId, ...given });
      const [text = ''] = texts;
      return { isError, texts, body: /^[{[]/.test(text) ? JSON.parse(text) : text };
    },
  };
}
