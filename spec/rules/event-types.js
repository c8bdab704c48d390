import { inlined } from './schema.js';

const property = (schema, name) =>
  schema?.properties?.[name] ?? schema?.allOf?.map((part) => property(part, name)).find(Boolean);

/**
 * A webhook is named after the one `type` that its payload can have, and demands the header with the
 * signature: a receiver finds the description of what arrived by its `type`.
 */
export function EventTypes() {
  return {
    WebhooksMap(webhooks, { report, resolve, location }) {
      for (const [type, rawItem] of Object.entries(webhooks)) {
        const item = resolve(rawItem);
        const at = rawItem.$ref ? item.location : location.child([type]);
        const file = at.source.absoluteRef;
        const body = resolve(item.node?.post?.requestBody ?? {}, file).node;
        const schema = body?.content?.['application/json']?.schema;
        const types = property(inlined(schema ?? {}, { resolve, location: at }), 'type')?.enum ?? [];
        if (types.length !== 1 || types[0] !== type) {
          report({
            message: `The payload's \`type\` must be \`enum: [${type}]\`, not [${types.join(', ')}].`,
            location: at,
          });
        }
        const headers = (item.node?.post?.parameters ?? []).map((parameter) => resolve(parameter, file).node);
        if (!headers.some((header) => header?.name === 'Webhook-Signature' && header.required)) {
          report({ message: 'Demand the header `Webhook-Signature`.', location: at });
        }
      }
    },
  };
}
