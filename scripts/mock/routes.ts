import type { OperationObject, Route } from '../../server/src/contract/routes.ts';
import type { Refuse } from './failure.ts';

/**
 * Finds the operation of a request. Where two paths match, the one with fewer parameters wins.
 * @throws {Refusal} 404 `path_not_found`, 405 `method_not_allowed` with `Allow`.
 */
export type FindOperation = (method: string, pathname: string) => OperationObject;

export function matching(routes: Route[], refuse: Refuse): FindOperation {
  const patterns = routes
    .map((route) => ({ ...route, pattern: patternOf(route.path) }))
    .sort((left, right) => parametersIn(left.path) - parametersIn(right.path));
  return (method, pathname) => {
    const candidates = patterns.filter(({ pattern }) => pattern.test(pathname));
    const [best] = candidates;
    if (!best) throw refuse(404, 'path_not_found');
    const samePath = candidates.filter(({ path }) => path === best.path);
    const found = samePath.find((route) => route.method === method.toLowerCase());
    if (found) return found.operation;
    const allow = samePath.map((route) => route.method.toUpperCase()).sort();
    throw refuse(405, 'method_not_allowed', { headers: { Allow: allow.join(', ') } });
  };
}

function patternOf(path: string): RegExp {
  const source = path
    .split(/\{[^}]+\}/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}
