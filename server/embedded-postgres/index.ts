export { administer } from './administer.ts';
export { ownerOf } from './lock.ts';
export { type Progress } from './progress.ts';
export { type PostgresServer, findPostgres, startPostgres, usePostgres } from './server.ts';
export { PostgresStartError } from './start-error.ts';
