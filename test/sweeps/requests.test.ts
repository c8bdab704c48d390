import { describe, expect, test } from 'vitest';
import type { Schema } from '../../server/contract/index.ts';
import { type Operation, operations, type Response } from './support/contract.ts';
import { acceptanceError, distinct, type Values } from './support/requests.ts';

const withConflict = (schema: Schema, codes = ['name_taken', 'idempotency_key_in_use']): Operation => {
  const conflict: Response = { status: 409, media: [], requiredHeaders: [], codes };
  const body = { type: 'application/json', schema, examples: [] };
  return { ...(operations[0] as Operation), body, responses: new Map([[409, conflict]]) };
};
const textsOf = (properties: Record<string, Schema>) => withConflict({ type: 'object', properties });
const string: Schema = { type: 'string' };

describe('distinct', () => {
  test.each<[string, Schema, string]>([
    ['a text', string, 'First note'],
    ['a text as long as allowed', { ...string, maxLength: 10 }, 'First note'],
    ['a text with a pattern', { ...string, pattern: '^[a-z0-9-]+$' } as Schema, 'first-note'],
    ['an email address', { ...string, format: 'email' }, 'noor@mail.example'],
  ])('gives %s another value each time', (_what, schema, name) => {
    const operation = textsOf({ name: schema });
    const texts = [1, 2, 3].map(() => distinct(operation, { name })['name'] as string);
    expect(new Set([name, ...texts]).size).toBe(4);
    for (const text of texts) {
      if (schema.maxLength) expect(text.length).toBeLessThanOrEqual(schema.maxLength);
      if (schema.format === 'email') expect(text).toMatch(/^\S+@\S+$/);
    }
  });

  test('keeps what the schema does not allow to vary', () => {
    const id = '257de958-b4b5-4c80-a59f-5379d0ac5470';
    const properties: Record<string, Schema> = {
      colour: { ...string, enum: ['red'] },
      reference: { ...string, format: 'uuid' },
      caseId: string,
      amount: { type: 'number' },
    };
    const fields: Values = { colour: 'red', reference: id, caseId: id, amount: 5 };
    expect(distinct(textsOf(properties), fields)).toEqual(fields);
  });

  test('keeps the example of an operation that documents no conflict of its own', () => {
    const operation = withConflict({ type: 'object', properties: { name: string } }, [
      'idempotency_key_in_use',
    ]);
    expect(distinct(operation, { name: 'First note' })).toEqual({ name: 'First note' });
  });
});

test('a valid request that is refused is reported with operation, status, code and what to change', () => {
  const { id } = operations[0] as Operation;
  const text = JSON.stringify({ errors: [{ code: 'name_taken', message: 'x' }] });
  const refused = acceptanceError(operations[0] as Operation, { status: 409, headers: {}, text });
  expect(refused).toContain(`${id} refused`);
  expect(refused).toContain('409 name_taken');
  expect(refused).toContain('distinct values in `fieldsOf` of test/sweeps/support/requests.ts');
});
