import type { WebhookDeclaration } from './platform-file.ts';
import type { Path } from './problems.ts';
import { type ApplyContext, rowsOf, upsertRows } from './rows.ts';

/**
 * Applies the webhook endpoints. Whether an endpoint is disabled is not changed. An endpoint keeps the URL as first
 * written: an equivalent spelling must not become a second endpoint, which would receive every event again.
 */
export async function applyWebhooks(
  context: ApplyContext,
  webhooks: WebhookDeclaration[],
  organizationId: string,
  path: Path,
): Promise<void> {
  const stored = await context.database
    .selectFrom('webhook_endpoints')
    .select('url')
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .execute();
  const urls = stored.map(({ url }) => url);
  const storedUrl = (url: string) =>
    urls.includes(url) ? url : urls.find((other) => new URL(other).href === new URL(url).href);
  await upsertRows(
    context,
    'webhooks',
    rowsOf(webhooks, [...path, 'webhooks'], ({ url, events }) => ({
      organization_id: organizationId,
      url: storedUrl(url) ?? url,
      event_types: events === 'all' ? null : events,
    })),
  );
}
