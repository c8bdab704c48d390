import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import { clusterArgument, complaint, spawnIn } from './child.ts';
import { endLeftOver, isReady, readPidFile } from './pid-file.ts';
import { PostgresStartError } from './start-error.ts';

/** A server that was started and answers. */
export interface Postmaster {
  /** Settles when the server has ended, for whatever reason, with its last words. */
  ended: Promise<string>;
  /** Fast shutdown: running transactions are rolled back, what was acknowledged is on disk. */
  stop(): Promise<void>;
}

export interface PostmasterOptions {
  cluster: string;
  account: Account;
  postgres: string;
  socketDirectory: string;
  fsync: boolean;
  maxConnections?: number | undefined;
  log?: ((line: string) => void) | undefined;
}

// Seconds that a shutdown may take before it is made a harder one.
const fastSeconds = 30;
const immediateSeconds = 5;

/**
 * Stands between the platform and the server, in a session of its own that Ctrl-C does not reach. It holds the end of
 * a pipe whose other end only the platform has: when that closes, because the platform asks for it or is gone, the
 * server is shut down, first politely, and the directory of its socket removed. Where the supervisor itself was killed
 * the directory stays: the platform may have a new server in it. A shell, because it costs a megabyte where Node costs
 * fifty.
 */
const supervisor = `
exec 4<&0 </dev/null
socket_directory=$1
shift
trap '' HUP INT TERM
"$@" 4<&- &
server=$!
{
  read -r _ <&4
  kill -0 $$ && rm -rf "$socket_directory"
  kill -INT $server
  for signal in QUIT:${fastSeconds} KILL:${immediateSeconds}; do
    left=\${signal#*:}
    while kill -0 $server && [ $left -gt 0 ]; do sleep 1; left=$((left - 1)); done
    kill -\${signal%:*} $server
  done
} >/dev/null 2>&1 3<&- &
watch=$!
wait $server
status=$?
kill -KILL $watch 2>/dev/null
exit $status
`;

/**
 * Starts the server on a cluster that nobody else has open and waits until it answers, however long its recovery
 * takes. A server that a killed platform left behind is shut down first.
 *
 * @throws PostgresStartError `server` with what PostgreSQL said
 */
export async function launch(options: PostmasterOptions): Promise<Postmaster> {
  const { cluster, account, postgres, socketDirectory } = options;
  await endLeftOver(cluster);
  const before = readPidFile(cluster);
  const child = spawnIn(
    cluster,
    account,
    ['/bin/sh', '-c', supervisor, 'wrp-postgres', socketDirectory, postgres, ...settings(options)],
    // The process that a stale pid file names is known to be another: the server must not take it for a rival.
    { detached: true, env: before ? { PG_GRANDPARENT_PID: String(before.pid) } : {} },
  );
  const ended = lastWords(child, options.log);
  let running = true;
  ended.then(() => {
    running = false;
  });
  while (!isReady(cluster, before, socketDirectory)) {
    await sleep(5);
    if (running) continue;
    throw new PostgresStartError(
      'server',
      `PostgreSQL does not start on ${cluster}: ${complaint(await ended)}.`,
    );
  }
  const stop = async () => {
    child.ref();
    child.stdin?.end();
    await ended;
  };
  return { ended, stop };
}

function settings({ cluster, socketDirectory, fsync, maxConnections }: PostmasterOptions): string[] {
  const all = {
    listen_addresses: '',
    unix_socket_directories: `"${socketDirectory}"`,
    unix_socket_permissions: '0700',
    // To us, not to a file that grows. Errors of statements are the caller's to report, and may quote personal data.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(maxConnections && { max_connections: maxConnections }),
    ...(fsync ? { fsync: 'on' } : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return [
    '-D',
    clusterArgument(cluster),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** Passes the server's lines on, and keeps the last for a message; resolves with them when the supervisor ends. */
function lastWords(child: ChildProcess, log?: (line: string) => void): Promise<string> {
  let tail = '';
  let line = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4_000);
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    if (log) lines.forEach(log);
  });
  child.stdin?.on('error', () => {});
  // Nothing here keeps the platform alive: it may end without a word, and the pipe tells the supervisor.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket | null)?.unref();
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    // A backend that survived its server may hold the pipe open: do not wait for its end for long.
    child.on('exit', () => setTimeout(() => resolve(tail), 200));
    child.on('close', () => resolve(tail));
  });
}
