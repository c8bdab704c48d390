import type { Logger } from 'pino';
import type { MachineError } from '../../asl/index.ts';
import type { Json } from '../../json/index.ts';

/** The calls of a host that count, one bit each, the latest on the right: 1 if it failed. */
const recentCalls = 20;
/** The hosts of an organization with a group of their own while they fail; all others share one. */
const maxGroups = 10;
/** The hosts that are remembered, in all organizations: those with a failure among their last calls. */
const maxHosts = 10_000;

/** A task that calls a host. */
interface HostCall {
  organizationId: string;
  task: { arguments: Json } | null | undefined;
}

/** Undefined for a success. */
type Failure = Pick<MachineError, 'error'> | undefined;

export type HostHealth = ReturnType<typeof hostHealth>;

/**
 * Which hosts fail, by the calls of this process: most of the last 20 calls of an organization had no response, or one
 * with status 5xx or 429. Their calls wait in a group of their own, so that a host is not called by many at once, and calls
 * of other hosts do not wait behind them. By organization, so that none can slow down the calls of another.
 */
export function hostHealth({
  logger,
  onChange = () => {},
}: {
  logger: Logger;
  /** Called with the number of failing hosts when it changes. */
  onChange?: ((failing: number) => void) | undefined;
}) {
  /** The bits of each. */
  const hosts = new Map<string, number>();
  /** The group of each. */
  const failing = new Map<string, string>();

  const newGroup = (organizationId: string, host: string) => {
    const groups = [...failing.keys()].filter((key) => key.startsWith(organizationId));
    return groups.length < maxGroups ? host : 'others';
  };
  const forget = (key: string) => {
    hosts.delete(key);
    if (failing.delete(key)) onChange(failing.size);
  };

  return {
    /** The group in which a call waits because its host fails; undefined: its host does not fail. */
    groupOf(call: HostCall): string | undefined {
      if (failing.size === 0) return undefined;
      const host = hostOf(call.task);
      return host === undefined ? undefined : failing.get(keyOf(call, host));
    },
    /** Records the outcome of a call. */
    record(call: HostCall, failure: Failure): void {
      // Nothing to remember: no host has failed lately.
      if (!failure && hosts.size === 0) return;
      const host = hostOf(call.task);
      const failed = hasFailed(failure);
      if (host === undefined || failed === undefined) return;
      const key = keyOf(call, host);
      const failures = (((hosts.get(key) ?? 0) << 1) | Number(failed)) & ((1 << recentCalls) - 1);
      if (failures === 0) {
        forget(key);
        return;
      }
      const [oldest] = hosts.keys();
      if (hosts.size >= maxHosts && !hosts.has(key) && oldest !== undefined) forget(oldest);
      // The last one called is the last to be forgotten.
      hosts.delete(key);
      hosts.set(key, failures);
      const { organizationId } = call;
      const isFailing = countOf(failures) > recentCalls / 2;
      if (isFailing === failing.has(key)) return;
      if (isFailing) failing.set(key, newGroup(organizationId, host));
      else failing.delete(key);
      onChange(failing.size);
      if (isFailing) logger.warn({ host, organizationId }, 'most recent calls of a host failed');
      else logger.info({ host, organizationId }, 'the calls of a host succeed again');
    },
  };
}

const keyOf = ({ organizationId }: HostCall, host: string) => `${organizationId} ${host}`;

/** The host and port that a task calls. The arguments are not validated yet. */
function hostOf(task: HostCall['task']): string | undefined {
  const args = task?.arguments as { url?: unknown; request?: { url?: unknown } } | null | undefined;
  const url = args?.url ?? args?.request?.url;
  return typeof url === 'string' ? URL.parse(url)?.host : undefined;
}

const failureNames = /^(?:Http\.Failed|Http\.Status\.(?:5\d\d|429)|States\.(?:Heartbeat)?Timeout)$/;
/** The host was not called. */
const notCalled = new Set(['Http.Refused', 'Wrp.InvalidArguments']);

/** @returns undefined for a failure that says nothing about the host */
function hasFailed(failure: Failure): boolean | undefined {
  if (!failure) return false;
  return notCalled.has(failure.error) ? undefined : failureNames.test(failure.error);
}

function countOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
