interface Node {
  type: string;
  value?: unknown;
  steps?: Node[];
  lhs?: Node;
  rhs?: Node;
}

const operators = new Set(['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '&', 'and', 'or']);

/**
 * Whether an expression, given its syntax tree, costs at most a few passes over the values that it reads. Only paths
 * from a variable through names, literals, and operators on them are cheap; loops, calls, regular expressions, filters,
 * sort orders and everything else are not.
 */
export function isCheap(node: object): boolean {
  const { type, value, steps, lhs, rhs, ...rest } = node as Node & { position?: number };
  if (Object.keys(rest).some((name) => name !== 'position')) return false;
  switch (type) {
    case 'number':
    case 'string':
    case 'value':
    case 'variable':
      return true;
    case 'path':
      return steps?.every((step, index) => isStep(step, index === 0 ? 'variable' : 'name')) === true;
    case 'binary':
      return operators.has(String(value)) && !!lhs && !!rhs && isCheap(lhs) && isCheap(rhs);
    default:
      return false;
  }
}

function isStep(step: object, type: 'variable' | 'name'): boolean {
  const { length } = Object.keys(step).filter((name) => !['type', 'value', 'position'].includes(name));
  return length === 0 && (step as Node).type === type;
}
