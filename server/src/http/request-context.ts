import type { Request, Response } from 'express';
import type { BlobStore } from '../../blobs/index.ts';
import type { Contract, OperationId } from '../../contract/index.ts';
import type { BearerTokens } from '../domain/bearer-tokens.ts';
import type { Caller } from '../domain/caller.ts';
import type { Credential, decideAccess } from '../store/access.ts';
import type { Database } from '../store/database.ts';
import type { ResponseStorage } from './idempotency.ts';
import type { RequestLog } from './log.ts';
import type { OtherEnvironment } from './other-environment.ts';
import type { CountRefused, RateLimits } from './rate-limits.ts';
import type { ServedOperation } from './served-operation.ts';

/** What the request path needs of one environment. */
export interface Platform {
  contract: Contract;
  served: ReadonlyMap<object, ServedOperation>;
  database: Database;
  /** Runs a change in a transaction: committed when it returns, rolled back when it throws; see `transact`. */
  transact<Result>(
    change: (transaction: Database) => Promise<Result>,
    signal: () => AbortSignal,
  ): Promise<Result>;
  access: typeof decideAccess;
  tokens: BearerTokens;
  otherEnvironment?: OtherEnvironment | undefined;
  limits: RateLimits;
  /** Called for each request with invalid credentials. */
  countRefused: CountRefused;
  /** How responses that contain a secret are stored for an Idempotency-Key; others are stored unchanged. */
  responseStorage: Partial<Record<OperationId, ResponseStorage>>;
  blobs: BlobStore;
  /** Maximum size of an uploaded file, in bytes. */
  uploadLimit: number;
  /** Bytes that a caller's organization may still store with an Idempotency-Key; undefined: no quota. */
  storageLeft: ((caller: Caller, key: string | undefined) => Promise<number>) | undefined;
  /** How long a client may pause while it sends a body. */
  bodyIdleMs: number;
  log: RequestLog;
  now(): Date;
}

/** A request and what is known of it so far. */
export interface RequestContext {
  id: string;
  request: Request;
  response: Response;
  operation: ServedOperation;
  /** Decoded path parameters; identifiers in lower case. */
  path: Record<string, string>;
  /** The query as sent, without the question mark. */
  search: string;
  /** As checked; kept only if the contract deprecates something of the operation. */
  body?: unknown;
  /** The verified credential. */
  credential?: Credential;
  caller?: Caller;
  /** Until when a change can begin without another check of its caller, by `performance.now()`; see `permit`. */
  permittedUntil: number;
  /** The row of the object that it reads, if the caller holds the permission. */
  row?: object | undefined;
  /** RateLimit headers, after the budgets were checked. */
  limits: Record<string, string>;
}
