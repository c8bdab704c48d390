import { isObject, pointerTo } from '../../json/index.ts';
import { containsExpression, isExpression, sourceOf } from '../expressions.ts';
import { findingsInExpressions } from '../validation/expressions.ts';
import { timeoutField } from './durations.ts';
import type { Fields } from './flow.ts';
import { isForeign, taskFor } from './integrations.ts';
import type { Reporter } from './templates.ts';
import { asSource, asTemplate, delimited, Expr, membersOf, quoted, type Value } from './values.ts';

const templates = new Set(['Arguments', 'Output', 'Assign', 'Items', 'ItemSelector']);

/** A state, rule or Catcher that already is JSONata: text around an expression, which AWS does not evaluate, is quoted. */
export function withQuotedTexts(owner: Fields, pointer: string, report: Reporter): Fields {
  const fields = Object.entries(owner).map(([name, value]) => {
    const at = pointer + pointerTo(name);
    if (templates.has(name)) return [name, quotedTexts(value, at, report)];
    if ((name !== 'Choices' && name !== 'Catch') || !Array.isArray(value)) return [name, value];
    const quotedIn = (each: unknown, index: number) =>
      isObject(each) ? withQuotedTexts(each, at + pointerTo(index), report) : each;
    return [name, value.map(quotedIn)];
  });
  return Object.fromEntries(fields);
}

function quotedTexts(template: unknown, pointer: string, report: Reporter): unknown {
  if (typeof template === 'string') {
    if (!containsExpression(template) || template.startsWith('{%') || template.endsWith('%}'))
      return template;
    report.note(pointer, 'AWS does not evaluate an expression with text around it: the whole text is quoted');
    return delimited(quoted(template));
  }
  if (typeof template !== 'object' || template === null) return template;
  if (Array.isArray(template))
    return template.map((each, index) => quotedTexts(each, pointer + pointerTo(index), report));
  const members = Object.entries(template);
  return Object.fromEntries(
    members.map(([key, member]) => [key, quotedTexts(member, pointer + pointerTo(key), report)]),
  );
}

const scopes = new Set(['Branches', 'ItemProcessor', 'Iterator']);

/** A state that already is JSONata: the input of the execution is in its field `parameters`. */
export function withExecutionInput(state: Fields): Fields {
  const fields = Object.entries(state);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, scopes.has(name) ? value : readingParameters(value)]),
  );
}

function readingParameters(value: unknown): unknown {
  if (isExpression(value))
    return value.replaceAll(/\$states\.context\.Execution\.Input\b(?!\.parameters\b)/g, '$&.parameters');
  if (Array.isArray(value)) return value.map(readingParameters);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, readingParameters(member)]));
}

/** A state that already is JSONata, with the platform's task in place of one of AWS. */
export function withTask(state: Fields, pointer: string, report: Reporter): Fields {
  reportExpressions(ownFields(state), pointer, report);
  const { Type, Resource, Credentials, ...others } = state;
  if (Type !== 'Task' || !isForeign(Resource)) return state;
  const given =
    state['Arguments'] === undefined ? new Expr('$states.input') : parsedTemplate(state['Arguments']);
  const task = taskFor(Resource, given);
  if (task.todo) report.todo(pointer + pointerTo('Resource'), task.todo);
  for (const field of ['Output', 'Assign']) {
    const missing = missingFields(state[field], task.result);
    const message = `replace $states.result.${missing.join(', $states.result.')}: the result here has no such field`;
    if (missing.length > 0) report.todo(pointer + pointerTo(field), message);
  }
  if (Credentials !== undefined) {
    report.todo(
      pointer + pointerTo('Credentials'),
      'Credentials is left out: send them in the headers of the call',
    );
  }
  return {
    Type,
    ...others,
    Resource: task.resource,
    Arguments: asTemplate(task.arguments),
    ...timeoutField(state, task.timeoutSeconds),
    Output: asTemplate(
      replaced(
        state['Output'] === undefined ? new Expr('$states.result') : parsedTemplate(state['Output']),
        task.result,
      ),
    ),
    ...(state['Assign'] !== undefined && {
      Assign: asTemplate(replaced(parsedTemplate(state['Assign']), task.result)),
    }),
  };
}

/** The fields of a state without the states in it. */
function ownFields({ Branches: _, ItemProcessor: __, Iterator: ___, ...own }: Fields): Fields {
  return own;
}

/** Reports what the expressions of a part of a definition read or call that does not exist here. */
export function reportExpressions(value: unknown, pointer: string, report: Reporter): void {
  for (const { path, message } of findingsInExpressions(value, pointer)) {
    report.todo(path, `change the expression: ${message}`);
  }
}

function parsedTemplate(template: unknown): Value {
  if (isExpression(template)) return new Expr(sourceOf(template).trim(), { atomic: false });
  if (Array.isArray(template)) return template.map(parsedTemplate);
  if (typeof template !== 'object' || template === null) return template as Value;
  return Object.fromEntries(Object.entries(template).map(([key, member]) => [key, parsedTemplate(member)]));
}

const resultField = /\$states\.result\b(?:\.(\w+))?/g;

/** The fields of `$states.result` in a template that it does not have here. */
function missingFields(template: unknown, result: Value): string[] {
  const members = membersOf(result);
  if (!members || template === undefined) return [];
  const names = [...JSON.stringify(template).matchAll(resultField)].map(([, name]) => name);
  return [...new Set(names)].filter(
    (name) => name !== undefined && !Object.hasOwn(members, name),
  ) as string[];
}

/** The template with what `$states.result` is here. */
function replaced(value: Value, result: Value): Value {
  if (value instanceof Expr) {
    const source = value.source.replaceAll(resultField, (whole, name?: string) => {
      const members = membersOf(result);
      if (!members) return name === undefined ? asSource(result) : `${asSource(result)}.${name}`;
      if (name === undefined) return asSource(result);
      return Object.hasOwn(members, name) ? asSource(members[name] as Value) : whole;
    });
    return new Expr(source, { atomic: value.atomic });
  }
  if (Array.isArray(value)) return value.map((each) => replaced(each, result));
  const members = membersOf(value);
  if (!members) return value;
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, replaced(member, result)]));
}
