import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const pollMilliseconds = 500;

/**
 * Ends this program, with SIGTERM to itself, soon after the npx that started it has ended. npx starts a shell that starts
 * the program, and forwards signals only to the shell. Does nothing if npx did not start it, or on Windows, where the
 * parent of a process stays the same.
 */
export function endWithNpx(): void {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = process.env;
  // A program that another one starts inherits the environment.
  if (event !== 'npx' || !script.includes(basename(process.argv[1] ?? '', '.js'))) return;
  const started = parents();
  const timer = setInterval(() => {
    if (parents() === started) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, pollMilliseconds);
  timer.unref();
}

/** The parent, and on Linux that of a shell, which survives when npx is killed with SIGKILL. */
function parents(): string {
  const { ppid } = process;
  try {
    const [, name = '', parent = ''] =
      /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${ppid}/stat`, 'utf8')) ?? [];
    return /^\w*sh$/.test(name) ? `${ppid} ${parent}` : `${ppid}`;
  } catch {
    return `${ppid}`;
  }
}
