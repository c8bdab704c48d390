import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { CountRefused } from '../../http/refused-attempts.ts';
import type { Database } from '../../store/database.ts';
import type { InputSchemas } from '../../workflows/input-schema.ts';
import type { StartExecution } from '../../workflows/start.ts';
import type { PageExchange } from './exchange.ts';

export interface LinkPagesOptions {
  database: Database;
  blobs: Pick<BlobStore, 'read'>;
  startExecution: StartExecution;
  schemas: InputSchemas;
  /** Links are made with it. */
  key: KeyObject;
  /** What comes before the token in the address of a link, from outside. */
  linkBaseUrl: string;
  baseUrl: string;
  /** Everything in the environment is a test. */
  sandbox: boolean;
  /** How long a browser may send nothing of a form. */
  bodyIdleMs: number;
  /** Called for each token that was not made here. */
  countRefused: CountRefused;
  logger: Logger;
  now(): Date;
}

/** A token that was made here, and the identifier in it. */
export interface GenuineToken {
  token: string;
  id: string;
}

/** What a person does with a page. */
export type Visit = (exchange: PageExchange, genuine: GenuineToken) => Promise<void>;
