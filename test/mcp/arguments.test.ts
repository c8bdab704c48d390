import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { type ContractDocument, resolve, routesOf } from '../../server/contract/index.ts';
import { api } from '../support/api.ts';
import { agentOf } from './support.ts';

// A build takes longer than the client waits.
await freshPortal();
const { baseUrl, owner } = await api({ mcpCalls: ['production'] });
const agent = await agentOf(baseUrl, owner.token);
const routes = routesOf(contract as unknown as ContractDocument);

describe('call', () => {
  const operations = routes.map(({ operation }) => {
    const required = operation.parameters.filter((parameter) => parameter.required);
    const [media] = Object.values(operation.requestBody?.content ?? {});
    const fields = resolve(contract as unknown as ContractDocument, media?.schema)?.required ?? [];
    return { id: operation.operationId, required, fields };
  });

  test.each(operations.filter(({ required, fields }) => required.length + fields.length > 0))(
    'of $id names each argument that is missing',
    async ({ id, required, fields }) => {
      const examples = Object.fromEntries(required.map(({ name, example }) => [name, example]));
      const without = (values: object, name: string): object =>
        Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
      for (const { name } of required) {
        const { isError, texts } = await agent.call(id, { parameters: without(examples, name) });
        expect(isError).toBe(true);
        expect(texts[0]).toContain(`parameters.${name} is required`);
      }
      const body = Object.fromEntries(fields.map((name) => [name, 'x']));
      for (const name of fields) {
        for (const given of [without(body, name), undefined]) {
          const sent = { parameters: examples, ...(given && { body: given }) };
          const { isError, texts } = await agent.call(id, sent);
          expect(isError).toBe(true);
          expect(texts[0]).toContain(`body.${name} is required`);
        }
      }
    },
  );

  const jsonOperations = routes.flatMap(({ operation: { operationId, parameters, requestBody, form } }) => {
    const schema = resolve(
      contract as unknown as ContractDocument,
      requestBody?.content?.['application/json']?.schema,
    );
    const [name] = schema?.required ?? [];
    const examples = parameters
      .filter(({ required }) => required)
      .map((parameter) => [parameter.name, parameter.example]);
    return name && !form ? [{ id: operationId, name, parameters: Object.fromEntries(examples) }] : [];
  });

  test.each(jsonOperations)('of $id names a misspelt field beside the missing one', async (operation) => {
    const { id, name, parameters } = operation;
    const misspelt = `${name}x`;
    const { body } = await agent.call(id, { parameters, body: { [misspelt]: 'x' } });
    const { errors } = body as { errors: { message: string; pointer: string }[] };
    expect(errors[0]).toMatchObject({ message: `body.${name} is required`, pointer: `/${name}` });
    expect(errors.find(({ pointer }) => pointer === `/${misspelt}`)?.message).toMatch(
      new RegExp(`^${misspelt} is not a property of this object, which takes .*Did you mean \`${name}\`\\?$`),
    );
  });
});
