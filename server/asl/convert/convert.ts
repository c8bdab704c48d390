import { isDeeperThan, isObject, pointerTo } from '../../json/index.ts';
import { maxDepth } from '../validation/limits.ts';
import { withinLongestRun } from './durations.ts';
import type { Fields } from './flow.ts';
import { isForeign } from './integrations.ts';
import { reportExpressions } from './jsonata-states.ts';
import { withObjectResults } from './results.ts';
import { convertScope } from './states.ts';
import type { Reporter } from './templates.ts';

/** What a conversion reports about a part of the given definition. */
export interface ConversionFinding {
  /**
   * `unsupported`: not converted. `todo`: converted, but the author must complete it. `note`: converted, with a
   * difference that may matter.
   */
  kind: keyof Reporter;
  /** A JSON Pointer into the given definition. */
  pointer: string;
  message: string;
}

/**
 * Converts a definition of AWS Step Functions, whose query language is JSONPath unless it or a state says JSONata, to one
 * for this platform: JSONata throughout, with the platform's tasks. One of this platform is returned as it is.
 *
 * The result starts with a Pass that makes the parameters of the execution the input of the former first state.
 */
export function convertDefinition(document: unknown): { definition: unknown; findings: ConversionFinding[] } {
  const findings: ConversionFinding[] = [];
  const result = (definition: unknown) => ({ definition, findings: withoutRepeatedNotes(findings) });
  const add = (kind: keyof Reporter) => (pointer: string, message: string) =>
    void findings.push({ kind, pointer, message });
  const report: Reporter = { unsupported: add('unsupported'), todo: add('todo'), note: add('note') };
  if (!isObject(document)) {
    report.unsupported('', 'a definition must be an object');
    return result(document);
  }
  if (isDeeperThan(document, maxDepth)) {
    report.unsupported('', `a definition must not be nested deeper than ${maxDepth} levels`);
    return result(document);
  }
  const { QueryLanguage: language, Comment, ...scope } = document;
  if (language === 'JSONata' && isOfThePlatform(document)) {
    report.note('', 'the definition already is JSONata and has no task of AWS: nothing to convert');
    reportExpressions(document, '', report);
    return result(document);
  }
  reportPlaceholders(document, report);
  const converted = withObjectResults(
    convertScope(withinLongestRun(scope, report), '', { report, language }),
    report,
  );
  reportHiddenFunctions(document, converted, report);
  return result({
    ...(Comment !== undefined && { Comment }),
    QueryLanguage: 'JSONata',
    ...withParameters(converted),
  });
}

/** The same note at several places is one, at the first of them. */
function withoutRepeatedNotes(findings: ConversionFinding[]): ConversionFinding[] {
  const notes = Map.groupBy(findings, ({ kind, message }) => (kind === 'note' ? message : undefined));
  return findings.flatMap((finding) => {
    const [first, ...others] = (finding.kind === 'note' && notes.get(finding.message)) || [finding];
    if (first !== finding) return [];
    const times = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return [{ ...finding, message: finding.message + times }];
  });
}

/**
 * Whether a definition in JSONata is one of this platform: its tasks are, or it has none and reads the `parameters` in
 * which the input of an execution is here.
 */
function isOfThePlatform(document: Fields): boolean {
  const resources = resourcesOf(document);
  if (resources.length === 0) return /\bparameters\b/.test(JSON.stringify(document));
  return !resources.some(isForeign);
}

function resourcesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { Type, Resource } = value as Fields;
  return [...(Type === 'Task' ? [Resource] : []), ...Object.values(value).flatMap(resourcesOf)];
}

/** The input of an execution here is an object whose `parameters` are the input on AWS. */
function withParameters(scope: Fields): Fields {
  const { StartAt, States, ...others } = scope;
  if (!isObject(States)) return scope;
  const taken = namesOfStates(scope);
  let name = 'Parameters';
  for (let number = 2; taken.has(name); number++) name = `Parameters ${number}`;
  const first = { Type: 'Pass', Output: '{% $states.input.parameters %}', Next: StartAt };
  return { ...others, StartAt: name, States: { [name]: first, ...States } };
}

/** The names of states must be unique in the whole definition. */
function namesOfStates(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const { States } = value as Fields;
  const own = isObject(States) ? Object.keys(States) : [];
  return new Set([...own, ...Object.values(value).flatMap((member) => [...namesOfStates(member)])]);
}

/** A variable hides the function of the same name. JSONPath has no functions of such names, JSONata has many. */
function reportHiddenFunctions(document: Fields, converted: Fields, report: Reporter): void {
  const called = new Set([...JSON.stringify(converted).matchAll(/\$(\w+)\(/g)].map(([, name]) => name));
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) visit(member, pointer + pointerTo(name));
    const { Assign } = value as Fields;
    for (const key of Object.keys(isObject(Assign) ? Assign : {})) {
      const name = key.replace(/\.\$$/, '');
      if (!called.has(name)) continue;
      const message = `rename the variable: it hides the function $${name}, which converted expressions call`;
      report.todo(pointer + pointerTo('Assign') + pointerTo(key), message);
    }
  };
  visit(document, '');
}

/** Placeholders of deployment tools, such as SAM, CloudFormation and Terraform. */
function reportPlaceholders(document: unknown, report: Reporter): void {
  const seen = new Set<string>();
  const visit = (value: unknown, pointer: string, key: string): void => {
    if (typeof value === 'string' && key !== 'Resource' && key !== 'FunctionName') {
      for (const [placeholder] of value.matchAll(/\$\{[^{}]+\}/g)) {
        if (seen.has(placeholder)) continue;
        seen.add(placeholder);
        report.todo(pointer, `replace ${placeholder}: no deployment tool fills it in here`);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) visit(member, pointer + pointerTo(name), name);
    }
  };
  visit(document, '', '');
}
