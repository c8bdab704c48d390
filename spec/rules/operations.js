const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * The operations of a section of the document (`paths` or `webhooks`), each with its location.
 *
 * @param context of the visit of `Root`
 */
export function operationsOf(root, section, context) {
  const at = context.location.child(section);
  return Object.keys(root[section] ?? {}).flatMap((path) => {
    const [item, itemAt] = followed(root[section][path], at.child(path), context);
    return Object.entries(item ?? {})
      .filter(([method, one]) => methods.includes(method) && one !== null && typeof one === 'object')
      .map(([method, operation]) => ({ path, method, operation, at: itemAt.child(method) }));
  });
}

/** The responses of an operation by status, each with its location. */
export function responsesOf({ operation, at }, context) {
  if (typeof operation.responses?.$ref === 'string') return [];
  return Object.entries(operation.responses ?? {}).map(([status, declared]) => {
    const [response, here] = followed(declared, at.child(['responses', status]), context);
    return { status, response, at: here };
  });
}

/** The target of a `$ref` with its location, or the node itself; [] if the `$ref` points to nothing. */
export function followed(node, at, context) {
  if (typeof node?.$ref !== 'string') return [node, at];
  const target = context.resolve(node, at.source.absoluteRef);
  return target.node === undefined ? [] : followed(target.node, target.location, context);
}

/** Whether a node is a header rather than a map of headers, which has only maps. */
export const isHeader = (node) => typeof (node?.schema?.type ?? node?.description) === 'string';
