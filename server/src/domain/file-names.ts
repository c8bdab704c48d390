/** Characters (code points) of a file name at most: what a form, a column and a common file system can take. */
const fileNameLimit = 255;

export type FileName = { name: string } | { problem: string };

/**
 * The name under which an uploaded file is kept: as given, in Unicode NFC, without the directories that
 * some clients put before it. Any script is welcome; the characters that make a bidirectional text or an
 * emoji readable stay. The name is only ever shown and sent back, never part of a path.
 */
export function fileNameOf(given: string): FileName {
  if (!given.isWellFormed() || given.includes('\ufffd'))
    return { problem: 'The file name is not well-formed UTF-8.' };
  const name = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1).normalize('NFC');
  if (name === '' || name === '.' || name === '..') return { problem: 'The file has no name.' };
  if (/\p{Cc}/u.test(name)) return { problem: 'The file name holds a control character.' };
  if ([...name].length > fileNameLimit) {
    return { problem: `The file name is longer than ${fileNameLimit} characters.` };
  }
  return { name };
}
