import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The processor time in microseconds that the PostgreSQL server of a data directory has used so far, without that of
 * connections that have closed. Other load on the machine hardly affects it. NaN where there is no /proc.
 */
export async function databaseProcessorTime(dataDirectory: string): Promise<number> {
  const [server] = (await readFile(join(dataDirectory, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1);
  const processes = await readdir('/proc').catch(() => []);
  const times = await Promise.all(
    processes.filter((name) => /^\d+$/.test(name)).map((pid) => timeOf(pid, Number(server))),
  );
  return processes.length === 0 ? Number.NaN : times.reduce((sum, time) => sum + time, 0) / 1000;
}

/** @returns nanoseconds; 0 if it is not a child of the server, or has ended */
async function timeOf(pid: string, parent: number): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the command may have spaces.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) !== parent) return 0;
    return Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ', 1)[0]);
  } catch {
    return 0;
  }
}
