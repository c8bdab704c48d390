import { beforeAll, describe, expect, test } from 'vitest';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { bytesOf } from '../../server/http-bodies/index.ts';
import { api } from '../support/api.ts';
import { routes } from '../support/contract.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import {
  incompleteCalls,
  type Message,
  messagesWith,
  operationsWith,
  toolCall,
  wrongValues,
} from './hostile-messages.ts';
import { attack, post, problemOf } from './responses.ts';
import { agentOf } from './support.ts';

// A build takes longer than the client waits.
await freshPortal();
const { baseUrl, sandboxUrl, owner } = await api({ mcpCalls: ['production'] });
const agent = await agentOf(baseUrl, owner.token);
const { tools } = await agent.client.listTools();
const token = owner.token ?? '';

/** All values, and large ones: hostile.slow.test.ts. */
const sampled =
  /^(?:null|a string|a list of a string|a lone surrogate|an object (?:with a p|that)|a list 250)/;
const sample = Object.fromEntries(Object.entries(wrongValues).filter(([what]) => sampled.test(what)));

beforeAll(async () => {
  // Loading for the first time is not measured.
  await agent.search('user');
  await agent.describe('/docs/errors');
});

describe('an agent gets a short error of JSON-RPC or of the tool', () => {
  test.each<[string, () => Iterable<Message>]>([
    ['a member of a message holds what it should not', () => messagesWith(tools, sample)],
    ['an argument is missing or unknown', () => incompleteCalls(tools, sample)],
    ['a parameter, a body or a field holds what it should not', () => operationsWith(sample)],
  ])('if %s', async (_what, messages) => {
    const { sent, wrong } = await attack(baseUrl, token, messages());
    expect(sent).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  test('if it sends no message, none that is JSON, or several', async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const bodies = {
      '-32700': ['', '{', ping.slice(1), '\ufeff{', `${ping}${ping}`, "{'a':1}"],
      '-32600': ['null', '1', '"x"', '[]', `[${ping}]`, `[${Array(4000).fill(ping).join()}]`, '{}'],
    };
    for (const [code, texts] of Object.entries(bodies))
      for (const body of texts) {
        const response = await post(baseUrl, { body, headers: {} });
        expect(problemOf(response), body).toBeUndefined();
        expect([response.status, JSON.parse(response.text).error.code], body).toEqual([400, Number(code)]);
      }
  });

  test('if headers that the protocol reads are long or contradict the message', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const names = [
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Session-Id',
      'Mcp-Param-X',
      'Accept',
    ];
    for (const name of names)
      for (const value of ['x', '', '\u00ff', '__proto__', '2026-07-28', '1999-01-01', 'x'.repeat(12_000)]) {
        const response = await post(baseUrl, { body, headers: { [name]: value } });
        expect(problemOf(response), `${name}: ${value.slice(0, 20)}`).toBeUndefined();
      }
  });
});

describe('the text of an error', () => {
  const failing = async (name: string, given: object) => {
    const { content, isError } = await agent.client.callTool({ name, arguments: { ...given } });
    expect(isError).toBe(true);
    return JSON.parse((content as { text: string }[])[0]?.text ?? '').errors;
  };

  test('names the argument that is missing, mistyped, too long or unknown', async () => {
    const invalid = (parameter: string, message: string) => [
      { code: 'parameter_invalid', parameter, message: `${parameter} ${message}` },
    ];
    expect(await failing('search', {})).toEqual(invalid('query', 'is required'));
    expect(await failing('search', { query: ' ' })).toEqual(invalid('query', 'must not be empty'));
    expect(await failing('describe', { name: 5 })).toEqual(invalid('name', 'must be a string'));
    expect(await failing('call', { operationId: ['listUsers'] })).toEqual(
      invalid('operationId', 'must be a string'),
    );
    expect(await failing('call', { operationId: 'x'.repeat(20_000) })).toEqual(
      invalid('operationId', 'must have at most 100 characters'),
    );
    expect(await failing('call', { operationId: 'listUsers', query: {} })).toEqual(
      invalid('query', 'is not an argument of this tool; the parameters of an operation go into parameters'),
    );
    expect(await failing('call', { operationId: 'listUsers', parameters: { size: [1] } })).toEqual(
      invalid('size', 'must be a string or a number or true or false'),
    );
  });

  test('has at most 20 errors, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`p${index}`, index]));
    expect(await failing('call', { operationId: 'listUsers', parameters: many })).toHaveLength(20);
    expect(await failing('call', { operationId: 'listUsers', ...many })).toHaveLength(20);
    expect(await failing('call', { operationId: 'createAttachment', body: many })).toHaveLength(20);
  });
});

