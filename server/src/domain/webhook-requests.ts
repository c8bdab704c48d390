/** An event as receivers get it. */
export interface WebhookEvent {
  id: string;
  type: string;
  createdDateTime: string;
  organizationId: string;
  workspaceId: string | null;
  data: object;
}

/** The bytes that are signed and sent. */
export function webhookBody({ workspaceId, data, ...rest }: WebhookEvent): Buffer {
  return Buffer.from(JSON.stringify({ ...rest, ...(workspaceId && { workspaceId }), data }));
}

export function webhookHeaders({
  signature,
  traceparent,
}: {
  signature: string;
  /** Of the request that caused the event. */
  traceparent: string | null;
}): { 'Content-Type': 'application/json'; 'Webhook-Signature': string; traceparent?: string } {
  return {
    'Content-Type': 'application/json',
    'Webhook-Signature': signature,
    ...(traceparent && { traceparent }),
  };
}
