import { isObject } from '../../domain/objects.ts';
import type { Definition } from './definition.ts';
import type { Checker } from './validation/checker.ts';
import { isDeeperThan, type Problem } from './validation/problems.ts';
import { checkScope } from './validation/scope.ts';
import { secondOpinion } from './validation/second-opinion.ts';
import { definitionFields } from './validation/states.ts';
import { checkVariables } from './validation/variables.ts';

export type { Problem };

const resources = [
  'wrp:http:call',
  'wrp:resource:create',
  'wrp:attachment:create',
  'wrp:mail:send',
  'wrp:callback:wait',
] as const;

export type SupportedResource = (typeof resources)[number];

/** The tasks that an execution can do: what a Task's Resource may be. */
export const supportedResources: ReadonlySet<string> = new Set(resources);

/** Arrays and objects inside each other; a definition is written by hand. */
const deepest = 100;

/**
 * Whether a document is a definition that this platform runs: the Amazon States Language with JSONata, and nothing of
 * it that we do not support. Every problem is told at once, in the order of the document.
 *
 * @param resources what a Task's Resource may be.
 */
export function validateDefinition(
  document: unknown,
  resources: ReadonlySet<string> = supportedResources,
): { definition: Definition } | { problems: Problem[] } {
  if (!isObject(document)) return { problems: [{ path: '', message: 'A definition is an object' }] };
  if (isDeeperThan(document, deepest)) {
    return { problems: [{ path: '', message: `A definition is not nested deeper than ${deepest} levels` }] };
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
  if (problems.length === 0) problems.push(...secondOpinion(document));
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