test('errors about long names fit into a response', async () => {
  const members = (value: string) =>
    Array.from({ length: 30 }, (_, index) => `"${'\\u0001'.repeat(490)}${index}":${value}`).join();
  const perform = (id: string, value: string) =>
    toolCall('call', `{"operationId":"${id}","body":{${members(value)}}}`);
  const bodies = [
    perform('startWorkflow', '"\\u0000"'),
    perform('uploadResource', '1'),
    perform('startWorkflow', '1'),
  ];
  for (const body of bodies) {
    const response = await post(baseUrl, { body, headers: { Authorization: token } });
    expect(problemOf(response)).toBeUndefined();
    expect(response.text).toMatch(/"error":|"isError":true/);
  }
});

test('the tools declare a limit for each text and list, which fits every parameter of the contract', () => {
  const call = tools.find(({ name }) => name === 'call')?.inputSchema.properties as Record<string, never>;
  const { additionalProperties, maxProperties } = call['parameters'] as unknown as {
    additionalProperties: { maxLength: number };
    maxProperties: number;
  };
  for (const { operation } of routes) {
    expect(operation.parameters.length).toBeLessThanOrEqual(maxProperties);
    for (const { name, schema } of operation.parameters)
      expect(schema?.['maxLength'] ?? 0, name).toBeLessThanOrEqual(additionalProperties.maxLength);
  }
  for (const { name, inputSchema } of tools) {
    expect(inputSchema['additionalProperties'], name).toBe(false);
    for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
      if ((schema as { type: string }).type === 'string')
        expect(schema, `${name}, ${argument}`).toHaveProperty('maxLength');
  }
});

describe('a message that is as large as accepted', () => {
  const room = 250 * 1024;
  const quotes = JSON.stringify("'".repeat(room));
  const calls = {
    'parameters that are a text': `"operationId":"listUsers","parameters":${JSON.stringify('x'.repeat(room))}`,
    'parameters that are a list': `"operationId":"listUsers","parameters":[${Array(100_000).fill(1).join()}]`,
    'parameters of 9,000 names': `"operationId":"listUsers","parameters":{${Array.from({ length: 9_000 }, (_, index) => `"parameter${index}":1`).join()}}`,
    'a path parameter of quotes': `"operationId":"getUser","parameters":{"userId":${quotes}}`,
    'a list of tags': `"operationId":"createAttachment","body":{"tags":[${Array(60_000).fill('"a"').join()}]}`,
    'a tag of quotes': `"operationId":"uploadResource","body":{"tags":${quotes}}`,
    'a body of quotes': `"operationId":"startWorkflow","body":{"workflowDefinitionId":${quotes}}`,
    'an operationId of quotes': `"operationId":${quotes}`,
  };

  test.each(Object.entries(calls))('holds up nobody: %s', async (_what, given) => {
    const message = { body: toolCall('call', `{${given}}`), headers: {} };
    const response = await expectShortStretches(async () => {
      const [called, ...health] = await Promise.all([
        post(baseUrl, message),
        fetch(`${baseUrl}/healthz`),
        fetch(`${sandboxUrl}/healthz`),
      ]);
      expect(health.map(({ status }) => status)).toEqual([200, 200]);
      return called;
    });
    expect(problemOf(response)).toBeUndefined();
    expect(response.text).toContain('"isError":true');
    expect(response.text.length).toBeLessThan(10_000);
  });

  test('is refused above its limit: 413', async () => {
    const limit = 256 * 1024;
    const response = await post(baseUrl, { body: `"${'x'.repeat(limit)}"`, headers: {} });
    expect(response.status).toBe(413);
    expect(response.text).toContain(`larger than ${bytesOf(limit)}`);
  });
});
