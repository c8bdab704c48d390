import type { BlobStore } from '../blobs/blob-store.ts';
import { sweepBlobs } from '../blobs/sweep.ts';
import type { Database } from '../store/database.ts';
import { forgetAnswers } from '../store/idempotency-keys.ts';
import { forgetLeases } from '../store/rate-leases.ts';
import { forgetResults } from '../store/results.ts';
import { retentionMilliseconds } from '../workflows/results.ts';
import type { Workers } from './jobs.ts';

const hour = 3_600_000;

/** What each kind of job does. */
export function workers({
  database,
  blobs,
  identityProviderUrl,
  maintainers,
  now,
}: {
  database: Database;
  blobs: BlobStore;
  /** Undefined: there is nobody to tell, the local record is all there is. */
  identityProviderUrl: string | undefined;
  /** Housekeeping of other parts. */
  maintainers: ((now: Date) => Promise<void>)[];
  now(): Date;
}): Workers {
  return {
    async 'identity-provider-mfa-reset'({ idpId }, { id }) {
      if (identityProviderUrl) await tellMfaReset(identityProviderUrl, idpId, id);
    },
    async maintenance() {
      const at = now();
      await forgetAnswers(database, at);
      await forgetLeases(database, new Date(at.getTime() - hour));
      await forgetResults(database, new Date(at.getTime() - retentionMilliseconds));
      await sweepBlobs({ blobs, database, olderThan: new Date(at.getTime() - hour) });
      await blobs.collectUnfinished(new Date(at.getTime() - 24 * hour));
      for (const maintain of maintainers) await maintain(at);
    },
  };
}

/** A repeat carries the same key, so that the provider can drop it. Any failure is retried by the queue. */
async function tellMfaReset(baseUrl: string, idpId: string, jobId: string): Promise<void> {
  const url = new URL(`users/${idpId}/reset-mfa`, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Idempotency-Key': jobId },
    redirect: 'error',
    signal: AbortSignal.timeout(20_000),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The identity provider answered ${response.status}.`);
}
