/** Shows a line to the person who starts the platform: what takes longer than two seconds, and warnings. */
export type Progress = (line: string) => void;

/** Waits for `work` and says every two seconds that it goes on. */
export async function announced<T>(work: Promise<T>, what: string, progress?: Progress): Promise<T> {
  const started = Date.now();
  const timer = setInterval(
    () => progress?.(`${what} (${Math.round((Date.now() - started) / 1000)} s)`),
    2_000,
  );
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
