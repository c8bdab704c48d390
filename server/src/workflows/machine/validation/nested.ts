import { isObject } from '../../../domain/objects.ts';
import type { FieldCheck } from './checker.ts';
import { comment } from './fields.ts';
import { at } from './problems.ts';

/** Specification: Parallel State. */
export const branches: FieldCheck = (value, path, checker, scope) => {
  if (!Array.isArray(value) || value.length === 0) {
    return checker.report(path, 'Must be an array of at least one branch');
  }
  for (const [index, branch] of value.entries()) {
    const place = at(path, index);
    if (isObject(branch)) checker.checkScope(branch, { Comment: comment }, place, scope);
    else checker.report(place, 'A branch is an object with StartAt and States');
  }
};

/** Specification: Map State. */
export const itemProcessor: FieldCheck = (value, path, checker, scope) => {
  if (!isObject(value)) return checker.report(path, 'Must be an object with StartAt and States');
  checker.checkScope(value, { Comment: comment, ProcessorConfig: processorConfig }, path, scope);
};

const processorConfig: FieldCheck = (value, path, { report }) => {
  if (!isObject(value) || (value['Mode'] ?? 'INLINE') !== 'INLINE') {
    return report(path, 'Must be {"Mode": "INLINE"}; the distributed Map is not supported');
  }
  for (const name of Object.keys(value)) {
    if (name !== 'Mode')
      report(at(path, name), `${name} belongs to the distributed Map, which is not supported`);
  }
};
