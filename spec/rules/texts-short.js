import { descriptions } from './descriptions.js';

/**
 * A description is read beside what it describes: what needs more room is a guide. Guides are files of their own, in
 * spec/guides/.
 *
 * Option `characters`: how long a description may be.
 */
export function TextsShort({ characters = 3000 }) {
  const { visitor, texts } = descriptions();
  return {
    ...visitor,
    Root: {
      leave(_root, { report }) {
        for (const { text, locate } of texts) {
          const location = locate(0);
          if (text.length <= characters || location.source?.absoluteRef?.endsWith('.md')) continue;
          const message = `The description has ${text.length} characters: keep at most ${characters}, and move the rest to a guide in spec/guides/.`;
          report({ message, location });
        }
      },
    },
  };
}
