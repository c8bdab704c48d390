import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Request, Response } from 'express';
import { type Problem, parameterProblem, problemLimit, problemsOf } from '../../contract/index.ts';
import { PortalNotBuiltError } from '../pages/portal-site.ts';
import type { Arguments, CallOperation } from './calls.ts';
import { checkOf } from './checks.ts';
import type { Documentation } from './documentation.ts';
import { failure, firstPart, refusal, text } from './results.ts';

export interface ToolContext {
  documentation: Documentation;
  /** Undefined: agents may not call. */
  call: CallOperation | undefined;
  /** Where agents may call instead. */
  callsAt?: string | undefined;
}

const search = {
  name: 'search',
  description:
    'Searches the guides, operations, events and error codes of the Workflow and Records Platform. Each result has a name for the tool describe.',
  inputSchema: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        maxLength: 200,
        pattern: '\\S',
        description: 'A few words, a method and path, a field or an error code.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 20, default: 8 },
    },
    required: ['query'],
    additionalProperties: false,
  },
  annotations: { title: 'Search the documentation', readOnlyHint: true, openWorldHint: false },
} satisfies Tool;

const describe = {
  name: 'describe',
  description:
    'Returns one operation or event (permission, parameters, JSON Schemas, examples, errors), one error code, or one guide as Markdown.',
  inputSchema: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        maxLength: 300,
        description:
          'An operationId such as listUsers, an event type, an error code, or the path of a guide: /docs/errors.',
      },
    },
    required: ['name'],
    additionalProperties: false,
  },
  annotations: { title: 'Describe an operation or guide', readOnlyHint: true, openWorldHint: false },
} satisfies Tool;

const callTool = {
  name: 'call',
  description:
    'Performs one operation with the Authorization header of this connection, and returns the response. Describe it first. Errors are {fingerprint, errors: [{code, message, pointer?, parameter?}]}: correct the request by the code. Send an Idempotency-Key with operations that take one, and the same key when you repeat the request. The file of an upload is {url}, fetched if it is public and up to 10 MiB, or {base64, fileName, contentType}. For a download the result is a curl command. Long lists are cut to whole items, with a note.',
  inputSchema: {
    type: 'object',
    properties: {
      operationId: { type: 'string', maxLength: 100 },
      parameters: {
        type: 'object',
        description: 'Path, query and header parameters by name.',
        maxProperties: 50,
        additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 1000 },
      },
      body: {
        type: 'object',
        description: 'The JSON body or the fields of the form, if the operation takes one.',
      },
      fields: {
        type: 'array',
        description:
          'Returns only these fields, such as content.id and totalElements; of lists, of each item.',
        minItems: 1,
        maxItems: 50,
        items: { type: 'string', maxLength: 200 },
      },
      skip: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000_000,
        description: 'Leaves out so many items of the list in the response of a GET.',
      },
    },
    required: ['operationId'],
    additionalProperties: false,
  },
  annotations: { title: 'Call an operation', destructiveHint: true, openWorldHint: false },
} satisfies Tool;

/** The request of an agent and its response, if a call needs them. */
type Connection = [request: Request, response: Response];
/** Performs a tool with arguments that match its schema. */
type Perform = (given: Arguments, ...connection: Connection) => Promise<CallToolResult>;

/** The tools of an environment. */
export function tools({ documentation, call, callsAt }: ToolContext) {
  const elsewhere = callsAt
    ? `This endpoint offers search and describe only: call operations at ${callsAt}.`
    : 'This endpoint offers search and describe only. The operator lets no agent call operations.';
  const performed: [Tool, Perform][] = [
    [
      search,
      async ({ query, limit = 8 }) =>
        text(JSON.stringify(await documentation.search(String(query), Number(limit)))),
    ],
    [
      describe,
      async ({ name }) => {
        const described = await documentation.describe(String(name));
        if (!described) {
          const similar = await documentation.nameLike(String(name));
          const hint = similar ? `did you mean ${similar}?` : 'use a name that search returns';
          return refusal([parameterProblem('name', `${unknownName}: ${hint}`)]);
        }
        return firstPart(described.text, `This is the first part. The whole page: ${described.url}`);
      },
    ],
    ...(call
      ? ([[callTool, (given, ...connection) => call(...connection, given)]] as [Tool, Perform][])
      : []),
  ];
  const byName = new Map(
    performed.map(([tool, perform]) => [tool.name, { check: checkOf(tool.inputSchema), perform }]),
  );
  const named = new Intl.ListFormat('en-GB').format(byName.keys());
  return {
    definitions: performed.map(([tool]) => tool),
    instructions: call ? 'Search, describe, then call.' : `Search and describe the API. ${elsewhere}`,
    async run(name: string, given: Arguments, ...connection: Connection): Promise<CallToolResult> {
      const tool = byName.get(name);
      if (!tool)
        return failure(name === callTool.name ? elsewhere : `There is no such tool. The tools are ${named}.`);
      const errors = tool.check(given);
      if (errors.length > 0) return refusal(argumentProblems(errors));
      try {
        return await tool.perform(given, ...connection);
      } catch (error) {
        if (error instanceof PortalNotBuiltError)
          return failure('This platform serves no documentation, because its portal is not built.');
        throw error;
      }
    },
  };
}

const unknownName = 'is not an operation, event, error code or guide';

/** An argument is reported like a parameter, one of `parameters` under its own name, and a part of `body` by its pointer. */
function argumentProblems(errors: ErrorObject[]): Problem[] {
  const placed = errors.map((error) => {
    const { instancePath, keyword } = error;
    const place = instancePath.startsWith('/body')
      ? instancePath
      : `/query${instancePath.replace(/^\/parameters(?=\/)/, '')}`;
    const message = argumentWords[keyword];
    return { ...error, instancePath: place, ...(message && { keyword: '', message }) };
  });
  return problemsOf(placed).slice(0, problemLimit);
}

const argumentWords: Record<string, string> = {
  additionalProperties: 'is not an argument of this tool; the parameters of an operation go into parameters',
  pattern: 'must not be empty',
};
