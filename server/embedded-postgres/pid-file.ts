import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** `postmaster.pid`, see https://www.postgresql.org/docs/18/storage-file-layout.html */
interface PidFile {
  pid: number;
  /** Seconds since 1970. */
  started: number;
  socketDirectory: string;
  status: string;
}

/** The pid file of the running server, or of one that did not shut down cleanly. */
export function readPidFile(cluster: string): PidFile | undefined {
  let text: string;
  try {
    text = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined;
  }
  const [pid, , started, , socketDirectory = '', , , status = ''] = text.split('\n');
  return { pid: Number(pid), started: Number(started), socketDirectory, status: status.trim() };
}

/** Whether a server that started after `before` accepts connections in this directory. */
export function isReady(cluster: string, before: PidFile | undefined, socketDirectory: string): boolean {
  const now = readPidFile(cluster);
  if (!now || (now.pid === before?.pid && now.started === before.started)) return false;
  return now.status === 'ready' && now.socketDirectory === socketDirectory;
}

/**
 * Stops a server that is still running although its platform and supervisor have exited, with increasingly strong
 * signals. Committed transactions are safe in any case: the next server recovers them.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const { pid } = readPidFile(cluster) ?? {};
  if (!pid) return;
  const steps = [
    { signal: 'SIGINT', seconds: 10 },
    { signal: 'SIGQUIT', seconds: 5 },
    { signal: 'SIGKILL', seconds: 5 },
  ] as const;
  for (const { signal, seconds } of steps) {
    if (!isServerOf(cluster, pid)) return;
    process.kill(pid, signal);
    const deadline = Date.now() + seconds * 1_000;
    while (isServerOf(cluster, pid) && Date.now() < deadline) await sleep(10);
  }
}

/** Process ids are reused, so this also checks the program and its data directory. */
function isServerOf(cluster: string, pid: number): boolean {
  if (!(pid > 1)) return false;
  try {
    if (process.platform !== 'linux') {
      const command = execFileSync('/bin/ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
      return command.includes('postgres') && command.includes(cluster);
    }
    const program = basename(readlinkSync(`/proc/${pid}/exe`));
    const [current, data] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return program.startsWith('postgres') && current.dev === data.dev && current.ino === data.ino;
  } catch {
    return false;
  }
}
