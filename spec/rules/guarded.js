/**
 * Makes a rule that fails say where: Redocly tells an error's message alone. The message then begins with the place
 * in spec/rules/, and ends with what the rule was looking at.
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
      const lookingAt = source ? ` (looking at ${source.absoluteRef}${pointer})` : '';
      throw new Error(`${place} ${error?.message ?? error}${lookingAt}`, { cause: error });
    }
  };
}
