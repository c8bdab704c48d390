import { isDeeperThan } from '../../domain/json.ts';
import { isObject } from '../../domain/objects.ts';
import { callbackResource, type Definition } from './definition.ts';
import type { Checker } from './validation/checker.ts';
import type { Problem } from './validation/problems.ts';
import { checkScope } from './validation/scope.ts';
import { definitionFields } from './validation/states.ts';
import { checkVariables } from './validation/variables.ts';

export type { Problem };

const resources = [
  'wrp:http:call',
  'wrp:resource:create',
  'wrp:attachment:create',
  'wrp:mail:send',
  callbackResource,
] as const;

export type SupportedResource = (typeof resources)[number];

/** The supported values of a Task's Resource. */
export const supportedResources: ReadonlySet<string> = new Set(resources);

/** Nesting levels of a definition. */
const maxDepth = 100;

/**
 * Validates a definition: the Amazon States Language with JSONata, limited to what this platform supports. All problems
 * are reported at once, in the order of the document.
 *
 * @param resources the supported values of a Task's Resource
 */
export function validateDefinition(
  document: unknown,
  resources: ReadonlySet<string> = supportedResources,
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
