import { readFile } from 'node:fs/promises';
import { reasonOf } from '../../durable-files/index.ts';
import { checkContent } from './check.ts';
import type { PlatformFile } from './platform-file.ts';
import { PlatformFileError } from './problems.ts';
import { checkShape } from './shape.ts';
import { parseSource, type Source } from './source.ts';

/** A valid platform file with its source, which locates later problems in it. */
export interface ParsedPlatformFile extends PlatformFile {
  source: Source;
}

/**
 * Reads and checks a platform file.
 *
 * @param name the name of the file in error messages
 * @throws PlatformFileError with every problem and its location
 */
export async function readPlatformFile(file: string, name = file): Promise<ParsedPlatformFile> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new PlatformFileError([`${name}: cannot be read: ${reasonOf(error)}.`]);
  }
  return parsePlatformFile(text, name);
}

/** Like `readPlatformFile`, for a text. */
export function parsePlatformFile(text: string, name: string): ParsedPlatformFile {
  const source = parseSource(text, name);
  const shapeProblems = checkShape(source.value);
  if (shapeProblems.length > 0) throw source.error(shapeProblems);
  const file = source.value as PlatformFile;
  const contentProblems = checkContent(file);
  if (contentProblems.length > 0) throw source.error(contentProblems);
  return { ...file, source };
}
