import { isObject, pointerTo } from '../../json/index.ts';
import { reachableFrom } from '../validation/graph.ts';
import { withPathVariant } from '../validation/objects.ts';
import { reservedErrors } from '../validation/recovery.ts';
import { conditionOf } from './choices.ts';
import { timeoutField, withTaskTimes } from './durations.ts';
import { errorsOf, ownErrorName } from './errors.ts';
import { effectiveInput, type Fields, outputOf, placedResult, rawInput } from './flow.ts';
import { isForeign, type Task, taskFor } from './integrations.ts';
import { withExecutionInput, withQuotedTexts, withTask } from './jsonata-states.ts';
import { pathValue, queried, type Reporter, valueOfTemplate } from './templates.ts';
import { asSource, asTemplate, delimited, Expr, type Value } from './values.ts';

export interface Converter {
  report: Reporter;
  /** The query language of states without one of their own. */
  language: unknown;
}

/** Converts the states of a definition, a branch or an ItemProcessor. */
export function convertScope(scope: Fields, pointer: string, converter: Converter): Fields {
  const states = scope['States'];
  if (!isObject(states)) return scope;
  const at = pointer + pointerTo('States');
  const reached = reachableFrom(String(scope['StartAt']), states);
  // A transition to a state that does not exist is an error, which may be why others are unreachable.
  const isComplete = [...reached].every((name) => Object.hasOwn(states, name));
  const entries = Object.entries(states).flatMap(([name, state]) => {
    const statePointer = at + pointerTo(name);
    if (isComplete && !reached.has(name)) {
      converter.report.note(statePointer, 'the state is unreachable and is left out');
      return [];
    }
    return [[name, isObject(state) ? convertState(state, statePointer, converter) : state]];
  });
  return { ...scope, States: Object.fromEntries(entries) };
}

function convertState(given: Fields, pointer: string, converter: Converter): Fields {
  const { report, language } = converter;
  const state = withTaskTimes(given, pointer, report);
  if ((state['QueryLanguage'] ?? language) === 'JSONata') {
    const adapted = withExecutionInput(withQuotedTexts(state, pointer, report));
    return {
      ...withTask(adapted, pointer, report),
      ...innerScopes(adapted, pointer, converter),
      ...recovery(adapted, pointer, report),
    };
  }
  const input = effectiveInput(state, pointer, report);
  const own = ownFields(state, input, pointer, converter);
  const others = Object.entries(state).filter(([name]) => !converted.has(name));
  const last = others.filter(([name]) => transitions.has(name));
  return {
    Type: state['Type'],
    ...(state['Comment'] !== undefined && { Comment: state['Comment'] }),
    ...Object.fromEntries(others.filter(([name]) => !transitions.has(name))),
    ...fromPaths(state, input, pointer, report),
    ...own,
    ...Object.fromEntries(last),
  };
}

const transitions = new Set(['Next', 'End', 'Default']);

/** Fields that `convertState` writes anew or leaves out. */
const converted = new Set([
  ...`Type Comment QueryLanguage InputPath OutputPath ResultPath Parameters ResultSelector Result Resource Credentials
    Choices Branches ItemsPath ItemSelector ItemProcessor Iterator Label Assign Retry Catch Error Cause`.split(
    /\s+/,
  ),
  ...withPathVariant.map((name) => `${name}Path`),
]);

/** The paths of these fields may lead to a number in a text, as executions recorded on AWS show. */
const textualNumbers = new Set(['MaxConcurrency', 'ToleratedFailureCount', 'ToleratedFailurePercentage']);

const numberOf = (value: Value) => new Expr(`$number(${asSource(value)})`, { single: true });

function fromPaths(state: Fields, input: Value, pointer: string, report: Reporter): Fields {
  const fields: Fields = {};
  for (const name of withPathVariant) {
    const path = state[`${name}Path`];
    if (path === undefined) continue;
    const value = queried(path, input, pointer + pointerTo(`${name}Path`), report);
    fields[name] = asTemplate(textualNumbers.has(name) ? numberOf(value) : value);
  }
  return fields;
}

