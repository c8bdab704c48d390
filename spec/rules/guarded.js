/**
 * Adds positions to the message of an error that a rule throws, because Redocly shows only the message: it begins with
 * the position in spec/rules/ and ends with the visited node.
 */
export function guarded(rules) {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, (options) => guardedVisitor(rule(options))]),
  );
}

function guardedVisitor(visitor) {
  if (typeof visitor === 'function') return guardedVisit(visitor);
  if (visitor === null || typeof visitor !== 'object') return visitor;
  return Object.fromEntries(Object.entries(visitor).map(([name, part]) => [name, guardedVisitor(part)]));
}

function guardedVisit(visit) {
  return (node, context, ...rest) => {
    try {
      return visit(node, context, ...rest);
    } catch (error) {
      const place = /spec\/rules\/[\w-]+\.js:\d+:\d+/.exec(error?.stack ?? '')?.[0] ?? 'a rule';
      const { source, pointer = '' } = context?.location ?? {};
      const visited = source ? ` (visiting ${source.absoluteRef}${pointer})` : '';
      throw new Error(`${place} ${error?.message ?? error}${visited}`, { cause: error });
    }
  };
}
