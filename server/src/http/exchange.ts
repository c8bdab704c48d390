import type { Request, Response } from 'express';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Contract } from '../contract/index.ts';
import type { BearerTokens } from '../domain/bearer-tokens.ts';
import type { Caller } from '../domain/caller.ts';
import type { Credential, decideAccess } from '../store/access.ts';
import type { Database } from '../store/database.ts';
import type { AnswerKeeping } from './idempotency.ts';
import type { RequestLog } from './log.ts';
import type { OperationId } from './operation.ts';
import type { RateLimits } from './rate-limits.ts';
import type { CountRefused } from './refused-attempts.ts';
import type { ServedOperation } from './served-operation.ts';

/** What requests are answered with. */
export interface Platform {
  contract: Contract;
  served: ReadonlyMap<object, ServedOperation>;
  database: Database;
  /** Runs a change; its statements are kept together when it returns, and undone when it throws. */
  transact<Result>(change: (transaction: Database) => Promise<Result>): Promise<Result>;
  access: typeof decideAccess;
  tokens: BearerTokens;
  limits: RateLimits;
  /** Called for each request with invalid credentials. */
  countRefused: CountRefused;
  /** How answers that hold a secret are kept; any other is kept as it is. */
  keeping: Partial<Record<OperationId, AnswerKeeping>>;
  blobs: BlobStore;
  /** Bytes of an uploaded file at most. */
  uploadLimit: number;
  /** Bytes that an organization may still store; undefined: there is no quota. */
  storageLeft: ((organizationId: string) => Promise<number>) | undefined;
  /** How long a caller may send nothing of a body. */
  bodyIdleMs: number;
  log: RequestLog;
  now(): Date;
}

/** One request on its way through the platform. */
export interface Exchange {
  id: string;
  request: Request;
  response: Response;
  operation: ServedOperation;
  /** Decoded path parameters, identifiers in their one spelling. */
  path: Record<string, string>;
  /** The query as it came, without its question mark. */
  search: string;
  /** As checked; kept only if the contract deprecates something of the operation. */
  body?: unknown;
  /** What the caller showed, read and verified. */
  credential?: Credential;
  caller?: Caller;
  /** RateLimit headers, once the budgets are asked. */
  limits: Record<string, string>;
}