function ownFields(state: Fields, input: Value, pointer: string, converter: Converter): Fields {
  const { report } = converter;
  switch (state['Type']) {
    case 'Task':
      return task(state, input, pointer, report);
    case 'Parallel':
      return {
        ...argumentsField(argumentsOf(state, input, pointer, report)),
        ...innerScopes(state, pointer, converter),
        ...leaving(state, new Expr('$states.result'), pointer, report),
      };
    case 'Map':
      return {
        ...mapFields(state, input, pointer, report),
        ...innerScopes(state, pointer, converter),
        ...leaving(state, new Expr('$states.result'), pointer, report),
      };
    case 'Choice':
      return choice(state, input, pointer, report);
    case 'Fail':
      return fail(state, pointer, report);
    default: {
      const isPass = state['Type'] === 'Pass';
      const result = isPass ? passResult(state, input, pointer, report) : input;
      const output = outputOf(state, result, pointer, report);
      return { ...outputField(output, rawInput), ...assignField(state, result, pointer, report) };
    }
  }
}

function fail({ Error: error, Cause: cause }: Fields, pointer: string, report: Reporter): Fields {
  const fields: Fields = {};
  if (typeof error === 'string') {
    const name = ownErrorName(error);
    fields['Error'] = asTemplate(name);
    if (reservedErrors.has(error)) {
      const message = `the state fails with ${name}: ${error} is reserved, name ${name} in Retry and Catch`;
      report.todo(pointer + pointerTo('Error'), message);
    }
  }
  if (cause !== undefined) fields['Cause'] = asTemplate(cause as Value);
  return fields;
}

function passResult(state: Fields, input: Value, pointer: string, report: Reporter): Value {
  return state['Result'] === undefined
    ? argumentsOf(state, input, pointer, report)
    : (state['Result'] as Value);
}

/** Parameters, by default the input. */
function argumentsOf(state: Fields, input: Value, pointer: string, report: Reporter): Value {
  const parameters = state['Parameters'];
  return parameters === undefined
    ? input
    : valueOfTemplate(parameters, input, pointer + pointerTo('Parameters'), report);
}

const argumentsField = (value: Value): Fields =>
  isSame(value, rawInput) ? {} : { Arguments: asTemplate(value) };

const outputField = (value: Value, byDefault: Expr): Fields =>
  isSame(value, byDefault) ? {} : { Output: asTemplate(value) };

const isSame = (value: Value, expression: Expr) =>
  value instanceof Expr && value.source === expression.source;

function assignField(owner: Fields, data: Value, pointer: string, report: Reporter): Fields {
  const assign = owner['Assign'];
  if (assign === undefined) return {};
  return { Assign: asTemplate(valueOfTemplate(assign, data, pointer + pointerTo('Assign'), report)) };
}

function task(state: Fields, input: Value, pointer: string, report: Reporter): Fields {
  const resource = state['Resource'];
  const given = argumentsOf(state, input, pointer, report);
  const unchanged = { resource, arguments: given, result: new Expr('$states.result') };
  const replaced: Omit<Task, 'resource'> & { resource: unknown } = isForeign(resource)
    ? taskFor(resource, given)
    : unchanged;
  if (replaced.todo) report.todo(pointer + pointerTo('Resource'), replaced.todo);
  if (state['Credentials'] !== undefined) {
    report.todo(
      pointer + pointerTo('Credentials'),
      'Credentials is left out: send them in the headers of the call',
    );
  }
  return {
    Resource: replaced.resource,
    ...argumentsField(replaced.arguments),
    ...timeoutField(state, replaced.timeoutSeconds),
    ...leaving(state, replaced.result, pointer, report),
  };
}

/** What follows a result: ResultSelector, ResultPath, OutputPath, Assign, Retry and Catch. */
function leaving(state: Fields, result: Value, pointer: string, report: Reporter): Fields {
  const selector = state['ResultSelector'];
  const selected =
    selector === undefined
      ? result
      : valueOfTemplate(selector, result, pointer + pointerTo('ResultSelector'), report);
  return {
    ...outputField(outputOf(state, selected, pointer, report), new Expr('$states.result')),
    ...assignField(state, selected, pointer, report),
    ...recovery(state, pointer, report, (catcher, at) => ({
      ...outputField(placedResult(catcher, errorOutput, at, report), errorOutput),
      ...assignField(catcher, errorOutput, at, report),
    })),
  };
}

