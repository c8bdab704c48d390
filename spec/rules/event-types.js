import { descriptions } from './descriptions.js';
import { suggestion } from './nearest.js';
import { inlined } from './schema.js';

const property = (schema, name) =>
  schema?.properties?.[name] ?? schema?.allOf?.map((part) => property(part, name)).find(Boolean);

/**
 * The name of a webhook is the only `type` of its payload, so that receivers find the description of an event by its
 * `type`, and its signature header is required. An operation whose change has no event says why in `x-no-event`. Texts name only existing event types: `user.updated`, and `.terminated`
 * after it.
 */
export function EventTypes() {
  const types = new Set();
  const { visitor, texts } = descriptions();
  return {
    ...visitor,
    Root: {
      leave(_root, { report }) {
        const subjects = new Set([...types].map((type) => type.split('.')[0]));
        for (const { type, offset, locate } of texts.flatMap(namedIn)) {
          if (types.has(type) || !subjects.has(type.split('.')[0])) continue;
          const message = `\`${type}\` is not an event type.${suggestion(type, types)}`;
          report({ message, location: locate(offset) });
        }
      },
    },
    Operation(operation, context) {
      visitor.Operation(operation, context);
      const { report, location, key } = context;
      const reason = operation['x-no-event'];
      if (reason === undefined) return;
      const at = location.child(['x-no-event']);
      if (typeof reason !== 'string' || !/\S+\s+\S+/.test(reason))
        report({ message: 'Say in `x-no-event` why nobody needs to know of the change.', location: at });
      else if (key === 'get')
        report({ message: 'A GET changes nothing, so it needs no `x-no-event`: remove it.', location: at });
    },
    WebhooksMap(webhooks, { report, resolve, location }) {
      for (const [type, rawItem] of Object.entries(webhooks)) {
        types.add(type);
        const item = resolve(rawItem);
        const at = rawItem.$ref ? item.location : location.child([type]);
        const file = at.source.absoluteRef;
        const body = resolve(item.node?.post?.requestBody ?? {}, file).node;
        const schema = body?.content?.['application/json']?.schema;
        const sent = property(inlined(schema ?? {}, { resolve, location: at }), 'type')?.enum ?? [];
        if (sent.length !== 1 || sent[0] !== type) {
          // Texts may name it either way, until one of the two is corrected.
          for (const name of sent) types.add(name);
          report({
            message: `The payload's \`type\` must be \`enum: [${type}]\`, not [${sent.join(', ')}].`,
            location: location.child([type]).key(),
          });
        }
        const headers = (item.node?.post?.parameters ?? []).map((parameter) => resolve(parameter, file).node);
        if (!headers.some((header) => header?.name === 'Webhook-Signature' && header.required)) {
          report({ message: 'Require the header `Webhook-Signature`.', location: at });
        }
      }
    },
  };
}

/** The event types in a text. `.terminated` has the subject of the previous type on the line. */
function namedIn({ text, locate }) {
  let subject;
  let line;
  return [...text.matchAll(/`(\w*)\.([a-z]\w*)`/g)].flatMap(({ 1: own, 2: what, index }) => {
    const end = text.indexOf('\n', index);
    if (line !== end) subject = undefined;
    line = end;
    subject = own || subject;
    return subject ? [{ type: `${subject}.${what}`, offset: index, locate }] : [];
  });
}
