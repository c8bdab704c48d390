import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { type Arguments, failure, text } from './calls.ts';
import type { Documentation } from './documentation.ts';

export interface ToolContext {
  documentation: Documentation;
  /** Undefined: agents may not call. */
  call: ((given: Arguments) => Promise<CallToolResult>) | undefined;
}

const search: Tool = {
  name: 'search',
  description:
    'Searches the guides, operations, events and error codes of the Workflow and Records Platform. Each result has a name for the tool describe.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'A few words, a method and path, a field or an error code.' },
      limit: { type: 'integer', minimum: 1, maximum: 20, default: 8 },
    },
    required: ['query'],
  },
  annotations: { title: 'Search the documentation', readOnlyHint: true, openWorldHint: false },
};

const describe: Tool = {
  name: 'describe',
  description:
    'Returns one operation or event (permission, parameters, JSON Schemas, examples, errors) or one guide as Markdown.',
  inputSchema: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        description: 'An operationId such as listUsers, an event type, or the path of a guide: /docs/errors.',
      },
    },
    required: ['name'],
  },
  annotations: { title: 'Describe an operation or guide', readOnlyHint: true, openWorldHint: false },
};

const callTool: Tool = {
  name: 'call',
  description:
    'Performs one operation with the Authorization header of this connection, and returns the response. Describe it first. Errors are {fingerprint, errors: [{code, message, pointer?, parameter?}]}: correct the request by the code. Send an Idempotency-Key with operations that take one, and the same key when you repeat the request. Files are not transferred: the result is a curl command.',
  inputSchema: {
    type: 'object',
    properties: {
      operationId: { type: 'string' },
      parameters: {
        type: 'object',
        description: 'Path, query and header parameters by name.',
        additionalProperties: { type: ['string', 'number', 'boolean'] },
      },
      body: { type: 'object', description: 'The JSON body, if the operation takes one.' },
    },
    required: ['operationId'],
  },
  annotations: { title: 'Call an operation', destructiveHint: true, openWorldHint: false },
};

/** The tools of one request. */
export function tools({ documentation, call }: ToolContext) {
  const results: Record<string, (given: Arguments) => Promise<CallToolResult>> = {
    search: async ({ query, limit = 8 }) => {
      if (typeof query !== 'string' || query.trim() === '') return failure('query must be a text.');
      if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > 20)
        return failure('limit must be a whole number from 1 to 20.');
      return text(JSON.stringify(await documentation.search(query, Number(limit))));
    },
    describe: async ({ name }) => {
      if (typeof name !== 'string') return failure('name must be a text.');
      const description = await documentation.describe(name);
      return description === undefined ? failure(unknownName) : text(description);
    },
    ...(call && { call }),
  };
  return {
    definitions: call ? [search, describe, callTool] : [search, describe],
    instructions: call
      ? 'Search, describe, then call.'
      : 'Search and describe the API. This environment does not let agents call it: use the sandbox.',
    run: async (name: string, given: Arguments): Promise<CallToolResult> =>
      Object.hasOwn(results, name)
        ? (results[name] as (typeof results)[string])(given)
        : failure('There is no such tool.'),
  };
}

const unknownName = 'There is no operation, event or guide of this name: use one that search returns.';
