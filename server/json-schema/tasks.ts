import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Json } from '../json/index.ts';
import { cached, compileInputSchema, reportedErrors } from './compile.ts';

/** Both as JSON text, which is the fastest way to pass values between processes. */
export interface SchemaTask {
  schema: string;
  parameters: string;
}

/** `failure`: why the schema cannot be compiled. */
export type SchemaTaskResult = { errors: ErrorObject[] } | { failure: string };

const compiled = cached<ValidateFunction | string>(50);

/** Runs in a process of the pool, which caches compiled schemas. */
export function checkParameters({ schema, parameters }: SchemaTask): SchemaTaskResult {
  const validate = compiled(schema, () => {
    try {
      return compileInputSchema(JSON.parse(schema) as Json);
    } catch (error) {
      return String(error);
    }
  });
  if (typeof validate === 'string') return { failure: validate };
  return { errors: reportedErrors(validate, JSON.parse(parameters)) };
}
