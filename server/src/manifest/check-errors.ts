import { suggestion } from '../../../generated/nearest.js';
import { callbackResource, isExpression, isReserved } from '../../asl/index.ts';
import { isObject } from '../../json/index.ts';
import { errorNamesOf, listedErrorName, platformErrors } from '../workflows/tasks/error-names.ts';
import { supportedResources } from '../workflows/tasks/task.ts';
import type { Path, Problem } from './platform-file.ts';

type Fields = Record<string, unknown>;

/** The errors with which a state may fail, apart from those of the language. */
interface Possible {
  names: ReadonlySet<string>;
  /** Whether a callback or an expression may name any other. */
  open: boolean;
}

const none: Possible = { names: new Set(), open: false };
const anyError: Possible = { names: new Set(platformErrors), open: true };

/**
 * Warns of names in Retry and Catch with which the state never fails. The names of callbacks and Fail states are free,
 * except for those that start like the platform's. The definition need not be valid.
 */
export function checkErrorNames(scope: unknown, path: Path = []): Problem[] {
  if (!isObject(scope) || !isObject(scope['States'])) return [];
  return Object.entries(scope['States']).flatMap(([name, state]) => {
    if (!isObject(state)) return [];
    const at = [...path, 'States', name];
    const possible = possibleIn(state);
    return [
      ...namesIn(state, at).flatMap(([error, place]) => warning(error, possible, place)),
      ...scopesIn(state).flatMap(([inner, where]) => checkErrorNames(inner, [...at, ...where])),
    ];
  });
}

function warning(error: string, { names, open }: Possible, path: Path): Problem[] {
  if (isReserved(error) || names.has(listedErrorName(error))) return [];
  if (open && !/^(Http|Wrp)\./.test(error)) return [];
  const list = [...names];
  const status = error.replace(/^\D*/, 'Http.Status.');
  const meant = suggestion(error, names.has(listedErrorName(status)) ? [...list, status] : list);
  const known = list.length === 0 ? '' : `; its errors besides those of States. are ${list.join(', ')}`;
  return [
    { path, message: `The state never fails with ${error}${known}${meant && `.${meant}`}`, warning: true },
  ];
}

/** The error names of the Retriers and Catchers of a state. */
function namesIn(state: Fields, path: Path): [name: string, path: Path][] {
  return ['Retry', 'Catch'].flatMap((field) =>
    listIn(state[field]).flatMap((each, index) =>
      listIn(isObject(each) && each['ErrorEquals']).flatMap((name, position): [string, Path][] =>
        typeof name === 'string' ? [[name, [...path, field, index, 'ErrorEquals', position]]] : [],
      ),
    ),
  );
}

function possibleIn(state: unknown): Possible {
  if (!isObject(state)) return anyError;
  const { Type: type, Resource: resource, Error: error } = state;
  switch (type) {
    case 'Task':
      if (typeof resource !== 'string' || !supportedResources.has(resource)) return anyError;
      return { names: new Set(errorNamesOf(resource)), open: resource === callbackResource };
    case 'Fail':
      if (isExpression(error)) return { ...none, open: true };
      return { ...none, names: new Set(typeof error === 'string' ? [error] : []) };
    case 'Parallel':
    case 'Map': {
      const states = scopesIn(state).map(([scope]) => (isObject(scope['States']) ? scope['States'] : {}));
      const inner = states.flatMap((each) => Object.values(each).map(possibleIn));
      const names = new Set(inner.flatMap((each) => [...each.names]));
      return { names, open: inner.some(({ open }) => open) };
    }
    default:
      return isPlain(type) ? none : anyError;
  }
}

const isPlain = (type: unknown) =>
  type === 'Pass' || type === 'Choice' || type === 'Wait' || type === 'Succeed';

/** The branches of a Parallel or the processor of a Map, with their paths in the state. */
function scopesIn({ Branches, ItemProcessor }: Fields): [scope: Fields, path: Path][] {
  const branches = listIn(Branches).map((each, index): [unknown, Path] => [each, ['Branches', index]]);
  const scopes: [unknown, Path][] = [...branches, [ItemProcessor, ['ItemProcessor']]];
  return scopes.filter((each): each is [Fields, Path] => isObject(each[0]));
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