const errorOutput = new Expr('$states.errorOutput');

/** Retry and Catch with the names of errors here. */
function recovery(
  state: Fields,
  pointer: string,
  report: Reporter,
  outputs: ((catcher: Fields, pointer: string) => Fields) | undefined = undefined,
): Fields {
  const fields: Fields = {};
  for (const name of ['Retry', 'Catch']) {
    const list = state[name];
    if (list === undefined) continue;
    fields[name] = (Array.isArray(list) ? list : [list]).map((each, index) => {
      if (!isObject(each)) return each;
      const at = pointer + pointerTo(name) + pointerTo(index);
      const { ResultPath, ErrorEquals, ...others } = each;
      const errors = errorsOf(ErrorEquals, state, at, report);
      return { ...errors, ...others, ...(name === 'Catch' && outputs?.(each, at)) };
    });
  }
  return fields;
}

function choice(state: Fields, input: Value, pointer: string, report: Reporter): Fields {
  const output = outputField(outputOf(state, input, pointer, report), rawInput);
  const rules = Array.isArray(state['Choices']) ? state['Choices'] : [];
  const at = pointer + pointerTo('Choices');
  return {
    Choices: rules.map((rule, index) => {
      const { Next, Comment } = isObject(rule) ? rule : {};
      return {
        ...(Comment !== undefined && { Comment }),
        Condition: delimited(conditionOf(rule, input, at + pointerTo(index), report)),
        ...output,
        ...(isObject(rule) && assignField(rule, input, at + pointerTo(index), report)),
        Next,
      };
    }),
    ...output,
    ...assignField(state, input, pointer, report),
  };
}

function mapFields(state: Fields, input: Value, pointer: string, report: Reporter): Fields {
  const { ItemsPath = '$', ItemSelector, Parameters } = state;
  const items = pathValue(ItemsPath, input, pointer + pointerTo('ItemsPath'), report);
  const [field, selector] =
    ItemSelector === undefined ? ['Parameters', Parameters] : ['ItemSelector', ItemSelector];
  return {
    ...(!isSame(items, rawInput) && { Items: asTemplate(items) }),
    ...(selector !== undefined && {
      ItemSelector: asTemplate(
        valueOfTemplate(selector, input, pointer + pointerTo(field as string), report),
      ),
    }),
  };
}

/** Branches and ItemProcessor; reports the fields of the distributed Map. */
function innerScopes(state: Fields, pointer: string, converter: Converter): Fields {
  const { report } = converter;
  for (const name of ['ItemReader', 'ItemBatcher', 'ResultWriter']) {
    if (state[name] !== undefined) {
      report.unsupported(
        pointer + pointerTo(name),
        `${name} of the distributed Map: pass the items in the input`,
      );
    }
  }
  const { Branches, ItemProcessor, Iterator: iterator } = state;
  const fields: Fields = {};
  if (Array.isArray(Branches)) {
    fields['Branches'] = Branches.map((branch, index) =>
      isObject(branch)
        ? convertScope(branch, pointer + pointerTo('Branches') + pointerTo(index), converter)
        : branch,
    );
  }
  const [name, processor] =
    ItemProcessor === undefined ? ['Iterator', iterator] : ['ItemProcessor', ItemProcessor];
  if (isObject(processor)) {
    const at = pointer + pointerTo(name as string);
    const { ProcessorConfig, ...scope } = processor;
    if (isObject(ProcessorConfig) && ProcessorConfig['Mode'] === 'DISTRIBUTED') {
      const message =
        'the distributed Map runs inline: its iterations are part of the execution and its limits';
      report.note(at + pointerTo('ProcessorConfig'), message);
    }
    fields['ItemProcessor'] = convertScope(scope, at, converter);
  }
  return fields;
}
