import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import { clusterArgument, errorLine, spawnIn } from './child.ts';
import { isReady, readPidFile, stopOrphan } from './pid-file.ts';
import { PostgresStartError } from './start-error.ts';

/** A server that accepts connections. */
export interface Postmaster {
  /** Resolves with the end of the server's log when the server has exited for any reason. */
  ended: Promise<string>;
  /** Fast shutdown: open transactions are rolled back. */
  stop(): Promise<void>;
}

interface PostmasterOptions {
  cluster: string;
  account: Account;
  postgres: string;
  socketDirectory: string;
  fsync: boolean;
  maxConnections?: number | undefined;
  log?: ((line: string) => void) | undefined;
  /** Called when its process has been started. */
  onLaunch?: (() => void) | undefined;
}

// Seconds before a shutdown is escalated: fast, immediate, SIGKILL.
const fastSeconds = 30;
const immediateSeconds = 5;

/**
 * The parent process of the server, in a session of its own that Ctrl-C does not reach. It reads from a pipe that only
 * the platform can write to. When the pipe closes, on request or because the platform has exited, it shuts the server
 * down and removes the socket directory. If the supervisor itself was killed, the socket directory stays, because the
 * platform may have started a new server in it. It is a shell script because a shell takes 1 MB of memory, Node 50.
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
 * Starts the server on a locked cluster and waits until it accepts connections, however long its recovery takes. First
 * stops a server that a killed platform has left running.
 *
 * @throws PostgresStartError `server` with PostgreSQL's error message
 */
export async function launch(options: PostmasterOptions): Promise<Postmaster> {
  const { cluster, account, postgres, socketDirectory } = options;
  await stopOrphan(cluster);
  const before = readPidFile(cluster);
  const child = spawnIn(
    cluster,
    account,
    ['/bin/sh', '-c', supervisor, 'wrp-postgres', socketDirectory, postgres, ...settings(options)],
    // The process in a stale pid file is not a server: this keeps PostgreSQL from refusing to start because of it.
    { detached: true, env: before ? { PG_GRANDPARENT_PID: String(before.pid) } : {} },
  );
  options.onLaunch?.();
  const ended = exitOf(child, options.log);
  let running = true;
  ended.then(() => {
    running = false;
  });
  while (!isReady(cluster, before, socketDirectory)) {
    await sleep(5);
    if (running) continue;
    throw new PostgresStartError(
      'server',
      `PostgreSQL did not start on ${cluster}: ${errorLine(await ended)}.`,
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
    // To the platform, not to a growing file. Failed statements are not logged: they may contain personal data.
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // Otherwise, each checkpoint writes a file of them, and PostgreSQL panics if the disk is full.
    max_active_replication_origins: 0,
    ...(maxConnections && { max_connections: maxConnections }),
    ...(fsync ? { fsync: 'on' } : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return [
    '-D',
    clusterArgument(cluster),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** Passes on the server's log lines. Resolves with the end of the log when the supervisor exits. */
function exitOf(child: ChildProcess, log?: (line: string) => void): Promise<string> {
  let tail = '';
  let line = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-4_000);
    const lines = (line + text).split('\n');
    line = lines.pop() ?? '';
    if (log) lines.forEach(log);
  });
  child.stdin?.on('error', () => {});
  // The child must not keep the platform's event loop alive: the closing pipe tells the supervisor to stop.
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as Socket | null)?.unref();
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    // A surviving backend may keep the pipe open, so `close` may come late.
    child.on('exit', () => setTimeout(() => resolve(tail), 200));
    child.on('close', () => resolve(tail));
  });
}
