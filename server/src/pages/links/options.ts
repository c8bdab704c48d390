import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { BlobStore } from '../../../blobs/index.ts';
import type { InputSchemas } from '../../../json-schema/index.ts';
import type { CountRefused, CountRequest } from '../../http/rate-limits.ts';
import type { Database } from '../../store/database.ts';
import type { StartExecution } from '../../workflows/start.ts';
import type { PageExchange } from './exchange.ts';

export interface LinkPagesOptions {
  database: Database;
  blobs: Pick<BlobStore, 'read'>;
  startExecution: StartExecution;
  schemas: InputSchemas;
  /** Signs the tokens of links. */
  key: KeyObject;
  /** The public URL of a link without its token. */
  linkBaseUrl: string;
  baseUrl: string;
  /** Whether this is the sandbox environment. */
  sandbox: boolean;
  /** How long a browser may pause while it sends a form. */
  bodyIdleMs: number;
  countRequest: CountRequest;
  /** Called for each invalid token. */
  countRefused: CountRefused;
  logger: Logger;
  now(): Date;
}

/** A token with a valid signature, and the id in it. */
export interface VerifiedToken {
  token: string;
  id: string;
}

/** Sends the page of a request. */
export type PageHandler = (exchange: PageExchange, verified: VerifiedToken) => Promise<void>;
