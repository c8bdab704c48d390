import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { reasonOf } from '../../durable-files/index.ts';
import { isObject, pointerTo } from '../../json/index.ts';
import { type Path, PlatformFileError, type Problem } from './platform-file.ts';
import { parseSource, type Source } from './source.ts';

/**
 * Replaces each `definition` that is the path of a file, relative to the platform file, by the document in that file. Its
 * problems are then reported with their places there.
 *
 * @param file the platform file
 * @returns the source, whose errors include `failures`: of files that cannot be read or are not valid JSON or YAML
 */
export async function withDefinitionFiles(
  source: Source,
  file: string,
): Promise<Source & { failures: string[] }> {
  // By aliases, several declarations may be the same object.
  const found = definitionsIn(source.value).flatMap((each) => {
    const named = each.owner['definition'];
    return typeof named === 'string' ? [{ ...each, named }] : [];
  });
  const files: { path: Path; own: Source }[] = [];
  const failed: Path[] = [];
  const failures: string[] = [];
  for (const { owner, path, named } of found) {
    try {
      const text = await readFile(resolve(dirname(file), named), 'utf8').catch((error) => {
        const message = `cannot be read: ${named}: ${reasonOf(error)}`;
        throw source.error([{ path, message }]);
      });
      const own = parseSource(text, shownPath(named, source.name, file), pointerOf);
      owner['definition'] = own.value;
      files.push({ path, own });
    } catch (error) {
      if (!(error instanceof PlatformFileError)) throw error;
      failures.push(...error.lines);
      failed.push(path);
    }
  }
  return {
    ...source,
    failures,
    error(problems) {
      const inFile = ({ path }: Problem, prefix: Path) => prefix.every((part, at) => path[at] === part);
      // What is not read has no further problems.
      const apart = [...files.map(({ path }) => path), ...failed];
      const others = problems.filter((problem) => !apart.some((path) => inFile(problem, path)));
      const lines = files.map(({ path, own }) => {
        const within = problems.filter((problem) => inFile(problem, path));
        return own.error(within.map((problem) => ({ ...problem, path: problem.path.slice(path.length) })))
          .lines;
      });
      return new PlatformFileError([...source.error(others).lines, ...failures, ...lines.flat()]);
    },
  };
}

/** As `wrp definition check` writes it. */
const pointerOf = (path: Path) => path.map(pointerTo).join('');

/**
 * The path of a definition for error messages: relative to the working directory, or absolute if it is written so and
 * is not below it.
 *
 * @param name the path of the platform file as it is written, relative to the working directory or absolute
 * @param file the absolute path of the platform file
 */
function shownPath(named: string, name: string, file: string): string {
  if (!isAbsolute(named)) return join(dirname(name), named);
  const shown = join(dirname(name), relative(dirname(file), named));
  return isAbsolute(name) || shown.startsWith('..') ? named : shown;
}

/** The declarations of definitions in a platform file that is not validated yet, with the path of each `definition`. */
export function definitionsIn(value: unknown): { owner: Record<string, unknown>; path: Path }[] {
  return entriesOf(propertyOf(value, 'environments')).flatMap(([environment, declared]) =>
    entriesOf(propertyOf(declared, 'workspaces')).flatMap(([workspace, { workflowDefinitions }]) =>
      entriesOf(workflowDefinitions).map(([index, owner]) => ({
        owner,
        path: [
          'environments',
          environment,
          'workspaces',
          workspace,
          'workflowDefinitions',
          index,
          'definition',
        ],
      })),
    ),
  );
}

const propertyOf = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);

/** The objects in a list or a mapping. */
function entriesOf(value: unknown): [string | number, Record<string, unknown>][] {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isObject(value) ? value : {});
  return entries.filter((entry): entry is [string | number, Record<string, unknown>] => isObject(entry[1]));
}
