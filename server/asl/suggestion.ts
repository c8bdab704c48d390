import { nearest } from '../../generated/nearest.js';

/**
 * ` Did you mean …?`, to append to a message. Empty if no name is similar. Messages about definitions are plain text with
 * names in ‘’; those of the same function of `nearest.js`, about the contract, are Markdown.
 */
export function suggestion(written: string, names: Iterable<string>): string {
  const name = nearest(written, names);
  return name === undefined ? '' : ` Did you mean ‘${name}’?`;
}
