import { isDeeperThan, isObject } from '../json/index.ts';
import type { Definition } from './definition.ts';
import type { Checker } from './validation/checker.ts';
import type { Problem } from './validation/problems.ts';
import { checkScope } from './validation/scope.ts';
import { definitionFields } from './validation/states.ts';
import { checkVariables } from './validation/variables.ts';

/** Nesting levels of a definition. */
const maxDepth = 100;

/**
 * Validates a definition: the Amazon States Language with JSONata, limited to what the interpreter supports. All problems
 * are reported at once, in the order of the document.
 *
 * @param resources the supported values of a Task's Resource
 */
export function validateDefinition(
  document: unknown,
  resources: ReadonlySet<string>,
): { definition: Definition } | { problems: Problem[] } {
  if (!isObject(document)) return { problems: [{ path: '', message: 'A definition must be an object' }] };
  if (isDeeperThan(document, maxDepth)) {
    return {
      problems: [{ path: '', message: `A definition must not be nested deeper than ${maxDepth} levels` }],
    };
  }
  const problems: Problem[] = [];
  const checker: Checker = {
    report: (path, message) => problems.push({ path, message }),
    resources,
    names: new Map(),
    scopes: [],
    checkScope: (...scope) => checkScope(checker, ...scope),
  };
  checkQueryLanguage(document, checker);
  checker.checkScope(document, definitionFields, '', undefined);
  checkVariables(checker);
  return problems.length === 0 ? { definition: document as unknown as Definition } : { problems };
}

function checkQueryLanguage({ QueryLanguage: language }: Record<string, unknown>, { report }: Checker): void {
  if (language === undefined) {
    report(
      '',
      'QueryLanguage is missing, which means JSONPath; only "QueryLanguage": "JSONata" is supported',
    );
  } else if (language !== 'JSONata') {
    report('/QueryLanguage', 'Only the query language JSONata is supported; JSONPath is not');
  }
}
