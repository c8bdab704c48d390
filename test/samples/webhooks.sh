#region getWebhookKey
curl "$BASE_URL/auth/webhooks/key/$KEY_ID?pem=true"
#endregion
