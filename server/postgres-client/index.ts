export { administer, awaitDatabase, checkDatabase } from './await-database.ts';
export { batch } from './batch.ts';
export { batchSize, deleteInBatches, readInBatches } from './batches.ts';
export { type DatabaseOptions, databaseOf, openConnections, openDatabase } from './database.ts';
export {
  DatabaseBusyError,
  DatabaseConnectionError,
  isDataException,
  isDiskFull,
  isRefused,
  isUnavailable,
} from './failures.ts';
export { namedClient, type OnStatement, withNext } from './named-client.ts';
export { type ConnectionPool, openPool } from './pool.ts';
export { withTlsMode } from './settings.ts';
export { isoTime, statement, statementWithNext } from './statement.ts';
export { afterCommit, beforeTransaction, changedDatabase, transact } from './transact.ts';
