import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a server writes into its data directory: https://www.postgresql.org/docs/18/storage-file-layout.html */
export interface PidFile {
  pid: number;
  /** Seconds since 1970. */
  started: number;
  socketDirectory: string;
  status: string;
}

/** The pid file of the cluster's running or last server; undefined where the last one ended in order. */
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

/** Whether a server newer than `before` accepts connections in this directory. */
export function isReady(cluster: string, before: PidFile | undefined, socketDirectory: string): boolean {
  const now = readPidFile(cluster);
  if (!now || (now.pid === before?.pid && now.started === before.started)) return false;
  return now.status === 'ready' && now.socketDirectory === socketDirectory;
}

/**
 * Shuts down the server that still runs on a cluster whose platform and supervisor are gone, harder and harder. What
 * it acknowledged is safe in any case: the next server recovers it.
 */
export async function endLeftOver(cluster: string): Promise<void> {
  const left = readPidFile(cluster);
  if (!left) return;
  const steps = [
    { signal: 'SIGINT', seconds: 10 },
    { signal: 'SIGQUIT', seconds: 5 },
    { signal: 'SIGKILL', seconds: 5 },
  ] as const;
  for (const { signal, seconds } of steps) {
    if (!isServerOf(cluster, left.pid)) return;
    process.kill(left.pid, signal);
    const deadline = Date.now() + seconds * 1_000;
    while (isServerOf(cluster, left.pid) && Date.now() < deadline) await sleep(10);
  }
}

/** Process ids are used again: only a PostgreSQL that works in this very directory counts. */
function isServerOf(cluster: string, pid: number): boolean {
  if (!(pid > 1)) return false;
  try {
    if (process.platform !== 'linux') {
      const command = execFileSync('/bin/ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
      return command.includes('postgres') && command.includes(cluster);
    }
    const program = basename(readlinkSync(`/proc/${pid}/exe`));
    const [works, data] = [statSync(`/proc/${pid}/cwd`), statSync(cluster)];
    return program.startsWith('postgres') && works.dev === data.dev && works.ino === data.ino;
  } catch {
    return false;
  }
}
