/** A mistake in one row: what it is called, its file, the edit, the rule, a part of the fix, and where it is shown. */
export type Row = [
  name: string,
  file: string,
  from: string | RegExp,
  to: string,
  rule: string,
  says: RegExp,
  at?: { file?: string; text: string },
];

export const entry = 'spec/openapi.yaml';
export const paths = 'spec/paths/users.yaml';
export const links = 'spec/paths/links.yaml';
export const schemas = 'spec/schemas/users.yaml';
export const examples = 'spec/examples/users.yaml';
export const webhooks = 'spec/webhooks/users.yaml';
export const parameters = 'spec/parameters.yaml';
export const headers = 'spec/headers.yaml';
export const errors = 'spec/schemas/errors.yaml';
export const email = '    email:\n      type: string\n';
