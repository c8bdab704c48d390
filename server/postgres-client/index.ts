export { awaitDatabase, DatabaseConnectionError } from './await-database.ts';
export { batch } from './batch.ts';
export { batchSize, deleteInBatches, readInBatches } from './batches.ts';
export { DatabaseBusyError, isDataException, isDiskFull, isUnavailable } from './failures.ts';
export { isoTime } from './iso-time.ts';
export { namedClient, type OnStatement, withNext } from './named-client.ts';
export { type ConnectionPool, openPool } from './pool.ts';
export { statement, statementWithNext } from './statement.ts';
export { afterCommit, beforeTransaction, transact } from './transact.ts';
