/** The maximum number of connections of one environment, by purpose. */
export interface ConnectionShare {
  requests: number;
  /** Executions and webhooks have pools of their own, so that they and requests do not wait for each other. */
  executions: number;
  webhooks: number;
  /** Connections of the job queue, including the one that listens for new jobs. */
  jobs: number;
}

type Shares = Record<'production' | 'sandbox', ConnectionShare>;

/** What a process does: serve requests, run jobs (executions, webhooks, mail, maintenance), or both. */
export type Role = 'all' | 'serve' | 'work';

/** Fewer would let a part of the platform wait for itself. */
const least: Record<Role, Shares> = {
  all: {
    production: { requests: 2, executions: 2, webhooks: 1, jobs: 3 },
    sandbox: { requests: 2, executions: 2, webhooks: 1, jobs: 2 },
  },
  serve: {
    production: { requests: 2, executions: 0, webhooks: 0, jobs: 1 },
    sandbox: { requests: 2, executions: 0, webhooks: 0, jobs: 1 },
  },
  work: {
    production: { requests: 2, executions: 2, webhooks: 1, jobs: 3 },
    sandbox: { requests: 2, executions: 2, webhooks: 1, jobs: 2 },
  },
};

/** How connections beyond the least are distributed. */
const weights: Record<Role, { environment: keyof Shares; purpose: keyof ConnectionShare }[]> = {
  all: [
    { environment: 'production', purpose: 'requests' },
    { environment: 'production', purpose: 'executions' },
    { environment: 'production', purpose: 'requests' },
    { environment: 'production', purpose: 'jobs' },
    { environment: 'production', purpose: 'webhooks' },
    { environment: 'sandbox', purpose: 'requests' },
  ],
  serve: [
    { environment: 'production', purpose: 'requests' },
    { environment: 'production', purpose: 'requests' },
    { environment: 'sandbox', purpose: 'requests' },
  ],
  work: [
    { environment: 'production', purpose: 'executions' },
    { environment: 'production', purpose: 'jobs' },
    { environment: 'production', purpose: 'webhooks' },
    { environment: 'production', purpose: 'executions' },
    { environment: 'sandbox', purpose: 'executions' },
  ],
};

/** The smallest budget. */
export const leastConnections = total(least.all);

/** Distributes a process's connections over its pools. Production gets more than the sandbox. */
export function connectionShares(role: Role, budget: number): Shares {
  const shares = structuredClone(least[role]);
  const order = weights[role];
  for (let left = budget - total(shares), at = 0; left > 0; left--, at++) {
    const { environment, purpose } = order[at % order.length] as (typeof order)[number];
    shares[environment][purpose]++;
  }
  return shares;
}

function total(shares: Shares): number {
  return Object.values(shares)
    .flatMap((share: ConnectionShare) => Object.values(share))
    .reduce((sum, count) => sum + count, 0);
}
