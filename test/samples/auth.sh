#region exchangeApiKey
curl "$WRP_BASE_URL/auth/authorize" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"key": "$WRP_API_KEY", "secret": "$WRP_API_SECRET"}
JSON
#endregion

#region refreshTokens
curl "$WRP_BASE_URL/auth/refresh" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{"refreshToken": "$REFRESH_TOKEN"}
JSON
#endregion
