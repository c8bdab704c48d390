import type { Tool } from '@modelcontextprotocol/client';
import { routes } from '../support/contract.ts';
import { times } from '../support/hostile/bodies.ts';

/** A body for `/mcp`, and the headers that go with it. */
export interface Message {
  what: string;
  body: string;
  headers: Record<string, string>;
}

const kibibyte = 1024;
const list = (count: number, item: string) => `[${times(count, () => item).join()}]`;
const object = (count: number, member: (index: number) => string) => `{${times(count, member).join()}}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

/** JSON that is well-formed and is hardly ever what a member holds. */
export const wrongValues: Record<string, string> = {
  null: 'null',
  true: 'true',
  zero: '0',
  'a negative number': '-1',
  'a fraction': '1.5',
  'a number beyond a double': '1e999',
  'an empty string': '""',
  'a string': '"x"',
  'an inherited name': '"constructor"',
  'the name of the prototype': '"__proto__"',
  'a string with NUL': '"a\\u0000b"',
  'a lone surrogate': '"\\ud800"',
  'a string with line breaks': '"a\\r\\nb: c"',
  'a path out of its folder': '"../../../etc/passwd"',
  'an empty list': '[]',
  'a list of a string': '["listUsers"]',
  'an empty object': '{}',
  'an object with a prototype': '{"__proto__":{"isError":1}}',
  'an object with a constructor': '{"constructor":{"prototype":{"x":1}}}',
  'an object that cannot become a string': '{"toString":1,"valueOf":2}',
  'a list 150 deep': nested(150),
  'a list 250 deep': nested(250),
};

/** The same, as large as the platform accepts or larger. Made when sent, because all together take much memory. */
export const hugeValues: Record<string, () => string> = {
  'a string of 20,000 characters': () => JSON.stringify('x'.repeat(20_000)),
  'a string of 120 KiB': () => JSON.stringify('x'.repeat(120 * kibibyte)),
  'a string of 60 KiB that grows in JSON': () => JSON.stringify('\u0001'.repeat(20 * kibibyte)),
  'a string of 1,040,000 characters': () => JSON.stringify('x'.repeat(1_040_000)),
  '900,000 quotes': () => JSON.stringify("'".repeat(900_000)),
  '120,000 quotes': () => JSON.stringify("'".repeat(120_000)),
  '30,000 emoji': () => JSON.stringify('\u{1f600}'.repeat(30_000)),
  'a list of 190,000 numbers': () => list(190_000, '1'),
  'a list of 60,000 numbers': () => list(60_000, '1'),
  'a list of 40,000 objects': () => list(40_000, '{}'),
  'a list of 600 lists 190 deep': () => list(600, nested(190)),
  'an object of 9,000 names': () => object(9_000, (index) => `"key${index}":${index}`),
  'an object of 9,000 objects': () => object(9_000, (index) => `"k${index}":{}`),
  'an object with a name of 100 KiB': () => `{"${'n'.repeat(100 * kibibyte)}":{}}`,
};

const protocolVersion = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  progressToken: 7,
};

/** A value for each argument that a tool declares. */
function argumentsOf({ inputSchema }: Tool): Record<string, unknown> {
  const declared = Object.entries(inputSchema.properties ?? {}) as [string, { type: string }][];
  const samples: Record<string, unknown> = { string: 'listUsers', integer: 1, object: { size: 1 } };
  return Object.fromEntries(declared.map(([name, { type }]) => [name, samples[type]]));
}

/** One message of each kind in the grammar, with every member that a method knows. */
function samples(tools: readonly Tool[]): Record<string, Record<string, unknown>> {
  const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  return {
    initialize: request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { roots: { listChanged: true } },
      clientInfo: { name: 'test', version: '1' },
    }),
    ping: request('ping'),
    'server/discover': request('server/discover'),
    'tools/list': request('tools/list', { cursor: 'x' }),
    ...Object.fromEntries(
      tools.map((tool) => [
        `tools/call of ${tool.name}`,
        request('tools/call', { name: tool.name, arguments: argumentsOf(tool) }),
      ]),
    ),
    'resources/read': request('resources/read', { uri: 'file:///etc/passwd' }),
    'prompts/get': request('prompts/get', { name: 'x', arguments: { a: 'b' } }),
    'completion/complete': request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'x' },
      argument: { name: 'a', value: 'b' },
    }),
    'logging/setLevel': request('logging/setLevel', { level: 'debug' }),
    'subscriptions/listen': request('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    'tasks/get': request('tasks/get', { taskId: 'x' }),
    'an unknown method': request('nothing/such', { x: 1 }),
    'notifications/cancelled': {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'x' },
    },
    'notifications/progress': {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 0.5 },
    },
    'a response': { jsonrpc: '2.0', id: 1, result: { content: [] } },
    'an error': { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  };
}

const placeholder = '@@';

/** Each member of a value, at any depth, with a text of the whole in which the placeholder stands for it. */
function* membersOf(value: object, whole = value, path = ''): Generator<{ path: string; template: string }> {
  for (const name of Object.keys(value)) {
    const holder = value as Record<string, unknown>;
    const held = holder[name];
    const at = `${path}/${name}`;
    holder[name] = placeholder;
    yield { path: at, template: JSON.stringify(whole) };
    holder[name] = held;
    if (typeof held === 'object' && held !== null) yield* membersOf(held, whole, at);
  }
}

function headersOf({ method, params }: Record<string, unknown>): Record<string, string> {
  const { name } = (params ?? {}) as { name?: unknown };
  return {
    'MCP-Protocol-Version': protocolVersion,
    'Mcp-Method': String(method),
    ...(typeof name === 'string' && { 'Mcp-Name': name }),
  };
}

/** Every member of every message, in both revisions of the protocol, holding each of the values. */
export function* messagesWith(
  tools: readonly Tool[],
  values: Record<string, string | (() => string)>,
): Generator<Message> {
  for (const [kind, legacy] of Object.entries(samples(tools))) {
    const params = { ...(legacy['params'] as object | undefined), _meta: meta };
    const revisions = {
      earlier: { message: legacy, headers: {} },
      later: { message: { ...legacy, params }, headers: headersOf(legacy) },
    };
    for (const [revision, { message, headers }] of Object.entries(revisions))
      for (const { path, template } of membersOf(structuredClone(message)))
        for (const [what, value] of Object.entries(values)) {
          const json = typeof value === 'string' ? value : value();
          const body = template.replace(`"${placeholder}"`, () => json);
          yield { what: `${kind} (${revision}), ${path}: ${what}`, body, headers };
        }
  }
}

type Values = Record<string, string | (() => string)>;

function* holding(values: Values, what: string, bodyWith: (json: string) => string): Generator<Message> {
  for (const [name, value] of Object.entries(values)) {
    const json = typeof value === 'string' ? value : value();
    yield { what: `${what}: ${name}`, body: bodyWith(json), headers: {} };
  }
}

/** A call of a tool with arguments in JSON. */
export const toolCall = (name: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;

/** Every tool without each of its arguments, and with one that it does not have. */
export function* incompleteCalls(tools: readonly Tool[], values: Values): Generator<Message> {
  for (const tool of tools) {
    const whole = argumentsOf(tool);
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...rest } = whole;
      const body = toolCall(tool.name, JSON.stringify(rest));
      yield { what: `${tool.name} without ${name}`, body, headers: {} };
    }
    const others = JSON.stringify(whole).slice(0, -1);
    yield* holding(values, `${tool.name} with an unknown argument`, (json) =>
      toolCall(tool.name, `${others},"unknown":${json}}`),
    );
  }
}

/** Calls in which each parameter, the body and each field of a form of the contract hold each of the values. */
export function* operationsWith(values: Values): Generator<Message> {
  const perform = (id: string, others: string) => toolCall('call', `{"operationId":"${id}",${others}}`);
  const tried = new Set<string>();
  for (const { operation } of routes) {
    const { operationId: id, parameters, form, requestBody } = operation;
    const inPath = parameters.filter(({ in: place }) => place === 'path').map(({ name }) => [name, uuid]);
    const valid = JSON.stringify(Object.fromEntries(inPath));
    for (const { name, in: place } of parameters) {
      if (tried.has(name)) continue;
      tried.add(name);
      const others = JSON.stringify(Object.fromEntries(inPath.filter(([other]) => other !== name)));
      const begin = `${others.slice(0, -1)}${others === '{}' ? '' : ','}`;
      yield* holding(values, `${id}, the ${place} parameter ${name}`, (json) =>
        perform(id, `"parameters":${begin}"${name}":${json}}`),
      );
    }
    if (requestBody)
      yield* holding(values, `${id}, the body`, (json) =>
        perform(id, `"parameters":${valid},"body":${json}`),
      );
    for (const field of form ? [...form.files, ...form.texts, 'unknown'] : [])
      yield* holding(values, `${id}, the field ${field}`, (json) =>
        perform(id, `"parameters":${valid},"body":{"${field}":${json}}`),
      );
  }
}

const uuid = '00000000-0000-4000-8000-000000000000';
