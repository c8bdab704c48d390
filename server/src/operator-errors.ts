import { BlobsUnavailable } from '../blobs/index.ts';
import { PostgresStartError } from '../embedded-postgres/index.ts';
import { ListenError } from '../http-server/index.ts';
import { DatabaseConnectionError } from '../postgres-client/index.ts';
import { BackupError } from './backup/backup-error.ts';
import { ConfigError } from './config.ts';
import { BlobBindingError } from './files/binding.ts';
import { KeyBindingError } from './security/server-key.ts';
import { MigrationError } from './store/migrate.ts';

const kinds = [
  BackupError,
  BlobBindingError,
  BlobsUnavailable,
  ConfigError,
  DatabaseConnectionError,
  KeyBindingError,
  ListenError,
  MigrationError,
  PostgresStartError,
];

/** Whether the operator can fix an error. Its message is one line then; any other error is a bug. */
export function isOperatorError(error: unknown): error is Error {
  return kinds.some((kind) => error instanceof kind);
}
