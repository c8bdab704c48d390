import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type Route, routesOf } from '../../server/src/contract/routes.ts';
import type { Contract } from '../contract/source.ts';
import type { Missing } from './answer.ts';
import type { Locator } from './locator.ts';

const handlers = 'server/src/handlers/';
const tests = 'test/endpoints/';
/** An operation may be tested where its matter is: the keys of webhooks with the webhooks. */
const testFolders = ['endpoints', 'files', 'links', 'platform-rules', 'webhooks', 'workflows'];
const matrix = 'test/sweeps/authorization-matrix.txt';

/** Tells which operations of a contract have no handler, no test of their own, no line in the permission matrix. */
export type FindMissing = (contract: Contract, locate: Locator) => Promise<Missing[]>;

/** Reads a file anew only where it changed. */
export function missingFinder(root: URL): FindMissing {
  const names = new Map<string, { stamp: number; names: Set<string> }>();

  async function namesIn(file: string, read: (text: string) => Set<string>): Promise<Set<string>> {
    const url = new URL(file, root);
    const { mtimeMs } = await stat(url);
    const known = names.get(file);
    if (known?.stamp === mtimeMs) return known.names;
    const found = read(await readFile(url, 'utf8'));
    names.set(file, { stamp: mtimeMs, names: found });
    return found;
  }

  async function namesBelow(folder: string, ending: string, read: (text: string) => Set<string>) {
    const files = await readdir(fileURLToPath(new URL(folder, root))).catch(() => []);
    const some = await Promise.all(
      files
        .filter((name) => name.endsWith(ending))
        .map((name) => namesIn(`${folder}${name}`, read).catch(() => new Set<string>())),
    );
    return new Set(some.flatMap((found) => [...found]));
  }

  return async (contract, locate) => {
    const [handled, tested, listed] = await Promise.all([
      namesBelow(handlers, '.ts', propertyNames),
      Promise.all(testFolders.map((folder) => namesBelow(`test/${folder}/`, '.test.ts', describedNames))),
      namesIn(matrix, firstWords).catch(() => new Set<string>()),
    ]);
    const isTested = (name: string) => tested.some((names) => names.has(name));
    return routesOf(contract).flatMap((route) => {
      const { operationId, security = [] } = route.operation;
      const place = locate(['paths', route.path, route.method, 'operationId']);
      const lacks = (what: Missing['what'], mend: string): Missing => ({ ...place, what, operationId, mend });
      const found: Missing[] = [];
      if (!handled.has(operationId)) found.push(lacks('handler', handlerAdvice(route)));
      if (!isTested(operationId) && !isTested(route.path)) found.push(lacks('test', testAdvice(route)));
      if (security.length > 0 && !listed.has(operationId)) found.push(lacks('matrix line', matrixAdvice));
      return found;
    });
  };
}

const matrixAdvice = `Call vitest on test/sweeps/authorization.test.ts with UPDATE_MATRIX=1, and approve its line in ${matrix}.`;

function handlerAdvice({ operation }: Route): string {
  return `Write \`${operation.operationId}\` in ${handlers}${resourceOf(operation)}.ts.`;
}

function testAdvice({ operation }: Route): string {
  const { operationId } = operation;
  return `Write describe('${operationId}', …) in ${tests}${resourceOf(operation)}.test.ts.`;
}

/** The tag: one resource is one word in every folder. */
function resourceOf(operation: Route['operation']): string {
  return (operation as { tags?: string[] }).tags?.[0] ?? '<resource>';
}

/** The names that object literals give to what they hold: a handler is a method of one. */
function propertyNames(text: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const isProperty =
      ts.isMethodDeclaration(node) || ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
    if (isProperty && ts.isIdentifier(node.name)) found.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('handlers.ts', text, ts.ScriptTarget.Latest));
  return found;
}

/** What `describe` is called with: an operationId, or in a table (`describe.each`) the paths that it goes over. */
function describedNames(text: string): Set<string> {
  const direct = [...text.matchAll(/\bdescribe(?:\.\w+)*\(\s*(['"`])(\w+)\1/g)].map(
    ([, , name = '']) => name,
  );
  const tables = [...text.matchAll(/\bdescribe\.each\(\[([^\]]*)\]/g)].flatMap(([, table = '']) =>
    [...table.matchAll(/(['"`])([\w/{}-]+)\1/g)].map(([, , name = '']) => name),
  );
  return new Set([...direct, ...tables]);
}

function firstWords(text: string): Set<string> {
  return new Set([...text.matchAll(/^\w+/gm)].map(([name]) => name));
}
