#region getWebhookKey
curl --path-as-is "$BASE_URL/auth/webhooks/key/${KEY_ID:?}"
#endregion

#region pollWebhookEvents
curl "$SANDBOX_URL/webhooks/events?since=3600&wait=20" \
  -H "Authorization: $SANDBOX_TOKEN"
#endregion
