import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, YAMLParseError } from 'yaml';
import { CommandError } from '../../command-line/command.ts';

/** The folder of the Arazzo descriptions, one file for each main journey. */
export const journeysFolder = fileURLToPath(new URL('../../../spec/arazzo/', import.meta.url));

/** One workflow of an Arazzo description. */
export interface Journey {
  /** Its description in `journeysFolder`. */
  file: string;
  /** The workflowId, unique among all descriptions. */
  workflow: string;
  summary: string;
  /** Names of the required inputs. */
  needs: string[];
  /** Whether it also runs against a mock, which keeps no state. */
  stateless: boolean;
}

interface ArazzoDescription {
  arazzo?: string;
  workflows: {
    workflowId: string;
    summary: string;
    inputs?: { required?: string[] };
    'x-stateless'?: boolean;
  }[];
}

/**
 * Every journey, in the order of the files and of the workflows in them.
 * @throws {CommandError} if a file does not parse, with the position
 */
export async function readJourneys(): Promise<Journey[]> {
  const files = (await readdir(journeysFolder)).filter((name) => name.endsWith('.yaml')).sort();
  const read = await Promise.all(
    files.map(async (file) => {
      const description = described(await readFile(join(journeysFolder, file), 'utf8'), file);
      // Not a description: redocly.yaml configures how they are linted.
      if (!description?.arazzo) return [];
      return description.workflows.map((workflow) => ({
        file,
        workflow: workflow.workflowId,
        summary: workflow.summary,
        needs: workflow.inputs?.required ?? [],
        stateless: workflow['x-stateless'] === true,
      }));
    }),
  );
  return read.flat();
}

function described(text: string, file: string): ArazzoDescription | null {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    // The other lines quote the source.
    const [cause] = error.message.replace(/ at line \d+, column \d+:?/, '').split('\n');
    throw new CommandError(`spec/arazzo/${file}:${line}:${col} ${cause}`);
  }
}
