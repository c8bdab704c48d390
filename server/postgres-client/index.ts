export { DatabaseConnectionError, awaitDatabase } from './await-database.ts';
export { batch } from './batch.ts';
export { batchSize, deleteInBatches, readInBatches } from './batches.ts';
export { DatabaseBusyError, isDataException, isDiskFull, isUnavailable } from './failures.ts';
export { isoTime } from './iso-time.ts';
export { type OnStatement, namedClient, withNext } from './named-client.ts';
export { type ConnectionPool, openPool } from './pool.ts';
export { statement, statementWithNext } from './statement.ts';
export { afterCommit, beforeTransaction, transact } from './transact.ts';
