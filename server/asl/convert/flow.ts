import { pointerTo } from '../../json/index.ts';
import { NotConvertible, parsePath, type Segment } from './paths.ts';
import { select, valueOfPath } from './select.ts';
import { attempt, type Reporter } from './templates.ts';
import { asSource, Expr, lacksValue, mayLackValue, quoted, type Value } from './values.ts';

/** The input of a state before InputPath. */
export const rawInput = new Expr('$states.input');

export type Fields = Record<string, unknown>;

/** The input after InputPath (specification: InputPath). */
export function effectiveInput(state: Fields, pointer: string, report: Reporter): Value {
  const path = state['InputPath'];
  if (path === undefined) return rawInput;
  if (path === null) return {};
  return attempt(
    pointer + pointerTo('InputPath'),
    report,
    (scope) => valueOfPath(parsePath(String(path)), scope),
    rawInput,
  );
}

/**
 * The output of a state whose result is `result`, after ResultPath and OutputPath (specification: ResultPath,
 * OutputPath).
 */
export function outputOf(state: Fields, result: Value, pointer: string, report: Reporter): Value {
  const placed = placedResult(state, result, pointer, report);
  const path = state['OutputPath'];
  if (path === undefined || path === '$') return placed;
  if (path === null) return {};
  return attempt(
    pointer + pointerTo('OutputPath'),
    report,
    (scope) => {
      const { root, segments } = parsePath(String(path));
      if (root.kind !== 'data') return valueOfPath({ root, segments }, scope);
      const rest = partOfResult(state['ResultPath'], segments);
      return rest ? select(result, rest, scope) : select(placed, segments, scope);
    },
    placed,
  );
}

/** The rest of an output path that begins with the result's place: then only the result matters. */
function partOfResult(resultPath: unknown, segments: Segment[]): Segment[] | undefined {
  if (typeof resultPath !== 'string') return undefined;
  const placed = parsePath(resultPath).segments;
  const begins = placed.every((each, index) => JSON.stringify(each) === JSON.stringify(segments[index]));
  return begins ? segments.slice(placed.length) : undefined;
}

/** The raw input with the result at ResultPath, as a state or a Catcher has it. */
export function placedResult(state: Fields, result: Value, pointer: string, report: Reporter): Value {
  const path = state['ResultPath'];
  if (path === undefined || path === '$') return result;
  if (path === null) return rawInput;
  return attempt(
    pointer + pointerTo('ResultPath'),
    report,
    ({ note }) => {
      const { root, segments } = parsePath(String(path));
      const names = segments.map((segment) => (segment.kind === 'name' ? segment.name : undefined));
      if (root.kind !== 'data' || names.includes(undefined)) {
        throw new NotConvertible('a ResultPath other than fields of the input');
      }
      if (mayLackValue(result)) note(lacksValue);
      return placeAt(names as string[], result);
    },
    rawInput,
  );
}

/** `$merge([input, {"a": $merge([input.a, {"b": result}])}])` for the path `$.a.b`. */
function placeAt(names: string[], result: Value): Value {
  const scope = { data: rawInput, note: () => undefined };
  const place = (owner: Value, [name = '', ...rest]: string[]): Expr => {
    const member = rest.length === 0 ? result : place(select(owner, [{ kind: 'name', name }], scope), rest);
    return new Expr(`$merge([${asSource(owner)}, {${quoted(name)}: ${asSource(member)}}])`, { single: true });
  };
  return place(rawInput, names);
}
