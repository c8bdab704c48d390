import type { components } from '@wrp/client';
import { events, requests, responses } from '@wrp/client/schemas';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { responseSchemasModule } from '../../scripts/generate/client-schemas.ts';
import { resolve, type Schema } from '../../server/contract/index.ts';
import { bundle } from '../support/contract.ts';
import { badFields } from '../sweeps/support/bad-values.ts';
import { operations } from '../sweeps/support/contract.ts';
import type { Values } from '../sweeps/support/requests.ts';

type Value = Record<string, unknown>;
type WebhookBody = { schema: { $ref: string }; examples: Record<string, Schema> };
const json = 'application/json';

const bodies = operations.filter(({ body }) => body?.type === json);
const successes = operations.flatMap(({ id, responses: declared }) =>
  [...declared.values()]
    .filter(({ status }) => status < 300)
    .flatMap(({ media }) => media.filter(({ type }) => type === json))
    .flatMap(({ schema, examples }) => examples.map((example) => ({ id, ...example, described: schema }))),
);
const errors = operations.flatMap(({ id, responses: declared }) =>
  [...declared.values()]
    .filter(({ status }) => status >= 400)
    .flatMap(({ media }) => media.flatMap(({ examples }) => examples))
    .map(({ name, value }) => ({ id, name, value })),
);
const user = structuredClone(
  successes.find(({ id }) => id === 'getUser')?.value,
) as components['schemas']['User'];

const requestSchema = (id: string) => (requests as Record<string, v.GenericSchema>)[id] as v.GenericSchema;
const responseSchema = (id: string) => (responses as Record<string, v.GenericSchema>)[id] as v.GenericSchema;

describe('requests', () => {
  test.each(bodies)('accepts every example of $id unchanged', ({ id, body }) => {
    expect(body?.examples.length).toBeGreaterThan(0);
    for (const { value } of body?.examples ?? []) expect(v.parse(requestSchema(id), value)).toEqual(value);
  });

  test.each(bodies)('refuses the bodies of $id that the platform refuses', (operation) => {
    const fields = operation.body?.examples[0]?.value as Values;
    const bad = badFields({ operation, fields, path: {}, headers: {} });
    const accepted = bad.filter(({ request }) =>
      v.is(requestSchema(operation.id), JSON.parse(String(request.body))),
    );
    expect(accepted.map(({ name }) => name).filter((name) => !byPlatformOnly.test(name))).toEqual([]);
    expect(bad.length - accepted.length).toBeGreaterThan(5);
  });

  test('names the field that is wrong', () => {
    const { issues } = v.safeParse(requests.updateUserProfile, { firstName: '', colour: 'red' });
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['firstName', 'colour']);
  });

  test('counts characters as the platform does: an emoji is one', () => {
    expect(v.is(requests.updateUserProfile, { firstName: '🎈'.repeat(100) })).toBe(true);
    expect(v.is(requests.updateUserProfile, { firstName: '🎈'.repeat(101) })).toBe(false);
  });

  test('refuses an update of nothing', () => {
    expect(v.is(requests.updateUserProfile, {})).toBe(false);
  });
});

/** Checked by the platform before the schema: text that PostgreSQL cannot store, and the depth and size of JSON. */
const byPlatformOnly =
  /^(NUL|half a surrogate pair|the other half|a number without end|a field named with|201 levels)/;

describe('responses', () => {
  test.each(successes)('accepts the example $name of $id unchanged', ({ id, value }) => {
    expect(v.parse(responseSchema(id), value)).toEqual(value);
  });

  test.each(successes)(
    'refuses the example $name of $id without a required field',
    ({ id, value, described }) => {
      const schema = responseSchema(id);
      expect(v.is(schema, null)).toBe(false);
      const one = resolve(bundle, resolve(bundle, described).items ?? described);
      const [first] = [value].flat() as Value[];
      if (!first) return;
      for (const field of one.required ?? []) {
        const { [field]: _, ...rest } = first;
        expect(v.is(schema, Array.isArray(value) ? [rest] : rest), field).toBe(false);
      }
    },
  );

  test('accepts every example of an error', () => {
    expect(errors.length).toBeGreaterThan(100);
    for (const { value } of errors) expect(v.parse(responses.Error, value)).toEqual(value);
  });

  test('keeps unknown fields, at any depth', () => {
    const later = { ...user, pronouns: 'they', profile: { ...user.profile, pronunciation: 'zoh' } };
    expect(v.parse(responses.getUser, later)).toEqual(later);
    const page = { content: [later], totalElements: 1, totalPages: 1, size: 20, number: 0, next: null };
    expect(v.parse(responses.listUsers, page)).toEqual(page);
  });

  test('accepts unknown values and wider limits', () => {
    const later = { ...user, profile: { ...user.profile, status: 'ON_LEAVE', firstName: 'x'.repeat(1000) } };
    expect(v.parse(responses.getUser, later)).toEqual(later);
    const error = {
      fingerprint: user.id,
      errors: [{ code: 'invoice_paid', message: 'The invoice is paid.' }],
    };
    expect(v.parse(responses.Error, error)).toEqual(error);
  });

  test('refuses a missing field and a field of another type', () => {
    const { email, ...rest } = user;
    expect(v.is(responses.getUser, rest)).toBe(false);
    expect(v.is(responses.getUser, { ...rest, email: 5 })).toBe(false);
    expect(v.is(responses.getUser, { ...rest, email })).toBe(true);
    expect(v.is(responses.getUser, { ...user, profile: { ...user.profile, lastSignedInAt: null } })).toBe(
      true,
    );
  });
});

describe('events', () => {
  const webhooks = Object.entries(bundle.webhooks ?? {}).map(([type, { post }]) => {
    const { schema, examples } = (post as { requestBody: { content: Record<string, WebhookBody> } })
      .requestBody.content[json] as WebhookBody;
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const [example] = Object.values(examples).map((one) => (resolve(bundle, one) as { value: Value }).value);
    return { type, schema: (events as Record<string, v.GenericSchema>)[name] as v.GenericSchema, example };
  });

  test.each(webhooks)('accepts the example of $type unchanged, and no other type', ({ schema, example }) => {
    expect(v.parse(schema, example)).toEqual(example);
    expect(v.is(schema, { ...example, type: 'invoice.paid' })).toBe(false);
    expect(v.is(schema, { ...example, data: undefined })).toBe(false);
  });

  test('accept fields and values of later versions', () => {
    const { schema, example } = webhooks.find(
      ({ type }) => type === 'workflow.started',
    ) as (typeof webhooks)[0];
    const later = { ...example, region: 'eu', data: { ...(example?.['data'] as Value), status: 'PAUSED' } };
    expect(v.parse(schema, later)).toEqual(later);
  });
});

test('there is a schema for every JSON body', () => {
  const operationsOf = (schemas: object) => Object.keys(schemas).filter((name) => /^[a-z]/.test(name));
  expect(operationsOf(requests)).toEqual(bodies.map(({ id }) => id).sort());
  expect(operationsOf(responses)).toEqual([...new Set(successes.map(({ id }) => id))].sort());
});

test('the generator refuses a keyword of a response if it is unknown whether a minor version may widen it', async () => {
  const changed = structuredClone(bundle);
  Object.assign(changed.components['schemas']?.['User'] as object, { oneOf: [{ type: 'object' }] });
  await expect(responseSchemasModule(changed)).rejects.toThrow('does not know whether oneOf');
});
