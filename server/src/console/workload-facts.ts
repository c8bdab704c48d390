import type { Workload } from '../store/monitoring.ts';

/** The workload of an environment, as names and texts. Counts of more than 100,000 are not exact. */
export function workloadFacts(workload: Workload): [name: string, text: string][] {
  const { executions, unrelayedEvents, deliveries, failingEndpoints } = workload;
  const number = (count: number) => (count >= 100_000 ? 'over 100,000' : count.toLocaleString('en'));
  const ended = (['COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const)
    .map((status) => `${number(executions[status] ?? 0)} ${status.toLowerCase()}`)
    .join(', ');
  return [
    ['Running executions', number(executions.RUNNING ?? 0)],
    ['Ended within a minute', ended],
    ['Events to relay', number(unrelayedEvents)],
    ['Deliveries due', number(deliveries.due)],
    ['Deliveries scheduled', number(deliveries.scheduled)],
    ['Failing endpoints', number(failingEndpoints)],
  ];
}
