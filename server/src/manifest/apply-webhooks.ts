import type { Transaction } from '../store/database.ts';
import type { WebhookDeclaration } from './platform-file.ts';
import type { Path } from './problems.ts';
import { type Applying, type Declared, type KindRule, placeRows } from './rows.ts';
import { sameAddress } from './webhook-address.ts';

const webhookRule: KindRule = {
  kind: 'webhooks',
  table: 'webhook_endpoints',
  parent: 'organization_id',
  name: 'url',
};

/** The endpoints that are told of events. Whether one is disabled is not the file's to say. */
export async function applyWebhooks(
  applying: Applying,
  webhooks: WebhookDeclaration[],
  { organizationId, path }: { organizationId: string; path: Path },
): Promise<void> {
  const spelled = await spellings(applying.database, organizationId);
  const rows = webhooks.map(
    ({ id, url, events, createdDateTime }, index): Declared => ({
      ...{ id, createdDateTime, path: [...path, 'webhooks', index] },
      owned: {
        organization_id: organizationId,
        url: spelled(url),
        event_types: events === 'all' ? null : events,
      },
    }),
  );
  await placeRows(applying, webhookRule, rows);
}

/** An endpoint keeps the spelling that it was made with: under another one it would be told of everything twice. */
async function spellings(database: Transaction, organizationId: string): Promise<(url: string) => string> {
  const known = await database
    .selectFrom('webhook_endpoints')
    .select('url')
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .execute();
  return (url) =>
    (known.find((one) => one.url === url) ?? known.find((one) => sameAddress(one.url) === sameAddress(url)))
      ?.url ?? url;
}
