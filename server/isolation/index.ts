export { PoolBusyError, type StopReason, TaskFailedError, TaskStoppedError } from './errors.ts';
export { openPool, type Pool } from './pool.ts';
