import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import { stopAtLimit } from '../../contract/index.ts';

/** Returns what is wrong with a value; [] if it matches. */
export type Check = (value: unknown) => ErrorObject[];

/** Compiles a check that collects all errors, up to `rawErrorLimit`. */
export function checkOf(schema: object, options: Options = {}): Check {
  const ajv = new Ajv2020({
    ...options,
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    // Compiling the schema of schemas takes longer than everything else.
    validateSchema: false,
    code: { process: stopAtLimit },
  });
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}
