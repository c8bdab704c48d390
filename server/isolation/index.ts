export { PoolBusyError, type StopReason, TaskFailedError, TaskStoppedError } from './errors.ts';
export { type Pool, openPool } from './pool.ts';
