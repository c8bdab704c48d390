/**
 * Reports an error that a rule throws as a problem, whose message begins with the position in spec/rules/ and ends with
 * the visited node.
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
      const message = `${place} ${error?.message ?? error}${visited}`;
      // A rule that fails must not hide what the others find.
      if (context?.report) return context.report({ message, location: context.location });
      throw new Error(message, { cause: error });
    }
  };
}
