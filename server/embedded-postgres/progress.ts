/** Shows a line to the operator: a warning, or what takes longer than two seconds. */
export type Progress = (line: string) => void;

/** Reports every two seconds that `task` is still running. */
export async function withProgress<T>(task: Promise<T>, label: string, progress?: Progress): Promise<T> {
  const started = Date.now();
  const timer = setInterval(
    () => progress?.(`${label} (${Math.round((Date.now() - started) / 1000)} s)`),
    2_000,
  );
  try {
    return await task;
  } finally {
    clearInterval(timer);
  }
}
