/** The pattern of a problem matcher in `.vscode/tasks.json`. */
export type Pattern = { regexp: string; file: number; line: number; column: number; message: number };

/** File, line, column and message of each problem that an editor finds in the output of a task. */
export function problemsIn(lines: readonly string[], pattern: Pattern): (string | undefined)[][] {
  const { regexp, file, line, column, message } = pattern;
  return lines.flatMap((text) => {
    const groups = new RegExp(regexp).exec(text);
    return groups ? [[file, line, column, message].map((group) => groups[group])] : [];
  });
}
