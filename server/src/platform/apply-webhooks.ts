import type { WebhookDeclaration } from './platform-file.ts';
import type { Path } from './problems.ts';
import { type Applying, type Declared, type KindRule, placeRows } from './rows.ts';

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
  const rows = webhooks.map(
    ({ id, url, events, createdDateTime }, index): Declared => ({
      ...{ id, createdDateTime, path: [...path, 'webhooks', index] },
      owned: { organization_id: organizationId, url, event_types: events === 'all' ? null : events },
    }),
  );
  await placeRows(applying, webhookRule, rows);
}
