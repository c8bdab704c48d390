import { missingInContext } from '../context.ts';
import { filterSource } from './filters.ts';
import { NotConvertible, type Path, readPath, type Segment } from './paths.ts';
import { asOperand, asSource, Expr, fieldName, membersOf, quoted, type Value } from './values.ts';

/** What the paths of a field refer to, and where findings go. */
export interface Scope {
  /** The value of `$`. */
  data: Value;
  /** Reports a difference to AWS, which does not prevent the conversion. */
  note(message: string): void;
}

/**
 * Converts a path. A path that can match several values becomes an array constructor, because JSONata collapses a
 * sequence of one item to the item.
 *
 * @throws NotConvertible
 */
export function valueOfPath({ root, segments }: Path, scope: Scope): Value {
  if (root.kind === 'variable') return select(new Expr(`$${root.name}`), segments, scope);
  if (root.kind === 'data') return select(scope.data, segments, scope);
  return select(new Expr('$states.context'), contextSegments(segments, scope), scope);
}

/** The source of `$exists` of a path: true if it matches anything. @throws NotConvertible */
export function existsSource(path: Path, scope: Scope): string {
  const value = valueOfPath(path, scope);
  const isList = value instanceof Expr && value.source.startsWith('[');
  return `$exists(${isList ? value.source.slice(1, -1) : asOperand(value)})`;
}

const wholeContext =
  'the context object has other fields here: the input is in Execution.Input.parameters, Id is no ARN';

/** The context object has fewer fields here; the input of an execution is in `parameters`. */
function contextSegments(segments: Segment[], { note }: Scope): Segment[] {
  const [first, second, ...rest] = segments;
  if (first?.kind !== 'name') {
    note(wholeContext);
    return segments;
  }
  const end = segments.findIndex(({ kind }) => kind !== 'name');
  const names = segments.slice(0, end < 0 ? undefined : end).map((each) => (each as { name: string }).name);
  if (missingInContext(names)) throw new NotConvertible(`the context object has no ${names.join('.')} here`);
  if (first.name !== 'Execution') return segments;
  if (second?.kind !== 'name') {
    note(wholeContext);
    return segments;
  }
  return second.name === 'Input' ? [first, second, { kind: 'name', name: 'parameters' }, ...rest] : segments;
}

/** A part of a value. @throws NotConvertible */
export function select(base: Value, segments: Segment[], scope: Scope): Value {
  const [first, ...rest] = segments;
  if (!first) return base;
  if (first.kind === 'name') {
    const members = membersOf(base);
    if (members && Object.hasOwn(members, first.name))
      return select(members[first.name] as Value, rest, scope);
    const names = Object.keys(members ?? {}).join(', ');
    if (names) throw new NotConvertible(`there is no ${first.name} here, only ${names}`);
  }
  return new Selection(base, scope).apply(segments);
}

const calls: Record<string, string> = { length: 'count', min: 'min', max: 'max', sum: 'sum', avg: 'average' };

class Selection {
  #source: string;
  /** Whether the path so far can match several values. */
  #many = false;
  readonly #scope: Scope;

  constructor(base: Value, scope: Scope) {
    this.#source = asOperand(base);
    this.#scope = scope;
  }

  apply(segments: Segment[]): Value {
    for (const [position, segment] of segments.entries()) {
      const last = position === segments.length - 1;
      if (segment.kind === 'names' || segment.kind === 'call') {
        if (!last || (this.#many && segment.kind === 'call')) {
          throw new NotConvertible(`${describe(segment)} is not at the end of a single value`);
        }
        return segment.kind === 'names' ? this.#properties(segment.names) : this.#call(segment.name);
      }
      const previous = segments[position - 1];
      this.#step(segment, this.#many && previous?.kind !== 'name');
      // The whole of an array is the array itself.
      if (segment.kind !== 'name' && segment.kind !== 'index')
        this.#many ||= !(last && segment.kind === 'all');
    }
    if (this.#many) return new Expr(`[${this.#source}]`);
    return new Expr(this.#source, { optional: !this.#source.startsWith('$states.context.') });
  }

  /** @param ofEach whether the step follows one that matches several values directly */
  #step(segment: Exclude<Segment, { kind: 'names' | 'call' }>, ofEach: boolean): void {
    if (ofEach && segment.kind !== 'name' && segment.kind !== 'descend') {
      throw new NotConvertible(
        `${describe(segment)} after a filter, slice or wildcard applies to each match`,
      );
    }
    switch (segment.kind) {
      case 'name':
        this.#field(segment.name);
        break;
      case 'index':
        this.#source += `[${segment.index}]`;
        break;
      case 'all':
        break;
      case 'values':
        this.#source += '.*';
        break;
      case 'indexes':
        this.#source += `[[${segment.indexes.join(', ')}]]`;
        break;
      case 'slice':
        this.#slice(segment.from, segment.to);
        break;
      case 'descend':
        this.#source += '.**';
        if (segment.name === undefined) throw new NotConvertible('‘..*’ selects every value at any depth');
        this.#field(segment.name);
        break;
      case 'filter':
        this.#source += `[${filterSource(segment.source, (reader) => asOperand(valueOfPath(readPath(reader), this.#scope)))}]`;
        break;
    }
  }

  #field(name: string): void {
    const plain = fieldName(name);
    if (plain !== undefined) this.#source += `.${plain}`;
    else this.#source = `$lookup(${this.#source}, ${quoted(name)})`;
  }

  #slice(from = 0, to?: number): void {
    if (from >= 0 && to !== undefined && to > from) this.#source += `[[${from}..${to - 1}]]`;
    else if (from < 0 && to === undefined) this.#source += `[[${from}..-1]]`;
    else {
      if (this.#many) throw new NotConvertible('a slice of each match with an open or negative end');
      const end = (index: number) => (index < 0 ? `$count(${this.#source}) - ${-index}` : String(index));
      const tests = [`$position >= ${end(from)}`, ...(to === undefined ? [] : [`$position < ${end(to)}`])];
      this.#source += `#$position[${tests.join(' and ')}]`;
    }
  }

  #properties(names: string[]): Value {
    const fields = (base: string) =>
      names.map(
        (each) => [each, select(new Expr(base), [{ kind: 'name', name: each }], this.#scope)] as const,
      );
    if (!this.#many) return Object.fromEntries(fields(this.#source));
    return new Expr(`[${this.#source}.${asSource(Object.fromEntries(fields('$')))}]`);
  }

  #call(name: string): Value {
    const called = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (called === undefined) throw new NotConvertible(`the path function ${name}() has no equal`);
    return new Expr(`$${called}(${this.#source})`, { single: true });
  }
}

function describe(segment: Segment): string {
  switch (segment.kind) {
    case 'names':
      return 'a list of fields';
    case 'call':
      return `${segment.name}()`;
    case 'index':
      return `the index [${segment.index}]`;
    default:
      return 'a wildcard, slice or filter';
  }
}
