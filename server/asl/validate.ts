import { isObject } from '../json/index.ts';
import type { Definition } from './definition.ts';
import { isExpression } from './expressions.ts';
import type { Checker } from './validation/checker.ts';
import { findingsInExpressions } from './validation/expressions.ts';
import { problemOfLimits } from './validation/limits.ts';
import { usesJsonPath } from './validation/objects.ts';
import type { Problem } from './validation/problems.ts';
import { checkScope } from './validation/scope.ts';
import { definitionFields } from './validation/states.ts';
import { checkVariables } from './validation/variables.ts';
import { warningsInStates } from './validation/warnings.ts';

/**
 * Validates a definition: the Amazon States Language with JSONata, limited to what the interpreter supports. All problems
 * are reported at once, in the order of the document; a definition in JSONPath, or beyond
 * the limits, has just one.
 *
 * @param resources the supported values of a Task's Resource
 */
export function validateDefinition(
  document: unknown,
  resources: ReadonlySet<string>,
): { definition: Definition } | { problems: Problem[] } {
  if (!isObject(document)) return { problems: [{ path: '', message: 'A definition must be an object' }] };
  const limit = problemOfLimits(document);
  if (limit) return { problems: [limit] };
  if (isJsonPath(document)) {
    const path = document['QueryLanguage'] === undefined ? '' : '/QueryLanguage';
    return { problems: [{ path, message: `This is JSONPath, which is not supported: ${convert}` }] };
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

/** What is certain to fail or to do nothing: what is always undefined here, for example. The document need not be valid. */
export function warningsOf(document: unknown): Problem[] {
  if (!isObject(document) || problemOfLimits(document) || isJsonPath(document)) return [];
  const inExpressions = [...findingsInExpressions(document, '')].flatMap(({ isWarning, ...problem }) =>
    isWarning ? [problem] : [],
  );
  return [...inExpressions, ...warningsInStates(document)];
}

function isJsonPath(document: Record<string, unknown>): boolean {
  const { QueryLanguage: language } = document;
  if (language !== undefined) return language === 'JSONPath';
  return usesJsonPath(document) && !usesJsonata(document);
}

/** Whether a part that is not marked as JSONata has an expression: then QueryLanguage has been forgotten. */
function usesJsonata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isExpression(value);
  const marked = isObject(value) && value['QueryLanguage'] === 'JSONata';
  return !marked && Object.values(value).some(usesJsonata);
}

const convert = 'run `wrp definition convert FILE`';

function checkQueryLanguage({ QueryLanguage: language }: Record<string, unknown>, { report }: Checker): void {
  if (language === undefined) {
    report(
      '',
      `QueryLanguage is missing, which means JSONPath: add "QueryLanguage": "JSONata", or ${convert}`,
    );
  } else if (language !== 'JSONata') report('/QueryLanguage', 'Only the query language JSONata is supported');
}
