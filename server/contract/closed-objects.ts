import { type ContractDocument, resolve, type Schema } from './document.ts';

type Content = { content?: Record<string, { schema?: Schema }> };

/**
 * A copy of the contract whose objects have no other properties than the declared ones. Published response objects and
 * events are open, because a minor version may add fields; what this server sends is checked against the closed ones.
 * An object that allows any JSON on purpose says `additionalProperties: true` and stays open.
 */
export function withClosedObjects(document: ContractDocument): ContractDocument {
  const copy = structuredClone(document);
  for (const schema of Object.values(copy.components['schemas'] ?? {})) close(schema as Schema);
  const operations = [copy.paths, copy.webhooks ?? {}]
    .flatMap((section) => Object.values(section).flatMap((item) => Object.values(item)))
    .filter((one): one is { requestBody?: Content; responses: Record<string, Content> } =>
      Object.hasOwn(one as object, 'responses'),
    );
  for (const { requestBody = {}, responses } of operations)
    for (const body of [requestBody, ...Object.values(responses)])
      for (const { schema } of Object.values(resolve(copy, body).content ?? {})) if (schema) close(schema);
  return copy;
}

function close(schema: Schema): void {
  const { type, properties = {}, items } = schema;
  const isObject = [type].flat().includes('object');
  const parts = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => (schema[keyword] as Schema[]) ?? []);
  // Only `unevaluatedProperties` sees the properties of the parts, which stay open themselves.
  const keyword = parts.length > 0 ? 'unevaluatedProperties' : 'additionalProperties';
  if (isObject && schema.additionalProperties === undefined) schema[keyword] ??= false;
  for (const one of Object.values(properties)) close(one);
  if (items) close(items);
  if (!isObject) for (const part of parts) close(part);
}
