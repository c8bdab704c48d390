export { accountFor } from './account.ts';
export { findBinaries } from './binaries.ts';
export { ownerOf } from './lock.ts';
export type { Progress } from './progress.ts';
export { findPostgres, type PostgresServer, startPostgres, usePostgres } from './server.ts';
export { PostgresStartError } from './start-error.ts';
