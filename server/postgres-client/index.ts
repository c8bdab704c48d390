export { administer, awaitDatabase, DatabaseConnectionError } from './await-database.ts';
export { batch } from './batch.ts';
export { batchSize, deleteInBatches, readInBatches } from './batches.ts';
export { type DatabaseOptions, databaseOf, openConnections, openDatabase } from './database.ts';
export { DatabaseBusyError, isDataException, isDiskFull, isRefused, isUnavailable } from './failures.ts';
export { namedClient, type OnStatement, withNext } from './named-client.ts';
export { type ConnectionPool, openPool } from './pool.ts';
export { isoTime, statement, statementWithNext } from './statement.ts';
export { afterCommit, beforeTransaction, transact } from './transact.ts';
