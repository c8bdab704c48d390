import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { loadContract } from '../../../../server/contract/index.ts';
import { readConfig } from '../../../../server/src/config.ts';
import { eventsTopic } from '../../../../server/src/jobs/jobs.ts';
import { openLogger } from '../../../../server/src/observability/logger.ts';
import { servePlatform } from '../../../../server/src/server.ts';
import { serveFunctions } from '../child.ts';

/**
 * One baseline of `webhooks.ts`: `fetch` sends the same bytes repeatedly, `platform` is the whole platform, with events
 * inserted into its outbox.
 */
export type SenderFunctions = {
  /** Returns once the round has begun. */
  send(round: Round): unknown;
};

export interface Round {
  /** The organization whose endpoints they are. Default: one for all rounds without a name. */
  organization?: string;
  /** Each receives `count` messages. */
  urls: string[];
  count: number;
}

const [, , mode, directory = ''] = process.argv;
/** The platform's concurrency per endpoint. */
const concurrency = 16;

if (mode === 'fetch') serveFunctions({ send: fetchAll } satisfies SenderFunctions);
else await serve();

function fetchAll({ urls, count }: Round): void {
  const body = JSON.stringify({
    id: randomUUID(),
    type: 'user.terminated',
    createdDateTime: new Date().toISOString(),
    organizationId: randomUUID(),
    data: { userId: randomUUID(), status: 'TERMINATED' },
  });
  const headers = { 'Content-Type': 'application/json', 'Webhook-Signature': 'x'.repeat(210) };
  const one = async (url: string, times: number) => {
    for (let sent = 0; sent < times; sent++) {
      const response = await fetch(url, { method: 'POST', body, headers });
      await response.arrayBuffer();
    }
  };
  const shares = Array.from({ length: concurrency }, (_, index) => Math.floor((count + index) / concurrency));
  void Promise.all(urls.flatMap((url) => shares.map((share) => one(url, share))));
}

async function serve(): Promise<void> {
  const platform = await servePlatform({
    config: readConfig({
      DATA_DIR: directory,
      PORT: '0',
      SANDBOX_PORT: '0',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }),
    loadContract: () => loadContract(new URL('../../../../generated/openapi.json', import.meta.url)),
    logger: openLogger('error'),
    progress: () => {},
    openPortal: () => Promise.reject(new Error('The benchmark has no portal.')),
  });
  const [production] = platform.dependencies.environments;
  if (!production) throw new Error('The platform must serve production.');
  const { database, jobs } = production;
  const organizations = new Map<string, string>();

  const send = async ({ organization = 'Bench', urls, count }: Round) => {
    const organizationId = organizations.get(organization) ?? randomUUID();
    if (!organizations.has(organization)) {
      organizations.set(organization, organizationId);
      await database.insertInto('organizations').values({ id: organizationId, name: organization }).execute();
    }
    for (const url of urls) {
      await database
        .insertInto('webhook_endpoints')
        .values({ id: randomUUID(), organization_id: organizationId, url, event_types: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await sql`insert into events (id, type, organization_id, data)
      select gen_random_uuid(), 'user.terminated', ${organizationId}::uuid,
        jsonb_build_object('userId', gen_random_uuid(), 'status', 'TERMINATED')
      from generate_series(1, ${count}::integer)`.execute(database);
    // As after the commit of a change.
    jobs.signal(eventsTopic);
  };
  serveFunctions({ send } satisfies SenderFunctions, () => platform.close());
}
