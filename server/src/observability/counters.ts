import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { errorMessages } from '../../../generated/operations.ts';
import type { Contract } from '../../contract/index.ts';
import { ClientGone } from '../../http-server/index.ts';
import { type EnvironmentName, environmentNames } from '../config.ts';
import type { SweepReport } from '../files/sweep.ts';
import type { CompletedRequest } from '../http/log.ts';
import { type MailOutcome, mailOutcomes } from '../mail/senders.ts';
import { type ScheduleOutcome, scheduleOutcomes } from '../store/schedules.ts';
import { executionStatuses } from '../store/schema.ts';
import type { ExecutionEnd } from '../store/webhook-relay.ts';
import { type EndLabels, endLabels, other } from './end-labels.ts';

/** What happens in a process, counted. */
export type Counters = ReturnType<typeof openCounters>;

/**
 * The counters of a process. Every series that can be known exists at 0 before it counts anything: `increase` and
 * `rate` do not see the first event of a series that begins at 1.
 */
export function openCounters(registry: Registry) {
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames: ['environment', ...labelNames], registers: [registry] });
  const durations = new Histogram({
    name: 'wrp_request_duration_seconds',
    help: 'Duration of requests, by operation of the contract or by name of another entrance, such as agents or portal.',
    labelNames: ['environment', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const requests = counter(
    'wrp_requests_total',
    'Requests, by operation or entrance and by status. 499: the client disconnected.',
    ...(['operation', 'status'] as const),
  );
  const refusals = counter('wrp_refusals_total', 'Requests that got an error, by its code.', 'code');
  const sweeps = counter(
    'wrp_blob_sweeps_total',
    'Sweeps of the blob store by outcome: done, stopped (too many unknown files), failed.',
    'outcome',
  );
  const mails = counter(
    'wrp_mails_total',
    'Attempts to send a mail by outcome: sent, failed (to be repeated), discarded (undeliverable).',
    'outcome',
  );
  const schedules = counter(
    'wrp_schedules_total',
    'Due times of schedules by outcome: started, queued, skipped (both: the last execution is running), missed, refused.',
    'outcome',
  );
  const ends = counter(
    'wrp_executions_ended_total',
    'Executions that ended, by definition, status and error name; in the process that relayed their event. Each environment has 100 definitions with 20 errors each; the others are other.',
    ...(['definition', 'name', 'status', 'error'] as const),
  );
  const labelsOfEnds = Object.fromEntries(
    environmentNames.map((environment) => [environment, endLabels()]),
  ) as Record<EnvironmentName, EndLabels>;
  const failingHosts = new Gauge({
    name: 'wrp_task_hosts_failing',
    help: 'Hosts of which most of the last 20 calls by tasks of this process failed, counted for each organization.',
    labelNames: ['environment'],
    registers: [registry],
  });
  for (const environment of environmentNames) {
    failingHosts.set({ environment }, 0);
    for (const outcome of ['done', 'stopped', 'failed']) sweeps.inc({ environment, outcome }, 0);
    for (const outcome of mailOutcomes) mails.inc({ environment, outcome }, 0);
    for (const outcome of scheduleOutcomes) schedules.inc({ environment, outcome }, 0);
    for (const status of executionStatuses)
      if (status !== 'RUNNING')
        ends.inc({ environment, ...other, status, error: status === 'FAILED' ? other.name : '' }, 0);
  }
  return {
    /** Adds the series of requests, for a process that serves them. @param entrances names of what is served beside the operations */
    serves({ operations }: Pick<Contract, 'operations'>, entrances: string[]): void {
      const statuses = new Set([...operations.values()].flatMap((operation) => operation.statuses));
      // An entrance responds as operations do.
      const served = [...operations.values(), ...entrances.map((id) => ({ id, statuses }))];
      for (const environment of environmentNames) {
        for (const { id: operation, statuses } of served)
          for (const status of [...statuses, ClientGone.status])
            requests.inc({ environment, operation, status }, 0);
        for (const code of Object.keys(errorMessages)) refusals.inc({ environment, code }, 0);
      }
    },
    /** Counts a request. */
    observe(environment: EnvironmentName, request: CompletedRequest): void {
      const { operationId, entrance, status, code, milliseconds } = request;
      const operation = operationId ?? entrance;
      // An unknown path is only counted by its error code: nothing was served.
      if (operation) {
        requests.inc({ environment, operation, status });
        durations.observe({ environment, operation, status }, milliseconds / 1000);
      }
      if (code) refusals.inc({ environment, code });
    },
    /** Counts a sweep of blobs; without a report it failed. */
    swept(environment: EnvironmentName, report: SweepReport | undefined): void {
      const outcome = report ? (report.stopped ? 'stopped' : 'done') : 'failed';
      sweeps.inc({ environment, outcome });
    },
    /** Sets the number of hosts whose calls fail. */
    hostsFailing(environment: EnvironmentName, count: number): void {
      failingHosts.set({ environment }, count);
    },
    /** Counts an attempt to send a mail. */
    mailed(environment: EnvironmentName, outcome: MailOutcome): void {
      mails.inc({ environment, outcome });
    },
    /** Counts executions that ended. */
    ended(environment: EnvironmentName, executions: ExecutionEnd[]): void {
      for (const execution of executions) ends.inc({ environment, ...labelsOfEnds[environment](execution) });
    },
    /** Counts a due time of a schedule. */
    scheduled(environment: EnvironmentName, outcome: ScheduleOutcome): void {
      schedules.inc({ environment, outcome });
    },
  };
}
