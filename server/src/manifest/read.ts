import { problemsOfContent } from './check.ts';
import type { PlatformFile } from './platform-file.ts';
import { problemsOfShape } from './shape.ts';
import { parseSource, readSource, type Source } from './source.ts';

/** A valid platform file, and what it takes to say where something in it stands. */
export interface ReadPlatformFile extends PlatformFile {
  source: Source;
}

/**
 * Reads a platform file and checks all of it.
 *
 * @param name what errors call the file
 * @throws PlatformFileError with every fault: where it stands, and what is wrong
 */
export async function readPlatformFile(file: string, name?: string): Promise<ReadPlatformFile> {
  return checked(await readSource(file, name));
}

/** The same for a text. */
export function parsePlatformFile(text: string, name: string): ReadPlatformFile {
  return checked(parseSource(text, name));
}

function checked(source: Source): ReadPlatformFile {
  const problems = problemsOfShape(source.value);
  if (problems.length > 0) throw source.error(problems);
  // References can be followed only in what has its shape.
  const file = source.value as PlatformFile;
  const faults = problemsOfContent(file);
  if (faults.length > 0) throw source.error(faults);
  return { ...file, source };
}
