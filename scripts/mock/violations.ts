import { nameOf, pointerTo } from '../../server/src/domain/json-pointer.ts';
import type { ErrorItem } from './failure.ts';

/** What Prism finds wrong with a request. `path` begins with `body`, `query`, `path` or `header`. */
export type Violation = { path?: string[]; message: string };

/** The bounds of an error's fields in the contract. */
const longest = { message: 1000, pointer: 500, parameter: 100 };

/**
 * What the platform would say: it looks at the parameters before the body, stops at the first fault, and points at the
 * field that is meant.
 */
export function errorItems(violations: Violation[]): ErrorItem[] {
  const first = violations.find(({ path = ['body'] }) => path[0] !== 'body') ?? violations[0];
  return first ? [errorItem(first)] : [];
}

function errorItem({ path = ['body'], message }: Violation): ErrorItem {
  const [place, ...keys] = path;
  if (place !== 'body') {
    const parameter = keys.join('.').slice(0, longest.parameter);
    return { code: 'parameter_invalid', message: message.slice(0, longest.message), parameter };
  }
  const { words, field } = plainWords(message, keys);
  const names = [...keys.map(nameOf), ...(field === undefined ? [] : [field])];
  return { code: 'body_invalid', message: words.slice(0, longest.message), pointer: boundedPointer(names) };
}

/** Prism says in the message which field is meant, and points at the object around it. */
function plainWords(message: string, keys: string[]): { words: string; field?: string } {
  if (message === 'Body parameter is required') return { words: 'A body is required.' };
  const prefix = `Request body ${keys.length > 0 ? `property ${keys.join('.')} ` : ''}`;
  const words = message.startsWith(prefix) ? message.slice(prefix.length) : message;
  const [, missing] = /^must have required property '(.*)'$/s.exec(words) ?? [];
  if (missing !== undefined) return { words, field: missing };
  const surplus = /^(must NOT have (?:additional|unevaluated) properties)(?:; found |: )'(.*)'$/s.exec(words);
  return surplus ? { words: surplus[1] as string, field: surplus[2] as string } : { words };
}

/** Names come from the caller and may be of any length: then the object around them is named. */
function boundedPointer(names: string[]): string {
  const pointer = names.map(pointerTo).join('');
  if (pointer.length <= longest.pointer) return pointer;
  return pointer.slice(0, pointer.lastIndexOf('/', longest.pointer));
}
