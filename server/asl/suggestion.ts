import { nearest } from '../../generated/nearest.js';

/** ` Did you mean …?`, to append to a message. Empty if no name is similar. */
export function suggestion(written: string, names: Iterable<string>): string {
  const name = nearest(written, names);
  return name === undefined ? '' : ` Did you mean ‘${name}’?`;
}
