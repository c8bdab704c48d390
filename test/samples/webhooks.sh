#region getWebhookKey
curl --path-as-is "$WRP_BASE_URL/auth/webhooks/key/${KEY_ID:?}"
#endregion

#region pollWebhookEvents
curl "$WRP_BASE_URL/webhooks/events?since=3600&wait=20" \
  -H "Authorization: $WRP_TOKEN"
#endregion
