/** Maximum length of a file name, in code points: the limit of the form, the column and common file systems. */
const fileNameLimit = 255;

export type FileName = { name: string } | { problem: string };

/**
 * The name that an uploaded file is stored with: as sent, in Unicode NFC, without the directories that some
 * clients add. All scripts are allowed, including the characters that bidirectional text and emoji need. The name
 * is only displayed and returned, never part of a path.
 */
export function fileNameOf(given: string): FileName {
  if (!given.isWellFormed()) return { problem: 'The file name holds half a surrogate pair.' };
  const name = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1).normalize('NFC');
  if (name === '' || name === '.' || name === '..') return { problem: 'The file has no name.' };
  if (/\p{Cc}/u.test(name)) return { problem: 'The file name holds a control character.' };
  if ([...name].length > fileNameLimit) {
    return { problem: `The file name is longer than ${fileNameLimit} characters.` };
  }
  return { name };
}
