import { readFileSync } from 'node:fs';
import Draft04 from 'ajv-draft-04';
import formats from 'ajv-formats';

/** The schema of SARIF 2.1.0, which is JSON Schema draft 04. */
const schema = JSON.parse(
  readFileSync('node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', 'utf8'),
);
const ajv = new Draft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
formats.default(ajv as never);
const validate = ajv.compile(schema);

/** What the schema of SARIF finds wrong in a log. */
export function sarifErrors(log: unknown): string[] {
  validate(JSON.parse(JSON.stringify(log)));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
